/** Instants as messages in Discord and emails show them. */
import { formatZulu } from '#shared/clock.ts';

/** `FRI 20 NOV 1900Z` */
export function zuluDayWords(ms: number): string {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: 'UTC',
    weekday: 'short',
    day: '2-digit',
    month: 'short',
  }).formatToParts(ms);
  const part = (name: 'weekday' | 'day' | 'month') =>
    parts.find(({ type }) => type === name)?.value.toUpperCase() ?? '';
  return `${part('weekday')} ${part('day')} ${part('month')} ${formatZulu(ms)}`;
}

/**
 * An instant in Zulu and in the reader's zone: `Fri 20 Nov 1900Z (20:00 in Europe/Berlin)`, with the local date where it is
 * another one. For UTC only Zulu.
 */
export function zuluAndLocal(ms: number, timeZone: string): string {
  const dayIn = (zone: string) =>
    new Intl.DateTimeFormat('en-GB', { timeZone: zone, weekday: 'short', day: '2-digit', month: 'short' })
      .format(ms)
      .replace(',', '');
  const zulu = `${dayIn('UTC')} ${formatZulu(ms)}`;
  if (timeZone === 'UTC') return zulu;
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const local = dayIn(timeZone);
  return `${zulu} (${local === dayIn('UTC') ? '' : `${local} `}${clock.format(ms)} in ${timeZone})`;
}
