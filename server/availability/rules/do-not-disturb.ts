/** Do Not Disturb: from when on a pilot is asked, and told, about missions. */
import { DO_NOT_DISTURB_HOURS } from '#shared/limits.ts';
import { effectiveStatus, type StoredStatus } from '#shared/pilot-status.ts';
import type { StatusState } from '#shared/vocabulary.ts';
import { HOUR_MS } from '#server/time/time.ts';

/**
 * The rule of Do Not Disturb: such a pilot is only asked, and told, about missions that start more than 24 h from now.
 * Reminders of held seats do not ask this rule, and always arrive.
 */
export function startsAfter(state: StatusState, nowMs: number): number {
  return state === 'dnd' ? nowMs + DO_NOT_DISTURB_HOURS * HOUR_MS : -Infinity;
}

/** The same by the status as it is stored: missions that start until then are not told of. */
export const quietUntil = (stored: StoredStatus, nowMs: number): number =>
  startsAfter(effectiveStatus(stored, nowMs).effectiveState, nowMs);
