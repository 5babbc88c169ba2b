import { useSignedInViewer } from '#client/lib/session.ts';
import { trpc } from '#client/lib/trpc.ts';
import { addDays, weekdayOf } from '#client/lib/wall-time.ts';
import type { AvailabilityWindowDto } from '#shared/schemas/availability.ts';
import { DAY_MINUTES, minutesOf, type Piece } from './week-spans.ts';

const DAYS = 14;
const DAYS_OF_GRID = 7;

/** A time on a date that a calendar takes away, in the pilot's wall time. */
export type BusyOnDate = AvailabilityWindowDto['days'][number]['busy'][number] & { dateLocal: string };

/** Busy times of the pilot's calendars in the next two weeks, within their availability; [] while loading. */
export function useBusyTimes(): BusyOnDate[] {
  const { id } = useSignedInViewer();
  const window = trpc.availability.window.useQuery({ id, days: DAYS });
  return (window.data?.days ?? []).flatMap(({ dateLocal, busy }) => busy.map((time) => ({ dateLocal, ...time })));
}

/** The busy times of the next seven days, in which each weekday is once. @param today in the pilot's zone */
export function busyPieces(times: readonly BusyOnDate[], today: string): Piece[] {
  const end = addDays(today, DAYS_OF_GRID);
  return times
    .filter(({ dateLocal }) => dateLocal < end)
    .map(({ dateLocal, startLocal, endLocal }) => ({
      weekday: weekdayOf(dateLocal),
      start: minutesOf(startLocal) ?? 0,
      // midnight at the end of the day is no wall time
      end: minutesOf(endLocal) ?? DAY_MINUTES,
    }));
}
