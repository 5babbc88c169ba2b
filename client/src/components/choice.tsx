import '@mantine/core/styles/InlineInput.css';
import '@mantine/core/styles/Checkbox.css';
import { Checkbox } from '@mantine/core';
import classes from './choice.module.css';

interface ChoiceProps {
  label: string;
  /** explanation under the label */
  meaning: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

/** Checkbox with an explanation; the whole row is clickable. */
export function Choice({ label, meaning, checked, onChange }: ChoiceProps) {
  return (
    <Checkbox
      label={label}
      description={meaning}
      checked={checked}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      color="cyan"
      size="md"
      classNames={{
        root: classes.row,
        body: classes.body,
        inner: classes.inner,
        input: classes.box,
        label: classes.label,
        description: classes.meaning,
      }}
    />
  );
}
