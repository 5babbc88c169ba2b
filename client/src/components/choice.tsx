import { useId } from 'react';
import classes from './choice.module.css';

interface ChoiceProps {
  label: string;
  /** what yes means, under the label */
  meaning: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

/** A yes or no with its meaning; the whole row is the target. */
export function Choice({ label, meaning, checked, onChange }: ChoiceProps) {
  const id = useId();
  return (
    <div className={classes.choice}>
      <input
        id={id}
        type="checkbox"
        className={classes.box}
        aria-describedby={`${id}-meaning`}
        checked={checked}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <label htmlFor={id} className={classes.label}>
        {label}
      </label>
      <span id={`${id}-meaning`} className={classes.meaning}>
        {meaning}
      </span>
    </div>
  );
}
