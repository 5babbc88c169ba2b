/** Plausibility check of a member list. */
import { MEMBERS_SHARE_MIN } from '#shared/limits.ts';

/** @param seen how many came @param known how many are stored as present */
export function isWholeList(seen: number, known: number): boolean {
  return seen >= known * MEMBERS_SHARE_MIN;
}
