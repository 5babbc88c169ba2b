/** Words about a leave of absence, for the server and the screens. */
import { dayWords } from './clock.ts';

/** `Dec 5` of a date such as `2026-12-05`. */
export function dateWords(date: string): string {
  return dayWords(date).day;
}

/** `on leave until Dec 5` */
export const onLeaveWords = (lastDate: string): string => `on leave until ${dateWords(lastDate)}`;
