/** A pilot's week as merged windows of wall time, in minutes since Sunday midnight; the week is a circle. */
import { MINUTES_PER_DAY, minutesOf } from '#server/time/time.ts';

export const MINUTES_PER_WEEK = 7 * MINUTES_PER_DAY;

/** A window of the week; one of `MINUTES_PER_WEEK` minutes never ends. */
export type WeekWindow = {
  /** minutes since Sunday midnight, 0 to 10079 */
  readonly start: number;
  /** minutes, 1 to 10080 */
  readonly length: number;
  /** a number for what the pilot offers throughout the window, below `OFFERS_MAX`; unknown by default */
  readonly offer?: number;
};

/** The week does not tell what the pilot offers. */
export const UNKNOWN_OFFER = 0;
export const OFFERS_MAX = 65_536;

export type WeekSlot = { readonly weekday: number; readonly startLocal: string; readonly endLocal: string };

/** A weekly slot as a window of the week. */
export function windowOf({ weekday, startLocal, endLocal }: WeekSlot): WeekWindow {
  const [from, to] = [minutesOf(startLocal), minutesOf(endLocal)];
  return {
    start: weekday * MINUTES_PER_DAY + from,
    length: to > from ? to - from : to - from + MINUTES_PER_DAY,
  };
}

const WHOLE_WEEK: WeekWindow = { start: 0, length: MINUTES_PER_WEEK };

/**
 * Windows of the week, merged where they touch or overlap, over Saturday midnight too. Those with different offers become
 * one whose offer is unknown.
 * @returns disjoint windows with gaps between them, by start
 */
export function mergeWeek(windows: readonly WeekWindow[]): WeekWindow[] {
  const spans = windows.map(({ start, length, offer = UNKNOWN_OFFER }) => ({ start, end: start + length, offer }));
  spans.sort((a, b) => a.start - b.start);
  const runs: typeof spans = [];
  for (const span of spans) {
    const last = runs.at(-1);
    if (last && span.start <= last.end) extend(last, span.end, span.offer);
    else runs.push(span);
  }
  // what runs over Saturday midnight may reach the first windows of the week
  const last = runs.at(-1);
  if (!last) return [];
  for (const first of runs.slice(0, -1)) {
    if (last.end < first.start + MINUTES_PER_WEEK) break;
    extend(last, first.end + MINUTES_PER_WEEK, first.offer);
    runs.shift();
  }
  if (last.end - last.start >= MINUTES_PER_WEEK) return [{ ...WHOLE_WEEK, offer: last.offer }];
  return runs.map(({ start, end, offer }) => ({ start, length: end - start, offer }));
}

function extend(run: { end: number; offer: number }, end: number, offer: number): void {
  run.end = Math.max(run.end, end);
  if (run.offer !== offer) run.offer = UNKNOWN_OFFER;
}

/** The rest of the week. @param week as `mergeWeek` returns them */
export function restOfWeek(week: readonly WeekWindow[]): WeekWindow[] {
  if (week.length === 0) return [WHOLE_WEEK];
  return week
    .map(({ start, length }, at) => {
      const next = week[at + 1]?.start ?? (week[0]?.start ?? 0) + MINUTES_PER_WEEK;
      const end = start + length;
      return { start: end % MINUTES_PER_WEEK, length: next - end };
    })
    .filter(({ length }) => length > 0)
    .toSorted((a, b) => a.start - b.start);
}
