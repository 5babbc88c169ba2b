/** Remedies of ineligibility: the changes of a pilot's own data with which a seat would fit. */
import { SEAT_FIXES, type SeatFix } from '#shared/vocabulary.ts';
import { clip, firstOverlap, type Interval, subtractIntervals } from '#server/time/intervals.ts';
import { DAY_MS } from '#server/time/time.ts';
import { assessPilot, isOnLeave, presentIn, type EligibilityFacts, type SeatingMission } from './eligibility.ts';

export type Remedy = {
  readonly fixes: readonly SeatFix[];
  /** the parts of the mission that `addAvailability` adds, in order */
  readonly missing: readonly Interval[];
};

/**
 * The changes with which a pilot could fly an aircraft in a mission: dated availability for the parts that lack, the aircraft
 * on the pilot's list, the end of a leave, and of Do Not Disturb.
 * @param pilot with the commitments that the pilot cannot drop, and the presences that the leave takes away
 * @returns no fixes for a pilot who fits; null when these changes are not enough, as for a seat in another mission
 */
export function findRemedy(
  pilot: EligibilityFacts,
  mission: SeatingMission,
  aircraftId: number,
  nowMs: number,
): Remedy | null {
  if (!pilot.active || firstOverlap(pilot.commitments, mission)) return null;
  const listed = { ...pilot, levels: new Map(pilot.levels).set(aircraftId, pilot.levels.get(aircraftId) ?? 'basic') };
  const needsListing =
    pilot.levels.size > 0 && !pilot.levels.has(aircraftId) && gapsIn(pilot, mission, aircraftId).length > 0;
  const missing = gapsIn(needsListing ? listed : pilot, mission, aircraftId);
  // a window of a whole day would begin and end at the same time of day
  if (missing.some(({ startMs, endMs }) => endMs - startMs >= DAY_MS)) return null;
  const needed: Record<SeatFix, boolean> = {
    addAvailability: missing.length > 0,
    addAircraft: needsListing,
    endLeave: isOnLeave(pilot, mission),
    endDoNotDisturb: pilot.state === 'dnd' && isDisturbed(pilot, mission, nowMs),
  };
  return { fixes: SEAT_FIXES.filter((fix) => needed[fix]), missing };
}

/** True if Do Not Disturb keeps the pilot out of this mission, whatever else does. */
function isDisturbed(pilot: EligibilityFacts, mission: SeatingMission, nowMs: number): boolean {
  const presence = { ...mission, aircraftId: null, source: 'override', notes: null } as const;
  const free = { ...pilot, presences: [presence], leave: null };
  return assessPilot(free, mission, nowMs).reason === 'DO_NOT_DISTURB';
}

function gapsIn(pilot: EligibilityFacts, { startMs, endMs }: SeatingMission, aircraftId: number): Interval[] {
  const mission = { startMs, endMs };
  return subtractIntervals(
    [mission],
    presentIn(pilot, aircraftId).flatMap((present) => clip(present, mission) ?? []),
  );
}
