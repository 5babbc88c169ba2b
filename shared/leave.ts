/** Words about a leave of absence, for the server and the screens. */
import { dayWords } from './clock.ts';

/** What a leave takes from a pilot in a mission: `stays` for one that has launched. */
export const LEAVE_EFFECTS = ['seat', 'order', 'standby', 'stays'] as const;
export type LeaveEffect = (typeof LEAVE_EFFECTS)[number];

/** `Dec 5` of a date such as `2026-12-05`. */
export function dateWords(date: string): string {
  return dayWords(date).day;
}

/** `on leave until Dec 5` */
export const onLeaveWords = (lastDate: string): string => `on leave until ${dateWords(lastDate)}`;
