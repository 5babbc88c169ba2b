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
  /** label and accessible name */
  label: string;
  /** hides the label visually, where the context already shows it */
  hideLabel?: boolean;
  segments: readonly Segment<Value>[];
  /** null when no segment is selected */
  value: Value | null;
  onChange: (value: Value) => void;
}

/** Segmented control (Mantine's) with a label. */
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
        // With undefined, Mantine would select the first segment.
        value={value === null ? '' : `${value}`}
        onChange={(chosen) => {
          const segment = segments.find((one) => `${one.value}` === chosen);
          if (segment) onChange(segment.value);
        }}
      />
    </div>
  );
}
