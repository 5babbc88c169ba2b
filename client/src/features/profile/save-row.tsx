import { Button } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import classes from './save-row.module.css';

interface SaveRowProps {
  /** the button at rest, e.g. `Save Profile` */
  label: string;
  isSaving: boolean;
  /** changes wait for the button: only then is it the next thing to do */
  isDirty: boolean;
  /** how many, where somebody counts */
  unsaved?: number;
  /** what the last save did, until something changes again */
  result: string | null;
}

/** The end of a panel's form: its button, and what came of it. */
export function SaveRow({ label, isSaving, isDirty, unsaved = 0, result }: SaveRowProps) {
  return (
    <div className={classes.row}>
      <Button type="submit" variant={isDirty ? 'filled' : 'default'} disabled={isSaving}>
        {isSaving ? 'Saving...' : label}
      </Button>
      <output className={classes.result}>
        {unsaved > 0 && (
          <span className={classes.unsaved}>
            Unsaved: {unsaved} {unsaved === 1 ? 'change' : 'changes'}
          </span>
        )}
        {result !== null && (
          <span className={classes.done}>
            <IconCheck size={18} stroke={1.75} aria-hidden="true" />
            {result}
          </span>
        )}
      </output>
    </div>
  );
}
