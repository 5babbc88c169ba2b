import { Button, NativeSelect, TextInput, type NativeSelectProps, type TextInputProps } from '@mantine/core';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { screenCopy } from '#client/lib/screen-text.ts';
import { detectedTimeZone, clockTime } from '#client/lib/time.ts';
import { useNow } from '#client/lib/use-now.ts';
import { formatTime } from '#shared/clock.ts';
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

/**
 * Time zone field: the ten standard zones, the pilot's own and the browser's. Below it the browser's zone, to choose it, or,
 * where it is chosen, to correct it from all zones.
 */
export function TimeZoneField({ value, current, onDetected, ...props }: TimeZoneFieldProps) {
  const now = useNow();
  const select = useRef<HTMLSelectElement>(null);
  const [first] = useState(current);
  const [showsAll, setShowsAll] = useState(false);
  const detected = detectedTimeZone();
  const offered = [...new Set([...TIME_ZONES, first, current, detected, value])];
  const others = showsAll ? Intl.supportedValuesOf('timeZone').filter((zone) => !offered.includes(zone)) : [];

  const openAll = (): void => {
    flushSync(() => setShowsAll(true));
    select.current?.focus();
    select.current?.showPicker?.();
  };

  return (
    <>
      <NativeSelect
        ref={select}
        label="Time Zone"
        description={screenCopy.timeZoneHint}
        data={others.length === 0 ? offered : [...offered, { group: 'All time zones', items: others }]}
        value={value}
        {...props}
      />
      <div className={classes.detected}>
        {detected === value ? (
          <>
            <span>
              {value}, now <span className={classes.clock}>{clockTime(now, value)}</span>.
            </span>
            <Button variant="subtle" size="xs" px="0.375rem" onClick={openAll}>
              Not right?
            </Button>
          </>
        ) : (
          <>
            <span>
              Detected {detected} (now <span className={classes.clock}>{formatTime(now, detected)}</span>)
            </span>
            <Button variant="light" size="xs" onClick={() => onDetected(detected)}>
              Use it
            </Button>
          </>
        )}
      </div>
    </>
  );
}
