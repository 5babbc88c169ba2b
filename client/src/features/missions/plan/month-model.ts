/** The days of a month in weeks from Sunday to Saturday. */
import { addDays, weekdayOf } from '#client/lib/wall-time.ts';

/** First and last date of the month of a date. */
export function monthOf(date: string): { first: string; last: string } {
  const first = `${date.slice(0, 7)}-01`;
  return { first, last: addDays(`${addDays(first, 31).slice(0, 7)}-01`, -1) };
}

/** The same day in the next or previous month, or that month's last day. */
export function monthLater(date: string, step: 1 | -1): string {
  const { first, last } = monthOf(date);
  const other = monthOf(step === 1 ? addDays(last, 1) : addDays(first, -1));
  const day = `${other.first.slice(0, 8)}${date.slice(8)}`;
  return day > other.last ? other.last : day;
}

/** The month of a date by weeks; null for the days of other months. */
export function weeksOf(date: string): (string | null)[][] {
  const { first, last } = monthOf(date);
  const start = addDays(first, -weekdayOf(first));
  const weeks: (string | null)[][] = [];
  for (let sunday = start; sunday <= last; sunday = addDays(sunday, 7)) {
    weeks.push(
      Array.from({ length: 7 }, (_, weekday) => addDays(sunday, weekday)).map((day) =>
        day < first || day > last ? null : day,
      ),
    );
  }
  return weeks;
}

/** `November 2026` */
export function monthName(date: string): string {
  return new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${date}T12:00:00Z`),
  );
}
