import { Button } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import classes from './save-row.module.css';

interface SaveRowProps {
  /** the button at rest, e.g. `Save Profile` */
  label: string;
  isSaving: boolean;
  /** nothing to save */
  disabled?: boolean;
  /** how many changes wait for the button; null where nobody counts */
  unsaved?: number | null;
  /** what the last save did, until something changes again */
  result: string | null;
}

/** The end of a panel's form: its button, and what came of it. */
export function SaveRow({ label, isSaving, disabled = false, unsaved = null, result }: SaveRowProps) {
  return (
    <div className={classes.row}>
      <Button type="submit" disabled={isSaving || disabled}>
        {isSaving ? 'Saving...' : label}
      </Button>
      <output className={classes.result}>
        {unsaved !== null && unsaved > 0 && (
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
