/** Zulu dates as messages in Discord show them. */
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
