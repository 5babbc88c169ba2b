/** Names of reasons for having no seat, for a filter and a table. */
import type { IneligiblePilotDto } from '#shared/schemas/mission-work.ts';
import { INELIGIBILITY_REASONS, type IneligibilityReason } from '#shared/vocabulary.ts';

export const REASON_NAMES: Record<IneligibilityReason, string> = {
  NOT_AVAILABLE: 'Not available',
  AIRCRAFT: 'Other aircraft',
  COMMITTED: 'Another mission',
  DO_NOT_DISTURB: 'Do Not Disturb',
  OUTRANKED: 'Ready',
};

/** Where the last order of a pilot without a seat stands. */
export const LAST_ORDER_NAMES: Record<NonNullable<IneligiblePilotDto['lastOrder']>, string> = {
  standby: 'on standby',
  declined: 'declined',
  expired: 'expired',
  superseded: 'taken back',
  'mission cancelled': 'mission cancelled',
};

/** How many pilots have each reason, in the order of the list: what an admin can do least about comes first. */
export function countReasons(pilots: readonly IneligiblePilotDto[]): { reason: IneligibilityReason; pilots: number }[] {
  return INELIGIBILITY_REASONS.map((reason) => ({
    reason,
    pilots: pilots.filter((pilot) => pilot.reason === reason).length,
  })).filter((count) => count.pilots > 0);
}
