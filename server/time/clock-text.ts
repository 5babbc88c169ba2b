/** Instants as pilots read them: `1905Z`, `2005L`, `+1`, written as on the screens. */
import { localDate, localTime } from './time.ts';

/** `1905Z` */
export function zuluWords(ms: number): string {
  return `${localTime(ms, 'UTC').replace(':', '')}Z`;
}

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
  return `${part('weekday')} ${part('day')} ${part('month')} ${zuluWords(ms)}`;
}

/** `2005L`: the wall time of the instant in `timeZone`. */
export function localWords(ms: number, timeZone: string): string {
  return `${localTime(ms, timeZone).replace(':', '')}L`;
}

/** `+1` or `−1` when the local date differs from the Zulu date, else ''. */
export function dateShiftWords(ms: number, timeZone: string): string {
  const [local, zulu] = [localDate(ms, timeZone), localDate(ms, 'UTC')];
  return local === zulu ? '' : local > zulu ? '+1' : '−1';
}

/** `Fri, Nov 20, 2026` of an instant in a zone. */
export function dateWords(ms: number, timeZone: string): string {
  return new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    year: 'numeric',
  }).format(ms);
}
