/** The Zulu clock, apart from everything else about time: every page shows it, the front page first. */

const formatters = new Map<string, Intl.DateTimeFormat>();

/** One formatter per locale and options: making them is slow. */
export function formatter(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([locale, options]);
  const known = formatters.get(key);
  if (known) {
    return known;
  }
  const made = new Intl.DateTimeFormat(locale, options);
  formatters.set(key, made);
  return made;
}

/** `1905` of an instant on a clock in `timeZone`. */
export function clockDigits(instant: Date, timeZone: string): string {
  return formatter('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
    .format(instant)
    .replace(':', '');
}

/** ISO instant or Date -> Date. */
export function toDate(instant: string | Date): Date {
  return typeof instant === 'string' ? new Date(instant) : instant;
}

/** `1905Z` */
export function formatZulu(instant: string | Date): string {
  return `${clockDigits(toDate(instant), 'UTC')}Z`;
}
