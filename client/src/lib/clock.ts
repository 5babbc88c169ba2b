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
 * Field by field: the order and the separators of a formatted text change with the age of a browser's locale data, so
 * such a text is shown and never read.
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

/** `1905` of an instant on a clock in `timeZone`. */
export function clockDigits(instant: Date, timeZone: string): string {
  const { hour, minute } = readWall(instant, timeZone);
  return `${hour}${minute}`;
}

/** ISO instant or Date -> Date. */
export function toDate(instant: string | Date): Date {
  return typeof instant === 'string' ? new Date(instant) : instant;
}

/** `1905Z` */
export function formatZulu(instant: string | Date): string {
  return `${clockDigits(toDate(instant), 'UTC')}Z`;
}
