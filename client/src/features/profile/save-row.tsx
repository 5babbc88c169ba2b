import { Button } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import type { Ref } from 'react';
import { count } from '#shared/plural.ts';
import classes from './save-row.module.css';

interface SaveRowProps {
  /** label of the button, e.g. `Save Profile` */
  label: string;
  isSaving: boolean;
  /** true when there are unsaved changes; makes the button primary */
  isDirty: boolean;
  /** number of unsaved changes, if counted */
  unsaved?: number;
  /** result of the last save, until the next change */
  result: string | null;
  submitButton?: Ref<HTMLButtonElement>;
}

/** Last row of a panel's form: save button and result. It stays in sight while there are unsaved changes. */
export function SaveRow({ label, isSaving, isDirty, unsaved = 0, result, submitButton }: SaveRowProps) {
  return (
    <div className={classes.row} data-unsaved={isDirty || undefined}>
      <Button ref={submitButton} type="submit" variant={isDirty ? 'filled' : 'default'} disabled={isSaving}>
        {isSaving ? 'Saving...' : label}
      </Button>
      <output className={classes.result}>
        {unsaved > 0 && <span className={classes.unsaved}>Unsaved: {count(unsaved, 'change')}</span>}
        {result !== null && (
          <span className={classes.done}>
            <IconCheck size={18} aria-hidden="true" />
            {result}
          </span>
        )}
      </output>
    </div>
  );
}
