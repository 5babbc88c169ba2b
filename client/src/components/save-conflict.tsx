import { Button } from '@mantine/core';
import classes from './save-conflict.module.css';

interface SaveConflictProps {
  /** what was saved elsewhere */
  sentence: string;
  /** both versions, or how they differ, in words */
  versions: readonly { label: string; words: string }[];
  isSaving: boolean;
  onKeep: () => void;
  onTake: () => void;
}

/** Both versions of something that was saved elsewhere while its form was open, and the choice between them. */
export function SaveConflict({ sentence, versions, isSaving, onKeep, onTake }: SaveConflictProps) {
  return (
    <div className={classes.conflict} role="alert">
      <p className={classes.sentence}>{sentence} Your changes here are not saved yet.</p>
      <dl className={classes.versions}>
        {versions.map(({ label, words }) => (
          <div key={label} className={classes.version}>
            <dt>{label}</dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
      <div className={classes.choice}>
        <Button variant="default" disabled={isSaving} onClick={onKeep}>
          Keep mine
        </Button>
        <Button variant="default" disabled={isSaving} onClick={onTake}>
          Take theirs
        </Button>
      </div>
    </div>
  );
}
