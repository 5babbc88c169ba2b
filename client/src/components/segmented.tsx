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

/** Segmented control with a label: radio buttons that are drawn as one row. */
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
      <div role="radiogroup" aria-labelledby={labelId} className={classes.root}>
        {segments.map((segment) => (
          <label key={segment.value} className={classes.control}>
            <input
              type="radio"
              name={labelId}
              className={classes.input}
              checked={segment.value === value}
              onChange={() => onChange(segment.value)}
            />
            <span className={classes.label}>{segment.label}</span>
          </label>
        ))}
      </div>
    </div>
  );
}
