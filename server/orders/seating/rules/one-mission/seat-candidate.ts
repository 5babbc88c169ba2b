/** Assessment of one pilot for one seat, for the admin, who may override most reasons against it. */
import { onLeaveWords } from '#shared/leave.ts';
import type { ProficiencyLevel, IneligibilityReason } from '#shared/vocabulary.ts';
import {
  assessPilot,
  isSupportSeat,
  type Fit,
  type SeatingMission,
  type EligibilityFacts,
  type SeatingSeat,
} from '#server/orders/seating/rules/eligibility.ts';
import { firstOverlap } from '#server/time/intervals.ts';

export type CandidateJudgement = {
  readonly level: ProficiencyLevel;
  /** null if no windows that count in the aircraft cover the mission */
  readonly fit: Fit | null;
  /** why the pilot is not eligible; null if they are */
  readonly reason: IneligibilityReason | null;
  /** false for pilots who fly elsewhere or are on leave at that time and for suspended accounts, which cannot be overridden */
  readonly isAssignable: boolean;
  /** false: neither on the pilot's aircraft list, nor asked for by the windows */
  readonly isListed: boolean;
  /** sentences for the admin */
  readonly warnings: string[];
};

/** @param name the pilot's, for the sentences */
export function judgeCandidate(
  pilot: EligibilityFacts,
  name: string,
  seat: SeatingSeat,
  mission: SeatingMission,
  nowMs: number,
): CandidateJudgement {
  const { reason, fitFor, fitsOnceListed } = assessPilot(pilot, mission, nowMs);
  const fit = fitFor(seat.aircraftId);
  const level = pilot.levels.get(seat.aircraftId) ?? 'basic';
  const isListed = fit === 'exact' || pilot.levels.has(seat.aircraftId);
  const isCommitted = firstOverlap(pilot.commitments, mission) !== undefined;
  const warnings: string[] = [];
  if (reason === 'ON_LEAVE') warnings.push(`${name} is ${onLeaveWords(pilot.leave?.lastDate ?? '')}.`);
  else if (reason === 'NOT_AVAILABLE') warnings.push(`${name} is not available for the whole mission.`);
  else if (fit === null && !fitsOnceListed(seat.aircraftId))
    warnings.push(`${name} is not available for the ${seat.aircraftName} throughout the mission.`);
  if (isCommitted) warnings.push(`${name} holds a seat in another mission at that time.`);
  if (pilot.state === 'dnd') warnings.push(`${name} is on Do Not Disturb.`);
  if (!isListed) warnings.push(`${name} hasn't listed the ${seat.aircraftName}.`);
  else if (level === 'basic' && !isSupportSeat(seat))
    warnings.push(`${name} is at basic level in the ${seat.aircraftName}.`);
  return {
    level,
    fit,
    reason: isCommitted ? 'COMMITTED' : (reason ?? (fit === null ? 'AIRCRAFT' : null)),
    isAssignable: pilot.active && !isCommitted && reason !== 'ON_LEAVE',
    isListed,
    warnings,
  };
}
