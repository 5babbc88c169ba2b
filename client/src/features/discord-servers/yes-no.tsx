import { IconCheck, IconX } from '@tabler/icons-react';
import classes from './yes-no.module.css';

/** Yes or No with icon and colour. */
export function YesNo({ value }: { value: boolean }) {
  const Icon = value ? IconCheck : IconX;
  return (
    <span className={classes.answer} data-yes={value || undefined}>
      <Icon size={16} stroke={2} aria-hidden="true" />
      {value ? 'Yes' : 'No'}
    </span>
  );
}
