/** Sentence for admins on why a pilot has no seat of a mission. */
import type { UnseatedPilotDto } from '#shared/schemas/mission-work.ts';
import { type Obstacle, whyNot } from '#server/seating/rules/ineligibility.ts';

/** How the pilot's last order of the mission ended or was answered; `offered`: one that is open to several. */
export type LastOrder = UnseatedPilotDto['lastOrder'] | 'offered';

/** What the pilot has to do with a seat that is open and fits. */
const BESIDE_OPEN_SEAT: Record<NonNullable<LastOrder>, string> = {
  standby: 'is on standby',
  declined: 'declined',
  expired: 'did not answer in time',
  superseded: 'lost the seat',
  'mission cancelled': 'had an order until the mission was cancelled',
  offered: 'has an open offer',
};

/**
 * One sentence about the named pilot.
 * @param isSeatOpen a seat that fits the pilot has nobody: then it is not others that stand in the way
 */
export function unseatedSentence(obstacle: Obstacle, name: string, lastOrder: LastOrder, isSeatOpen: boolean): string {
  if (obstacle.reason !== 'OUTRANKED' || !isSeatOpen) return whyNot(obstacle, { to: 'admin', name });
  const what = lastOrder === null ? 'has not been asked' : BESIDE_OPEN_SEAT[lastOrder];
  return `${name} ${what}; a suitable seat is open.`;
}
