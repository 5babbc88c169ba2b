/**
 * Instants as pilots read them, the same on every screen and in every message: `1905Z` is UTC, `2005L` the reader's zone.
 * Intl reads the wall time of a zone, without arithmetic on wall times; the words around it are made here, because each
 * kind of Intl formatter takes a browser milliseconds to create.
 */

/** ISO instant, epoch milliseconds or Date. */
export type Instant = string | number | Date;

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Cached formatter of a zone, because creating one is slow. */
function formatterOf(timeZone: string): Intl.DateTimeFormat {
  let known = formatters.get(timeZone);
  if (known === undefined) {
    known = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
    formatters.set(timeZone, known);
  }
  return known;
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
  if (timeZone === 'UTC') {
    const [year = '', month = '', day = '', hour = '', minute = '', second = ''] = instant
      .toISOString()
      .split(/[-T:.]/);
    return { year, month, day, hour, minute, second };
  }
  const parts = formatterOf(timeZone).formatToParts(instant);
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

/** Zones that are Zulu itself: their local time would only repeat it. */
const ZULU_ZONES: ReadonlySet<string> = new Set(['UTC', 'Etc/UTC', 'Etc/UCT', 'Etc/GMT', 'Etc/Zulu', 'GMT', 'Zulu']);

/** True for a reader whose local time is not shown beside the Zulu time. */
export function isZuluZone(timeZone: string): boolean {
  return ZULU_ZONES.has(timeZone);
}

/** Days from the calendar date `from` to `to`, both `YYYY-MM-DD`. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);
}

/** Days between the local and the Zulu calendar date of one instant: -1, 0 or 1. */
export function dateShift(instant: Instant, timeZone: string): number {
  return daysBetween(localDate(instant, 'UTC'), localDate(instant, timeZone));
}

/** `+1` or `−1` after a time whose date is that many days from the shown one; otherwise ''. */
export function dateShiftMark(shift: number): string {
  return shift === 0 ? '' : shift > 0 ? `+${shift}` : `−${-shift}`;
}

/** One end of a span: a time of day with its mark. */
export interface ClockPart {
  /** `1905`, `2005L` */
  text: string;
  /** days of its mark; 0 for none */
  shift: number;
}

/** Start and end in Zulu, and in local time unless the zone is Zulu itself. */
export interface ClockSpan {
  zulu: readonly [ClockPart, ClockPart];
  local: readonly [ClockPart, ClockPart] | null;
}

/**
 * A span in Zulu and local time. Each time has its own mark, so it stands at whichever has moved; a start and an end that
 * have moved alike share the one at the end.
 * @param date the shown date, `YYYY-MM-DD`: by default the Zulu date of the start
 */
export function clockSpan(start: Instant, end: Instant, timeZone: string, date = localDate(start, 'UTC')): ClockSpan {
  const half = (zone: string, letter: string): [ClockPart, ClockPart] => {
    const first = daysBetween(date, localDate(start, zone));
    const last = daysBetween(date, localDate(end, zone));
    return [
      { text: clockDigits(toDate(start), zone), shift: first === last ? 0 : first },
      { text: clockDigits(toDate(end), zone) + letter, shift: last },
    ];
  };
  return { zulu: half('UTC', 'Z'), local: isZuluZone(timeZone) ? null : half(timeZone, 'L') };
}

const partText = ({ text, shift }: ClockPart): string => `${text}${dateShiftMark(shift)}`;

/** `1900–2200Z 2000–2300L`, `2230–0030Z+1 2330–0130L+1`, or `1900–2200Z`; see `clockSpan`. */
export function formatSpan(...span: Parameters<typeof clockSpan>): string {
  const { zulu, local } = clockSpan(...span);
  return [zulu, ...(local === null ? [] : [local])].map((half) => half.map(partText).join('–')).join(' ');
}

/** `1905Z 2005L`, `2305Z 0005L+1`, or `1905Z` for a reader in UTC: an instant in Zulu and local time. */
export function formatTime(instant: Instant, timeZone: string): string {
  const local = `${formatLocal(instant, timeZone)}${dateShiftMark(dateShift(instant, timeZone))}`;
  return isZuluZone(timeZone) ? formatZulu(instant) : `${formatZulu(instant)} ${local}`;
}

/** `L is Europe/Berlin`, or `Times are UTC`: a note below times. */
export function localTimesNote(timeZone: string): string {
  return isZuluZone(timeZone) ? `Times are ${timeZone}` : `L is ${timeZone}`;
}

/** `Europe/Berlin (L)`, or `UTC`: the zone of the local times, which a reader in UTC does not see. */
export function zoneOfLocalTimes(timeZone: string): string {
  return isZuluZone(timeZone) ? timeZone : `${timeZone} (L)`;
}

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/** `Fri` and `Nov 20` of a calendar date `2026-11-20`. */
export function dayWords(date: string): { weekday: string; day: string } {
  const midnight = new Date(`${date}T00:00:00Z`);
  const [weekday, month] = [WEEKDAYS[midnight.getUTCDay()], MONTHS[midnight.getUTCMonth()]];
  if (weekday === undefined || month === undefined) throw new RangeError(`${date} is not a date.`);
  return { weekday, day: `${month} ${midnight.getUTCDate()}` };
}

/** `Nov 20, 2026` of an instant in a zone. */
export function formatDay(instant: Instant, timeZone: string): string {
  const date = localDate(instant, timeZone);
  return `${dayWords(date).day}, ${date.slice(0, -6)}`;
}

/** `Fri, Nov 20, 2026` of an instant in a zone. */
export function formatDate(instant: Instant, timeZone: string): string {
  return `${dayWords(localDate(instant, timeZone)).weekday}, ${formatDay(instant, timeZone)}`;
}
