/** Dated exceptions grouped into runs of dates: "Aug 3 to Aug 5, away" instead of three rows. */
import { formatSpan } from '#shared/clock.ts';
import { formatCalendarDate } from '#client/lib/time.ts';
import { addDays, spanOfWallTimes } from '#client/lib/wall-time.ts';
import type { OverrideDto } from '#shared/schemas/availability.ts';

/** A whole day in the API. */
export const WHOLE_DAY = { startLocal: '00:00', endLocal: '00:00' } as const;

/** The same exception on consecutive dates. */
export interface OverrideRun extends Omit<OverrideDto, 'id' | 'dateLocal'> {
  ids: string[];
  firstDate: string;
  lastDate: string;
}

/** @param overrides sorted by date */
export function joinDates(overrides: readonly OverrideDto[]): OverrideRun[] {
  const runs: OverrideRun[] = [];
  for (const { id, dateLocal, ...rest } of overrides) {
    const before = runs.find(
      (run) =>
        addDays(run.lastDate, 1) === dateLocal &&
        run.kind === rest.kind &&
        run.startLocal === rest.startLocal &&
        run.endLocal === rest.endLocal &&
        run.aircraftCodeId === rest.aircraftCodeId &&
        run.notes === rest.notes,
    );
    if (before) {
      before.ids.push(id);
      before.lastDate = dateLocal;
    } else {
      runs.push({ ...rest, ids: [id], firstDate: dateLocal, lastDate: dateLocal });
    }
  }
  return runs;
}

/** `Fri, Aug 7` or `Fri, Aug 7 to Sun, Aug 9` */
export function spanOfDates({ firstDate, lastDate }: Pick<OverrideRun, 'firstDate' | 'lastDate'>): string {
  const first = formatCalendarDate(firstDate);
  return firstDate === lastDate ? first : `${first} to ${formatCalendarDate(lastDate)}`;
}

/** `whole day` or `1700–2100Z 1800–2200L`; by the offset of the first date */
export function spanOfTimes(run: Pick<OverrideRun, 'firstDate' | 'startLocal' | 'endLocal'>, timeZone: string): string {
  const span = spanOfWallTimes(run.firstDate, run, timeZone);
  return run.startLocal === run.endLocal || span === undefined
    ? 'whole day'
    : formatSpan(span.start, span.end, timeZone, run.firstDate);
}
