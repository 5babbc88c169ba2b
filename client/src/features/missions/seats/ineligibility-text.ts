/** Names of reasons for having no seat, for a filter and a table. */
import type { UnseatedPilotDto } from '#shared/schemas/mission-work.ts';
import { UNSEATED_REASONS, type UnseatedReason } from '#shared/vocabulary.ts';

export const REASON_NAMES: Record<UnseatedReason, string> = {
  NOT_AVAILABLE: 'Not available',
  AIRCRAFT: 'Other aircraft',
  COMMITTED: 'Another mission',
  DO_NOT_DISTURB: 'Do Not Disturb',
  OUTRANKED: 'Ready',
};

/** Where the last order of a pilot without a seat stands. */
export const LAST_ORDER_NAMES: Record<NonNullable<UnseatedPilotDto['lastOrder']>, string> = {
  standby: 'on standby',
  declined: 'declined',
  expired: 'expired',
  superseded: 'taken back',
  'mission cancelled': 'mission cancelled',
};

/** How many pilots have each reason, in the order of the list: what an admin can do least about comes first. */
export function countReasons(pilots: readonly UnseatedPilotDto[]): { reason: UnseatedReason; pilots: number }[] {
  return UNSEATED_REASONS.map((reason) => ({
    reason,
    pilots: pilots.filter((pilot) => pilot.reason === reason).length,
  })).filter((count) => count.pilots > 0);
}
