/** Competing missions: those that want the same pilots at the same time. */
import { type EligibilityFacts, isEligible } from '#server/orders/seating/rules/eligibility.ts';
import { type Interval, overlaps } from '#server/time/intervals.ts';

/** A mission's times and aircraft. */
export type Wanting = Interval & { readonly aircraftIds: readonly number[] };

/**
 * The missions that are connected with one by time: they overlap it, or overlap one that does, and so on.
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

/** Ids of the pilots who could currently take at least one seat in the mission. */
export function listEligible(mission: Wanting, pilots: readonly EligibilityFacts[], nowMs: number): Set<string> {
  const seated = { id: '', ...mission };
  return new Set(pilots.filter((pilot) => isEligible(pilot, seated, mission.aircraftIds, nowMs)).map(({ id }) => id));
}

/**
 * The number of pilots that each competing draft shares with the mission. A draft that shares none does not compete, nor
 * does one that is connected with the mission only through such drafts.
 * @param drafts any order
 * @returns in the order of the drafts
 */
export function countShared<Draft extends Wanting>(
  mission: Wanting,
  drafts: readonly Draft[],
  pilots: readonly EligibilityFacts[],
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
