import '@mantine/core/styles/InlineInput.css';
import '@mantine/core/styles/Checkbox.css';
import { Checkbox } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './choice.module.css';

interface ChoiceProps {
  label: ReactNode;
  /** explanation under the label */
  meaning?: string;
  checked: boolean;
  /** stands for several choices, of which only some are checked */
  indeterminate?: boolean;
  onChange: (checked: boolean) => void;
}

/** Checkbox, mostly with an explanation; the whole row is clickable. */
export function Choice({ label, meaning, checked, indeterminate = false, onChange }: ChoiceProps) {
  return (
    <Checkbox
      label={label}
      description={meaning}
      checked={checked}
      indeterminate={indeterminate}
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
