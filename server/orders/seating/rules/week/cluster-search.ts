/**
 * Maximizes the filled seats of missions that overlap in a chain: A and B overlap, B and C do, and one pilot may fly A
 * and C. This is hard in general, hence a search: branch and bound over the number of a group's pilots that are kept for
 * one mission. Two bounds cut it short: prices on seats (each group flies what pays best, whatever the others do), and a
 * flow that treats a pilot's turns as independent. Pilots who fit the same seats are one group.
 */
import { mixHash } from '#server/time/hash.ts';
import { bitCount, type Cluster, isPlain, type Mask, readCluster, type SearchProblem } from './cluster.ts';
import { priceBound } from './price-bound.ts';
import { type Flow, flowTurns, flownBy, type Allocation, allocatePilots, type Part } from './turn-flow.ts';

const PRICE_STEPS_AT_ROOT = 300;
const PRICE_STEPS = 40;

export type SearchResult = {
  /** the allocations that fill the most seats; on a tie, those found last */
  readonly allocations: readonly Allocation[];
  /** no allocation fills more seats than this */
  readonly bound: number;
};

export type SearchLimits = {
  /** rounds of climbing without an improvement before the branches are searched */
  readonly idleRounds: number;
  /** branches that are explored before the search is cut short */
  readonly nodes: number;
};

/** Look for allocations that fill more seats than the known ones. @param known feasible allocations */
export function searchMore(problem: SearchProblem, known: readonly Allocation[], limits: SearchLimits): SearchResult {
  const cluster = readCluster(problem);
  const best = { allocations: known, filled: countFilled(known) };
  let nodes = 0;
  const take = (allocations: readonly Allocation[]): void => {
    const filled = countFilled(allocations);
    if (filled >= best.filled) Object.assign(best, { allocations, filled });
  };

  const whole = problem.groups.map(({ types, pilots }, group): Part => {
    const allowed = types.reduce((mask, type) => mask | (1 << (problem.types[type]?.mission ?? 0)), 0);
    return { group, allowed, pilots };
  });
  const prices = new Float64Array(problem.types.length).fill(0.5);
  const flow = flowTurns(cluster, whole);
  const bound = Math.min(flow.filled, priceBound(cluster, whole, prices, best.filled, PRICE_STEPS_AT_ROOT));
  let idle = 0;
  for (let round = 0; idle < limits.idleRounds; round++) {
    if (best.filled >= bound) return { allocations: best.allocations, bound };
    const before = best.filled;
    take(climb(cluster, whole, best.allocations, round));
    idle = best.filled > before ? 0 : idle + 1;
  }

  /** @returns true if everything that could be better has been explored */
  const explore = (parts: readonly Part[], inherited: Float64Array): boolean => {
    if (best.filled >= bound) return true;
    if (nodes === limits.nodes) return false;
    nodes += 1;
    const found = flowTurns(cluster, parts);
    if (found.filled <= best.filled) return true;
    take(allocatePilots(cluster, parts, found));
    if (found.filled <= best.filled) return true;
    const own = inherited.slice();
    if (priceBound(cluster, parts, own, best.filled, PRICE_STEPS) <= best.filled) return true;
    const branches = split(cluster, parts, found);
    if (!branches) return true;
    const first = explore(branches[0], own);
    return explore(branches[1], own) && first;
  };
  const isComplete = explore(whole, prices);
  return { allocations: best.allocations, bound: isComplete ? best.filled : bound };
}

export function countFilled(allocations: readonly Allocation[]): number {
  return allocations.reduce((sum, { missions, pilots }) => sum + pilots * bitCount(missions), 0);
}

/**
 * One step of climbing from feasible allocations: the pilots keep their missions, may also fly others as long as their
 * turns stay independent (the choice is pseudo-random), and one flow then assigns all of them again.
 */
function climb(
  cluster: Cluster,
  whole: readonly Part[],
  allocations: readonly Allocation[],
  round: number,
): Allocation[] {
  const { missions } = cluster;
  const idle = whole.map(({ pilots }) => pilots);
  for (const { group, pilots } of allocations) idle[group] = (idle[group] ?? 0) - pilots;
  const all = [...allocations, ...idle.map((pilots, group) => ({ group, missions: 0, pilots }))];
  const parts = all.flatMap(({ group, missions: flown, pilots }, place): { part: Part; luck: number }[] => {
    if (pilots === 0) return [];
    let allowed = flown;
    const luckOf = (index: number) => mixHash(Math.imul(round * 64 + index + 1, 0x9e3779b1) ^ mixHash(place));
    for (const { index } of missions
      .map((_, at) => ({ index: at, luck: luckOf(at) }))
      .toSorted((a, b) => a.luck - b.luck)) {
      const more = allowed | ((whole[group]?.allowed ?? 0) & (1 << index));
      if (more !== allowed && isPlain(cluster, more)) allowed = more;
    }
    return [{ part: { group, allowed, pilots }, luck: luckOf(missions.length) }];
  });
  const mixed = parts.toSorted((a, b) => a.luck - b.luck).map(({ part }) => part);
  return allocatePilots(cluster, mixed, flowTurns(cluster, mixed));
}

/** Two branches for a flow that uses more pilots of a part at one moment than there are; null if it uses no such part. */
function split(cluster: Cluster, parts: readonly Part[], found: Flow): [Part[], Part[]] | null {
  const { missions, clashes, moments } = cluster;
  let worst = { part: -1, moment: 0, over: 0 };
  parts.forEach(({ pilots }, part) => {
    const flown = flownBy(cluster, part, found);
    for (const moment of moments) {
      let over = -pilots;
      for (let index = 0; index < missions.length; index++)
        if ((moment & (1 << index)) !== 0) over += flown[index] ?? 0;
      if (over > worst.over) worst = { part, moment, over };
    }
  });
  const one = parts[worst.part];
  if (!one) return null;
  const flown = flownBy(cluster, worst.part, found);
  // the mission of that moment that overlaps the most other missions its pilots could fly
  let chosen = -1;
  let most = -1;
  for (let index = 0; index < missions.length; index++) {
    if ((worst.moment & (1 << index)) === 0 || (flown[index] ?? 0) === 0) continue;
    const kept = bitCount(one.allowed & (clashes[index] ?? 0));
    if (kept > most) [chosen, most] = [index, kept];
  }
  const count = Math.min(flown[chosen] ?? 0, one.pilots);
  const rest = parts.filter((_, part) => part !== worst.part);
  const withPart = (allowed: Mask, pilots: number): Part[] =>
    pilots > 0 ? [{ group: one.group, allowed, pilots }] : [];
  return [
    // at least `count` pilots are kept for the mission
    [
      ...rest,
      ...withPart((one.allowed & ~(clashes[chosen] ?? 0)) | (1 << chosen), count),
      ...withPart(one.allowed, one.pilots - count),
    ],
    // or fewer
    [...rest, ...withPart(one.allowed & ~(1 << chosen), one.pilots - count + 1), ...withPart(one.allowed, count - 1)],
  ];
}
