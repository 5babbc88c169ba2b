/** Assigns pilots to missions that overlap each other, directly or in a chain. */
import { overlaps } from '#server/time/intervals.ts';
import { assignMoment, type OverlapCluster } from './assign-moment.ts';
import { bitCount, type Mask, type SearchProblem } from './cluster.ts';
import { searchMore } from './cluster-search.ts';
import type { Allocation } from './turn-flow.ts';
import { FIT } from './week-matrix.ts';

export type ClusterAssignment = {
  /** missions of each pilot of the cluster, never two that overlap */
  readonly flown: Int32Array;
  /** no other assignment fills more seats */
  readonly isBest: boolean;
};

/**
 * Limits of a search: one that is cut short takes about two seconds. The work of a branch grows with the number of groups
 * of pilots.
 */
const SEARCH = { idleRounds: 60, groupBranches: 24_000, branchesMax: 2000 } as const;
/** Maximum rounds over all moments: those that fill more seats, and those that only improve the assignment. */
const ROUNDS_MAX = { fill: 8, better: 2 } as const;

/**
 * Assign pilots to the missions of a cluster so that the most seats are filled. If all missions overlap each other, the
 * assignment is the best by all priorities; in a chain, assigning the missions of any one moment again cannot improve it.
 */
export function assignCluster(cluster: OverlapCluster): ClusterAssignment {
  const { missions, fitting } = cluster;
  const many = fitting.length;
  const clashes = missions.map((one, index) =>
    missions.reduce(
      (mask, other, at) => (at === index || overlaps(one.mission, other.mission) ? mask | (1 << at) : mask),
      0,
    ),
  );
  const whole = 2 ** missions.length - 1;
  const seatsIn = missions.map(({ seats }) => seats.length);
  const seats = seatsIn.reduce((sum, count) => sum + count, 0);
  let flown: Int32Array = new Int32Array(many);

  if (clashes.every((mask) => mask === whole)) {
    const given = assignMoment(cluster, fitting, null);
    return { flown: given.map((mission) => (mission < 0 ? 0 : 1 << mission)), isBest: true };
  }

  /** missions that overlap at least one of a mask, by that mask */
  const overlapMasks = new Map<Mask, Mask>();
  const overlapping = (mask: Mask): Mask => {
    let found = overlapMasks.get(mask);
    if (found === undefined) {
      found = clashes.reduce((sum, clash, index) => ((mask & (1 << index)) === 0 ? sum : sum | clash), 0);
      overlapMasks.set(mask, found);
    }
    return found;
  };
  /** the last assignment of each moment without the look-ahead bonus, used again while its pilots are allowed the same */
  const lastAssigned = new Map<Mask, { readonly allowed: Int32Array; readonly given: Int32Array }>();
  const assignPlain = (moment: Mask, allowed: Int32Array): Int32Array => {
    const last = lastAssigned.get(moment);
    if (last?.allowed.every((mask, pilot) => mask === allowed[pilot])) return last.given;
    const given = assignMoment(cluster, allowed, null);
    lastAssigned.set(moment, { allowed, given });
    return given;
  };
  /** Assign the missions of one moment again; pilots keep their other missions. */
  const reassign = (moment: Mask, looksAhead: boolean): void => {
    const open = looksAhead ? openMissions(flown, seatsIn) & ~moment : 0;
    const kept = flown.map((mask) => mask & ~moment);
    const allowed = fitting.map((mask, pilot) => mask & moment & ~overlapping(kept[pilot] ?? 0));
    const chains = new Map<Mask, number>();
    const lookAheadBonusOf = (pilot: number, mission: number): number => {
      const could = open & (fitting[pilot] ?? 0) & ~overlapping((kept[pilot] ?? 0) | (1 << mission));
      let length = chains.get(could);
      if (length === undefined) {
        length = longestChain(could, cluster);
        chains.set(could, length);
      }
      return length;
    };
    const given = looksAhead ? assignMoment(cluster, allowed, lookAheadBonusOf) : assignPlain(moment, allowed);
    flown = kept.map((mask, pilot) => ((given[pilot] ?? -1) < 0 ? mask : mask | (1 << (given[pilot] ?? 0))));
  };
  const filled = () => flown.reduce((sum, mask) => sum + bitCount(mask), 0);

  const moments = momentsOf(cluster);
  for (const moment of moments) reassign(moment, false);
  for (let round = 0, before = -1; round < ROUNDS_MAX.fill && before < filled() && filled() < seats; round++) {
    before = filled();
    if (round === 0) flown = new Int32Array(many);
    for (const moment of moments) reassign(moment, true);
  }
  let bound = seats;
  if (filled() < seats) {
    const { problem, groupOf } = toSearch(cluster);
    const nodes = Math.min(SEARCH.branchesMax, Math.ceil(SEARCH.groupBranches / problem.groups.length));
    const found = searchMore(problem, toAllocations(flown, groupOf), { idleRounds: SEARCH.idleRounds, nodes });
    bound = found.bound;
    flown = fromAllocations(found.allocations, groupOf);
  }
  for (let round = 0; round < ROUNDS_MAX.better; round++) {
    const before = flown;
    for (const moment of moments) reassign(moment, false);
    if (flown.every((mask, pilot) => mask === before[pilot])) break;
  }
  return { flown, isBest: filled() >= bound };
}

/** The missions that run at the start of each one; a set that is part of another one is left out. */
function momentsOf({ missions }: OverlapCluster): Mask[] {
  const masks = missions.map(({ mission: { startMs } }, index) =>
    missions.reduce(
      (mask, { mission }, at) =>
        at === index || (mission.startMs <= startMs && startMs < mission.endMs) ? mask | (1 << at) : mask,
      0,
    ),
  );
  const distinct = [...new Set(masks)];
  return distinct.filter((mask) => !distinct.some((other) => other !== mask && (mask & other) === mask));
}

function openMissions(flown: Int32Array, seatsIn: readonly number[]): Mask {
  return seatsIn.reduce((open, seats, index) => {
    const crew = flown.reduce((sum, mask) => sum + ((mask >> index) & 1), 0);
    return crew < seats ? open | (1 << index) : open;
  }, 0);
}

/** The maximum number of the missions that one pilot could fly. */
function longestChain(mask: Mask, { missions }: OverlapCluster): number {
  let length = 0;
  let until = -Infinity;
  const chosen = missions.filter((_, index) => (mask & (1 << index)) !== 0).map(({ mission }) => mission);
  for (const { startMs, endMs } of chosen.toSorted((a, b) => a.endMs - b.endMs)) {
    if (startMs < until) continue;
    length += 1;
    until = endMs;
  }
  return length;
}

/** The cluster as a search problem: pilots who fit the same seats are one group. */
function toSearch({ missions, fitting, rowOf }: OverlapCluster) {
  const types = missions.flatMap((matrix, mission) =>
    matrix.aircraftIds.map((aircraftId) => ({
      mission,
      seats: matrix.seats.filter((seat) => seat.aircraftId === aircraftId).length,
    })),
  );
  const groups = new Map<string, { index: number; types: number[]; pilots: number }>();
  const groupOf = fitting.map((_mask, pilot) => {
    let first = 0;
    const suitable = missions.flatMap(({ aircraftIds, fits }, mission) => {
      const row = rowOf[mission * fitting.length + pilot] ?? -1;
      const start = first;
      first += aircraftIds.length;
      if (row < 0) return [];
      return aircraftIds.flatMap((_id, aircraft) =>
        fits[row * aircraftIds.length + aircraft] === FIT.none ? [] : [start + aircraft],
      );
    });
    const key = suitable.join();
    const group = groups.get(key) ?? { index: groups.size, types: suitable, pilots: 0 };
    group.pilots += 1;
    groups.set(key, group);
    return group.index;
  });
  const problem: SearchProblem = {
    missions: missions.map(({ mission }) => mission),
    types,
    groups: [...groups.values()],
  };
  return { problem, groupOf };
}

function toAllocations(flown: Int32Array, groupOf: Int32Array): Allocation[] {
  const allocations = new Map<string, Allocation>();
  flown.forEach((missions, pilot) => {
    if (missions === 0) return;
    const group = groupOf[pilot] ?? 0;
    const key = `${group} ${missions}`;
    allocations.set(key, { group, missions, pilots: (allocations.get(key)?.pilots ?? 0) + 1 });
  });
  return [...allocations.values()];
}

function fromAllocations(allocations: readonly Allocation[], groupOf: Int32Array): Int32Array {
  const waiting = new Map<number, number[]>();
  groupOf.forEach((group, pilot) => {
    const pilots = waiting.get(group);
    if (pilots) pilots.push(pilot);
    else waiting.set(group, [pilot]);
  });
  const flown = new Int32Array(groupOf.length);
  for (const { group, missions, pilots } of allocations) {
    for (const pilot of waiting.get(group)?.splice(0, pilots) ?? []) flown[pilot] = missions;
  }
  return flown;
}
