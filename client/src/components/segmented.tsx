import '@mantine/core/styles/SegmentedControl.css';
import { SegmentedControl } from '@mantine/core';
import { useId, type ReactNode } from 'react';
import { VisuallyHidden } from './visually-hidden.tsx';
import classes from './segmented.module.css';

export interface Segment<Value extends string | number> {
  value: Value;
  label: ReactNode;
}

interface SegmentedProps<Value extends string | number> {
  /** what is chosen here; its accessible name */
  label: string;
  /** the label is read, not seen: something beside it says the same */
  hideLabel?: boolean;
  segments: readonly Segment<Value>[];
  /** null while none of them fits */
  value: Value | null;
  onChange: (value: Value) => void;
}

/** A few choices side by side, one taken: Mantine's segmented control with a label. */
export function Segmented<Value extends string | number>({
  label,
  hideLabel = false,
  segments,
  value,
  onChange,
}: SegmentedProps<Value>) {
  const labelId = useId();
  return (
    <div className={classes.group}>
      <div id={labelId} className={hideLabel ? undefined : classes.caption}>
        {hideLabel ? <VisuallyHidden>{label}</VisuallyHidden> : label}
      </div>
      <SegmentedControl
        aria-labelledby={labelId}
        classNames={{
          root: classes.root,
          control: classes.control,
          input: classes.input,
          label: classes.label,
          innerLabel: classes.innerLabel,
          indicator: classes.indicator,
        }}
        transitionDuration={120}
        data={segments.map((segment) => ({ value: `${segment.value}`, label: segment.label }))}
        // Undefined would leave the choice to Mantine, which takes the first.
        value={value === null ? '' : `${value}`}
        onChange={(chosen) => {
          const segment = segments.find((one) => `${one.value}` === chosen);
          if (segment) onChange(segment.value);
        }}
      />
    </div>
  );
}
