/** A pilot's week as merged windows of wall time, in minutes since Sunday midnight; the week is a circle. */
import { MINUTES_PER_DAY, minutesOf } from '#server/time/time.ts';

export const MINUTES_PER_WEEK = 7 * MINUTES_PER_DAY;

/** A window of the week; one of `MINUTES_PER_WEEK` minutes never ends. */
export type WeekWindow = {
  /** minutes since Sunday midnight, 0 to 10079 */
  readonly start: number;
  /** minutes, 1 to 10080 */
  readonly length: number;
};

export type WeekSlot = { readonly weekday: number; readonly startLocal: string; readonly endLocal: string };

/** A weekly slot as a window of the week. */
export function windowOf({ weekday, startLocal, endLocal }: WeekSlot): WeekWindow {
  const [from, to] = [minutesOf(startLocal), minutesOf(endLocal)];
  return {
    start: weekday * MINUTES_PER_DAY + from,
    length: to > from ? to - from : to - from + MINUTES_PER_DAY,
  };
}

/** True if the window has time in common with the minutes from one of the week on, at most a day of them. */
export function overlapsWeekly({ start, length }: WeekWindow, minute: number, minutes: number): boolean {
  const until = (start - minute + MINUTES_PER_WEEK) % MINUTES_PER_WEEK;
  const since = (minute - start + MINUTES_PER_WEEK) % MINUTES_PER_WEEK;
  return until < minutes || since < length;
}

const WHOLE_WEEK: WeekWindow = { start: 0, length: MINUTES_PER_WEEK };

/**
 * Windows of the week, merged where they touch or overlap, over Saturday midnight too.
 * @returns disjoint windows with gaps between them, by start
 */
export function mergeWeek(windows: readonly WeekWindow[]): WeekWindow[] {
  const spans = windows.map(({ start, length }) => ({ start, end: start + length }));
  spans.sort((a, b) => a.start - b.start);
  const runs: { start: number; end: number }[] = [];
  for (const { start, end } of spans) {
    const last = runs.at(-1);
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else runs.push({ start, end });
  }
  // what runs over Saturday midnight may reach the first windows of the week
  const last = runs.at(-1);
  if (!last) return [];
  for (const first of runs.slice(0, -1)) {
    if (last.end < first.start + MINUTES_PER_WEEK) break;
    last.end = Math.max(last.end, first.end + MINUTES_PER_WEEK);
    runs.shift();
  }
  if (last.end - last.start >= MINUTES_PER_WEEK) return [WHOLE_WEEK];
  return runs.map(({ start, end }) => ({ start, length: end - start }));
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
