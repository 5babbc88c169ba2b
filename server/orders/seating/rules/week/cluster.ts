/** The overlaps of the missions of a search, as bit masks, with the order in which pilots can fly them. */
import { type Interval, overlaps } from '#server/time/intervals.ts';

/** Missions as bits of a number. */
export type Mask = number;

export type SearchProblem = {
  /** at most 31 */
  readonly missions: readonly Interval[];
  /** seats of one aircraft in one mission */
  readonly types: readonly { readonly mission: number; readonly seats: number }[];
  readonly groups: readonly { readonly types: readonly number[]; readonly pilots: number }[];
};

/** A search problem with data derived from its times. Missions, types and groups are indices into the problem's lists. */
export type Cluster = SearchProblem & {
  /** missions by end, the order in which chains are built */
  readonly byEnd: readonly number[];
  readonly byStart: readonly number[];
  /** per mission: itself and those that overlap it */
  readonly clashes: readonly Mask[];
  /** all missions that run at the start of one */
  readonly moments: readonly Mask[];
  /** per position in `byEnd`: how many of the missions before it end by its start */
  readonly before: readonly number[];
  /** per group and mission: the types that the group's pilots fly */
  readonly typesIn: readonly (readonly (readonly number[])[])[];
};

export function readCluster(problem: SearchProblem): Cluster {
  const { missions, types, groups } = problem;
  const startOf = (index: number): number => missions[index]?.startMs ?? 0;
  const endOf = (index: number): number => missions[index]?.endMs ?? 0;
  const byEnd = missions.map((_, index) => index).toSorted((a, b) => endOf(a) - endOf(b) || a - b);
  return {
    ...problem,
    byEnd,
    byStart: missions.map((_, index) => index).toSorted((a, b) => startOf(a) - startOf(b) || a - b),
    clashes: missions.map((one, index) =>
      missions.reduce((mask, other, at) => (at === index || overlaps(one, other) ? mask | (1 << at) : mask), 0),
    ),
    moments: missions.map(({ startMs }, index) =>
      missions.reduce(
        (mask, other, at) =>
          at === index || (other.startMs <= startMs && startMs < other.endMs) ? mask | (1 << at) : mask,
        0,
      ),
    ),
    before: byEnd.map((index, place) => {
      let count = place;
      while (count > 0 && endOf(byEnd[count - 1] ?? 0) > startOf(index)) count -= 1;
      return count;
    }),
    typesIn: groups.map((group) =>
      missions.map((_, index) => group.types.filter((type) => types[type]?.mission === index)),
    ),
  };
}

/** The allowed missions as turns: the minimum number of cliques, which is the maximum number of missions per pilot. */
export function turnsOf({ byEnd, clashes }: Cluster, allowed: Mask): Mask[] {
  const turns: Mask[] = [];
  let left = allowed;
  for (const index of byEnd) {
    if ((left & (1 << index)) === 0) continue;
    const turn = left & (clashes[index] ?? 0);
    turns.push(turn);
    left &= ~turn;
  }
  return turns;
}

/** True if the missions fall into cliques, so that a pilot's turns are independent of each other. */
export function isPlain({ missions, clashes }: Cluster, mask: Mask): boolean {
  for (let index = 0; index < missions.length; index++) {
    if ((mask & (1 << index)) === 0) continue;
    const near = mask & (clashes[index] ?? 0);
    for (let other = 0; other < index; other++) {
      if ((near & (1 << other)) !== 0 && (mask & (clashes[other] ?? 0)) !== near) return false;
    }
  }
  return true;
}

/** Number of missions in a mask. */
export function bitCount(mask: Mask): number {
  let count = 0;
  for (let left = mask; left !== 0; left &= left - 1) count += 1;
  return count;
}
