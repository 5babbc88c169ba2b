import { SaveConflict } from '#client/components/save-conflict.tsx';
import type { AircraftDto } from '#shared/schemas/availability.ts';
import { ANY_AIRCRAFT, onlyIn, type SlotRow } from './week.ts';
import { WEEKDAYS } from '#shared/vocabulary.ts';

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

/** The choice between two versions of a week. */
export function WeekConflict({ mine, theirs, aircraft, ...choice }: WeekConflictProps) {
  const say = ({ weekday, startLocal, endLocal, aircraft: id, notes }: SlotRow): string => {
    const type = id === ANY_AIRCRAFT ? null : (aircraft.find((one) => String(one.id) === id)?.name ?? null);
    const time = `${WEEKDAYS[weekday]?.slice(0, 3) ?? ''} ${startLocal}–${endLocal}`;
    const details = [type, notes].filter((part) => part !== null && part !== '');
    return details.length === 0 ? time : `${time} (${details.join(', ')})`;
  };
  const list = (rows: readonly SlotRow[]): string => {
    const named = rows.slice(0, NAMED_MAX).map(say);
    const others = rows.length - named.length;
    return [...named, ...(others > 0 ? [`${others} more`] : [])].join(', ') || 'nothing';
  };
  return (
    <SaveConflict
      sentence="Your week was saved somewhere else while this page was open."
      versions={[
        { label: 'Only in mine', words: list(onlyIn(mine, theirs)) },
        { label: 'Only in theirs', words: list(onlyIn(theirs, mine)) },
      ]}
      {...choice}
    />
  );
}
