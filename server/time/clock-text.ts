/** Instants as messages in Discord and emails show them. */
import { formatZulu, readWall } from '#shared/clock.ts';

/** Weekday, day and month of an instant in a zone, such as `Fri`, `20`, `Nov`. */
function dayParts(ms: number, timeZone: string): string[] {
  const options = { timeZone, weekday: 'short', day: '2-digit', month: 'short' } as const;
  const parts = new Intl.DateTimeFormat('en-US', options).formatToParts(ms);
  return (['weekday', 'day', 'month'] as const).map((name) => parts.find(({ type }) => type === name)?.value ?? '');
}

/** `FRI 20 NOV 1900Z` */
export function zuluDayWords(ms: number): string {
  return `${dayParts(ms, 'UTC').join(' ').toUpperCase()} ${formatZulu(ms)}`;
}

/**
 * An instant in Zulu and in the reader's zone: `Fri 20 Nov 1900Z (20:00 in Europe/Berlin)`, with the local date where it is
 * another one. For UTC only Zulu.
 * @param inZone the words for a time of day in a zone
 */
export function zuluAndLocal(
  ms: number,
  timeZone: string,
  inZone = (time: string, zone: string) => `${time} in ${zone}`,
): string {
  const [zuluDay, localDay] = [dayParts(ms, 'UTC').join(' '), dayParts(ms, timeZone).join(' ')];
  const zulu = `${zuluDay} ${formatZulu(ms)}`;
  if (timeZone === 'UTC') return zulu;
  const { hour, minute } = readWall(new Date(ms), timeZone);
  return `${zulu} (${localDay === zuluDay ? '' : `${localDay} `}${inZone(`${hour}:${minute}`, timeZone)})`;
}
