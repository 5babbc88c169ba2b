import { Button } from '@mantine/core';
import type { AircraftDto } from '#shared/schemas/availability.ts';
import { ANY_AIRCRAFT, onlyIn, type SlotRow } from './week.ts';
import { WEEKDAYS } from '#shared/vocabulary.ts';
import classes from './week-conflict.module.css';

/** Times named for each version; the grid shows all of them. */
const NAMED_MAX = 4;

interface WeekConflictProps {
  /** the week in the form */
  mine: readonly SlotRow[];
  /** the stored week */
  theirs: readonly SlotRow[];
  aircraft: readonly AircraftDto[];
  isSaving: boolean;
  onKeep: () => void;
  onTake: () => void;
}

/** Both versions of a week that was saved elsewhere while the form was open, and the choice between them. */
export function WeekConflict({ mine, theirs, aircraft, isSaving, onKeep, onTake }: WeekConflictProps) {
  const say = ({ weekday, startLocal, endLocal, aircraft: id, notes }: SlotRow): string => {
    const type = id === ANY_AIRCRAFT ? null : (aircraft.find((one) => String(one.id) === id)?.code ?? null);
    const day = WEEKDAYS[weekday]?.slice(0, 3) ?? '';
    return [`${day} ${startLocal}–${endLocal}`, type, notes].filter((part) => part !== null && part !== '').join(' ');
  };
  const list = (rows: readonly SlotRow[]): string => {
    const named = rows.slice(0, NAMED_MAX).map(say);
    const others = rows.length - named.length;
    return [...named, ...(others > 0 ? [`${others} more`] : [])].join(', ') || 'nothing';
  };
  return (
    <div className={classes.conflict} role="alert">
      <p className={classes.sentence}>
        Your week was saved somewhere else while this page was open. Your changes here are not saved yet.
      </p>
      <dl className={classes.versions}>
        <dt>Only in mine</dt>
        <dd>{list(onlyIn(mine, theirs))}</dd>
        <dt>Only in theirs</dt>
        <dd>{list(onlyIn(theirs, mine))}</dd>
      </dl>
      <div className={classes.choice}>
        <Button size="xs" variant="default" disabled={isSaving} onClick={onKeep}>
          Keep mine
        </Button>
        <Button size="xs" variant="default" disabled={isSaving} onClick={onTake}>
          Take theirs
        </Button>
      </div>
    </div>
  );
}
