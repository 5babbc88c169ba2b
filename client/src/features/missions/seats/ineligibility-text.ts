/** Labels of the reasons why a pilot has no seat. */
import type { IneligiblePilotDto } from '#shared/schemas/mission-plan.ts';
import { INELIGIBILITY_REASONS, type IneligibilityReason } from '#shared/vocabulary.ts';

export const REASON_NAMES: Record<IneligibilityReason, string> = {
  NOT_AVAILABLE: 'Not available',
  AIRCRAFT: 'Other aircraft',
  COMMITTED: 'Another mission',
  DO_NOT_DISTURB: 'Do Not Disturb',
  OUTRANKED: 'Ready',
};

/** Labels of the last order's state of a pilot without a seat. */
export const LAST_ORDER_NAMES: Record<NonNullable<IneligiblePilotDto['lastOrder']>, string> = {
  standby: 'on standby',
  declined: 'declined',
  expired: 'expired',
  superseded: 'taken back',
  'mission cancelled': 'mission cancelled',
};

/** Number of pilots per reason, in the order of `INELIGIBILITY_REASONS`. */
export function countReasons(pilots: readonly IneligiblePilotDto[]): { reason: IneligibilityReason; pilots: number }[] {
  return INELIGIBILITY_REASONS.map((reason) => ({
    reason,
    pilots: pilots.filter((pilot) => pilot.reason === reason).length,
  })).filter((count) => count.pilots > 0);
}
