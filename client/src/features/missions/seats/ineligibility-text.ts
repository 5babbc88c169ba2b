/** Labels of the reasons why a pilot has no seat. */
import type { IneligiblePilotDto } from '#shared/schemas/mission-plan.ts';
import { INELIGIBILITY_REASONS, type IneligibilityReason } from '#shared/vocabulary.ts';

const REASON_NAMES: Record<IneligibilityReason, string> = {
  NOT_AVAILABLE: 'Not available',
  ON_LEAVE: 'On leave',
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

/** Pilots by reason, in the order of `INELIGIBILITY_REASONS`; those who miss only a short part of the mission come first. */
export function groupReasons(
  pilots: readonly IneligiblePilotDto[],
): { title: string; pilots: readonly IneligiblePilotDto[] }[] {
  const groups = [
    { title: 'Near misses', pilots: pilots.filter(({ isNearMiss }) => isNearMiss) },
    ...INELIGIBILITY_REASONS.map((reason) => ({
      title: REASON_NAMES[reason],
      pilots: pilots.filter((pilot) => pilot.reason === reason && !pilot.isNearMiss),
    })),
  ];
  return groups.filter((group) => group.pilots.length > 0);
}
