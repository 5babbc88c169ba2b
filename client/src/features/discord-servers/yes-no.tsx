import { IconCheck, IconX } from '@tabler/icons-react';
import classes from './yes-no.module.css';

/** Yes or no as shape, colour and word. */
export function YesNo({ value }: { value: boolean }) {
  const Icon = value ? IconCheck : IconX;
  return (
    <span className={classes.answer} data-yes={value || undefined}>
      <Icon size={16} stroke={2} aria-hidden="true" />
      {value ? 'Yes' : 'No'}
    </span>
  );
}
