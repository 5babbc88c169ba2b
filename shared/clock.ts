/**
 * Instants as pilots read them, the same on every screen and in every message: `1905Z` is UTC, `2005L` the reader's zone.
 * Formatted with Intl, without arithmetic on wall times.
 */

/** ISO instant, epoch milliseconds or Date. */
export type Instant = string | number | Date;

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Cached Intl formatter, because creating one is slow. */
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

/** Local date and time of day in `timeZone`, with leading zeros. */
export interface Wall {
  year: string;
  month: string;
  day: string;
  hour: string;
  minute: string;
  second: string;
}

/**
 * Reads the fields with formatToParts: the order and separators of formatted text vary between browser versions, so formatted
 * text is never parsed.
 */
export function readWall(instant: Date, timeZone: string): Wall {
  const parts = formatter('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).formatToParts(instant);
  const field = (name: keyof Wall, length = 2): string =>
    (parts.find(({ type }) => type === name)?.value ?? '').padStart(length, '0');
  return {
    year: field('year', 4),
    month: field('month'),
    day: field('day'),
    hour: field('hour'),
    minute: field('minute'),
    second: field('second'),
  };
}

/** Hours and minutes of an instant in `timeZone`, such as `1905`. */
export function clockDigits(instant: Date, timeZone: string): string {
  const { hour, minute } = readWall(instant, timeZone);
  return `${hour}${minute}`;
}

export function toDate(instant: Instant): Date {
  return instant instanceof Date ? instant : new Date(instant);
}

/** `1905Z` */
export function formatZulu(instant: Instant): string {
  return `${clockDigits(toDate(instant), 'UTC')}Z`;
}

/** `2005L`: the same instant in the local time of `timeZone`. */
export function formatLocal(instant: Instant, timeZone: string): string {
  return `${clockDigits(toDate(instant), timeZone)}L`;
}

/** `YYYY-MM-DD` of an instant in a zone. */
export function localDate(instant: Instant, timeZone: string): string {
  const { year, month, day } = readWall(toDate(instant), timeZone);
  return `${year}-${month}-${day}`;
}

/** Days between the local and the Zulu calendar date of one instant: -1, 0 or 1. */
export function dateShift(instant: Instant, timeZone: string): -1 | 0 | 1 {
  const local = localDate(instant, timeZone);
  const zulu = localDate(instant, 'UTC');
  return local === zulu ? 0 : local > zulu ? 1 : -1;
}

/** `+1` or `−1` after a local time whose date is not the Zulu date; otherwise ''. */
export function dateShiftMark(shift: -1 | 0 | 1): string {
  return shift === 0 ? '' : shift > 0 ? '+1' : '−1';
}

/** `Fri, Nov 20, 2026` of an instant in a zone. */
export function formatDate(instant: Instant, timeZone: string): string {
  const options = { timeZone, weekday: 'short', month: 'short', day: 'numeric', year: 'numeric' } as const;
  return formatter('en-US', options).format(toDate(instant));
}
