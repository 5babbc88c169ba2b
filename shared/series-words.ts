/** The rule of a series in words: `every Wednesday at 1900L (Europe/Berlin)`. */

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;

/** Weekdays from Monday to Sunday: `Monday and Wednesday`. */
function weekdayWords(weekdays: readonly number[]): string {
  const names = [1, 2, 3, 4, 5, 6, 0].flatMap((day) => (weekdays.includes(day) ? (DAYS[day] ?? []) : []));
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** @returns as a part of a sentence, without a full stop */
export function seriesWords(series: {
  readonly weekdays: readonly number[];
  readonly everyWeeks: number;
  readonly startLocal: string;
  readonly timeZone: string;
}): string {
  const { weekdays, everyWeeks, startLocal, timeZone } = series;
  const days = weekdays.length === 7 && everyWeeks === 1 ? 'day' : weekdayWords(weekdays);
  const often = everyWeeks === 1 ? `every ${days}` : `every ${everyWeeks} weeks on ${days}`;
  return `${often} at ${startLocal.replace(':', '')}L (${timeZone})`;
}
