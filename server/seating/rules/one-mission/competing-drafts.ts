/** Missions that want the same pilots at the same time. */
import { assessPilot, type SeatingPilot } from '#server/seating/rules/eligibility.ts';
import { type Interval, overlaps } from '#server/time/intervals.ts';

/** A mission by when it flies and what. */
export type Wanting = Interval & { readonly aircraftIds: readonly number[] };

/**
 * The missions whose times hang together with those of one: they overlap it, or overlap one that does, and so on.
 * @returns some of `others`, in their order
 */
export function connectedByTime<Mission extends Interval>(one: Interval, others: readonly Mission[]): Mission[] {
  const reached: Interval[] = [one];
  const found = new Set<Mission>();
  for (let next = reached.pop(); next !== undefined; next = reached.pop()) {
    for (const other of others) {
      if (found.has(other) || !overlaps(next, other)) continue;
      found.add(other);
      reached.push(other);
    }
  }
  return others.filter((other) => found.has(other));
}

/** The pilots who could take at least one seat of the mission as things stand; by id. */
export function listEligible(mission: Wanting, pilots: readonly SeatingPilot[], nowMs: number): Set<string> {
  const seated = { id: '', ...mission };
  return new Set(
    pilots.flatMap((pilot) => {
      const { reason, fitFor } = assessPilot(pilot, seated, nowMs);
      return reason === null && mission.aircraftIds.some((id) => fitFor(id) !== null) ? [pilot.id] : [];
    }),
  );
}

/**
 * How many pilots each rival shares with the mission. Who shares none is no rival, nor is one that hangs together with
 * the mission only through such.
 * @param drafts any order
 * @returns in the order of the drafts
 */
export function countShared<Draft extends Wanting>(
  mission: Wanting,
  drafts: readonly Draft[],
  pilots: readonly SeatingPilot[],
  nowMs: number,
): { draft: Draft; sharedPilots: number }[] {
  const own = listEligible(mission, pilots, nowMs);
  const free = pilots.filter(({ id }) => own.has(id));
  const shared = drafts.map((draft) => ({ ...draft, draft, sharedPilots: listEligible(draft, free, nowMs).size }));
  return connectedByTime(
    mission,
    shared.filter(({ sharedPilots }) => sharedPilots > 0),
  ).map(({ draft, sharedPilots }) => ({ draft, sharedPilots }));
}
