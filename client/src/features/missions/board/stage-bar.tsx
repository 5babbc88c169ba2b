import { Button } from '@mantine/core';
import { FormError } from '#client/components/form-error.tsx';
import { backfillWords, boardCopy, stagedWords } from './board-text.ts';
import type { StageWork } from './use-stage.ts';
import classes from './stage-bar.module.css';

interface StageBarProps {
  work: StageWork;
  /** sentences about what others have changed meanwhile */
  meanwhile: readonly string[];
  /** what is picked up, as the next step: `Select a seat for Anna`; null for nothing */
  picked: string | null;
  onDropPick: () => void;
  /** takes the picked pilot off the board; null without one on a seat */
  onBench: (() => void) | null;
}

/** The staged changes in one line, with what they mean; apply them, or put them back. */
export function StageBar({ work, meanwhile, picked, onDropPick, onBench }: StageBarProps) {
  const { stage, result, isChecking, isRefused, isApplying, error } = work;
  if (stage.size === 0 && picked === null) return null;
  const backfill = isChecking || !result ? null : backfillWords(result.backfill);
  return (
    <section className={classes.bar} aria-label="Staged changes">
      <FormError message={error} />
      {meanwhile.length > 0 && (
        <p className={classes.meanwhile}>Changed meanwhile: {meanwhile.join('; ')}. Your changes are kept.</p>
      )}
      <div className={classes.line}>
        <div className={classes.words}>
          {picked !== null && <strong className={classes.picked}>{picked}</strong>}
          {stage.size > 0 && (
            <output className={classes.staged}>
              <strong>{stagedWords(stage.size, isChecking ? undefined : result?.notified)}</strong>
              <span className={classes.then}>{isChecking ? boardCopy.checking : backfill}</span>
            </output>
          )}
        </div>
        <div className={classes.buttons}>
          {picked !== null && (
            <Button variant="default" onClick={onDropPick}>
              Cancel
            </Button>
          )}
          {onBench !== null && (
            <Button variant="default" onClick={onBench}>
              To the bench
            </Button>
          )}
          {stage.size > 0 && picked === null && (
            <>
              <Button variant="default" onClick={work.clear} disabled={isApplying}>
                Put back
              </Button>
              <Button onClick={work.apply} loading={isApplying} disabled={isRefused || isChecking}>
                Apply
              </Button>
            </>
          )}
        </div>
      </div>
    </section>
  );
}
