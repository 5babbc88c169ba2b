import { Button, NativeSelect, TextInput, type NativeSelectProps, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { screenCopy } from '#client/lib/screen-text.ts';
import { formatTime } from '#shared/clock.ts';
import { detectedTimeZone } from '#client/lib/time.ts';
import { useNow } from '#client/lib/use-now.ts';
import { TIME_ZONES } from '#shared/vocabulary.ts';
import classes from './identity-fields.module.css';

/** Call sign field. Takes a form's input props. */
export function CallSignField(props: Omit<TextInputProps, 'label' | 'description'>) {
  return <TextInput label="Call Sign" description={screenCopy.callSignHint} autoComplete="nickname" {...props} />;
}

interface TimeZoneFieldProps extends Omit<NativeSelectProps, 'label' | 'description' | 'data' | 'value'> {
  value: string;
  /** the pilot's saved zone; the zone at opening stays in the list while the page is open */
  current: string;
  /** called when the pilot chooses the browser's zone */
  onDetected: (timeZone: string) => void;
}

/** Time zone field: the ten standard zones, the pilot's own, and a button for the browser's zone. */
export function TimeZoneField({ value, current, onDetected, ...props }: TimeZoneFieldProps) {
  const now = useNow();
  const [first] = useState(current);
  const detected = detectedTimeZone();
  return (
    <>
      <NativeSelect
        label="Time Zone"
        description={screenCopy.timeZoneHint}
        data={[...new Set([...TIME_ZONES, first, current, value])]}
        value={value}
        {...props}
      />
      {detected !== value && (
        <div className={classes.detected}>
          <span>
            Detected {detected} (now <span className={classes.clock}>{formatTime(now, detected)}</span>)
          </span>
          <Button variant="light" size="xs" onClick={() => onDetected(detected)}>
            Use it
          </Button>
        </div>
      )}
    </>
  );
}
