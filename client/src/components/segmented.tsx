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

/** A few choices side by side, one taken: the browser's own radio buttons, drawn as one bar. */
export function Segmented<Value extends string | number>({
  label,
  hideLabel = false,
  segments,
  value,
  onChange,
}: SegmentedProps<Value>) {
  const name = useId();
  return (
    <fieldset className={classes.group} role="radiogroup">
      <legend className={hideLabel ? undefined : classes.label}>
        {hideLabel ? <VisuallyHidden>{label}</VisuallyHidden> : label}
      </legend>
      <div className={classes.bar}>
        {segments.map((segment) => (
          <label key={segment.value} className={classes.segment}>
            <input
              type="radio"
              name={name}
              className={classes.radio}
              checked={segment.value === value}
              onChange={() => onChange(segment.value)}
            />
            {segment.label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
