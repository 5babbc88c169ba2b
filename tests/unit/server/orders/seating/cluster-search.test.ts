import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SearchProblem } from '#server/orders/seating/rules/week/cluster.ts';
import { countFilled, searchMore } from '#server/orders/seating/rules/week/cluster-search.ts';
import type { Allocation } from '#server/orders/seating/rules/week/turn-flow.ts';

const anyMission = fc
  .tuple(fc.integer({ min: 0, max: 8 }), fc.integer({ min: 1, max: 4 }))
  .map(([startMs, length]) => ({ startMs, endMs: startMs + length }));
/** Few seats and many pilots who fit several of them, so that their choices conflict. */
const anyProblem: fc.Arbitrary<SearchProblem> = fc.array(anyMission, { minLength: 3, maxLength: 5 }).chain((missions) =>
  fc
    .array(fc.record({ mission: fc.nat({ max: missions.length - 1 }), seats: fc.integer({ min: 1, max: 3 }) }), {
      minLength: 3,
      maxLength: 6,
    })
    .chain((types) =>
      fc.record({
        missions: fc.constant(missions),
        types: fc.constant(types),
        groups: fc.array(
          fc.record({
            types: fc.subarray(
              types.map((_, index) => index),
              { minLength: 1 },
            ),
            pilots: fc.integer({ min: 1, max: 3 }),
          }),
          { minLength: 1, maxLength: 4 },
        ),
      }),
    ),
);

const isTogether = (a: { startMs: number; endMs: number }, b: typeof a) => a.startMs < b.endMs && b.startMs < a.endMs;

/** Every set of types that one pilot could fly without an overlap. */
function compatibleSets({ missions, types }: SearchProblem, fitting: readonly number[]): number[][] {
  const sets: number[][] = [[]];
  for (const type of fitting) {
    const own = missions[types[type]?.mission ?? -1];
    for (const set of sets.slice()) {
      const isFree = set.every((other) => {
        const there = missions[types[other]?.mission ?? -1];
        return own && there && own !== there && !isTogether(own, there);
      });
      if (isFree) sets.push([...set, type]);
    }
  }
  return sets;
}

/** The oracle: the most seats, pilot by pilot, for every possible remainder of seats. */
function mostSeats(problem: SearchProblem): number {
  let best = new Map([[problem.types.map(({ seats }) => seats).join(), 0]]);
  for (const { types, pilots } of problem.groups) {
    const sets = compatibleSets(problem, types);
    for (let pilot = 0; pilot < pilots; pilot++) {
      const next = new Map<string, number>();
      for (const [key, filled] of best) {
        const left = key.split(',').map(Number);
        for (const set of sets) {
          if (set.some((type) => (left[type] ?? 0) === 0)) continue;
          const after = left.map((seats, type) => (set.includes(type) ? seats - 1 : seats)).join();
          next.set(after, Math.max(next.get(after) ?? 0, filled + set.length));
        }
      }
      best = next;
    }
  }
  return Math.max(...best.values());
}

/** True if the pilots of each group can really fly these allocations, tried pilot by pilot and seat by seat. */
function isPossible(problem: SearchProblem, allocations: readonly Allocation[]): boolean {
  const pilots = allocations.flatMap(({ group, missions, pilots: many }) =>
    Array.from({ length: many }, () => ({
      fitting: problem.groups[group]?.types ?? [],
      missions: problem.missions.map((_, index) => index).filter((index) => (missions & (1 << index)) !== 0),
    })),
  );
  const byGroup = problem.groups.map((_, group) =>
    allocations
      .filter((allocation) => allocation.group === group)
      .reduce((sum, allocation) => sum + allocation.pilots, 0),
  );
  if (byGroup.some((many, group) => many > (problem.groups[group]?.pilots ?? 0))) return false;
  const clash = pilots.some(({ missions }) =>
    missions.some((a, at) =>
      missions.slice(0, at).some((b) => {
        const [one, other] = [problem.missions[a], problem.missions[b]];
        return one && other && isTogether(one, other);
      }),
    ),
  );
  if (clash) return false;
  return problem.missions.every((_, mission) => {
    const free = problem.types.map(({ seats }) => seats);
    const crew = pilots.filter(({ missions }) => missions.includes(mission));
    const seatFrom = (index: number): boolean => {
      const one = crew[index];
      if (!one) return true;
      return one.fitting.some((type) => {
        if (problem.types[type]?.mission !== mission || (free[type] ?? 0) === 0) return false;
        free[type] = (free[type] ?? 0) - 1;
        const isDone = seatFrom(index + 1);
        free[type] = (free[type] ?? 0) + 1;
        return isDone;
      });
    };
    return seatFrom(0);
  });
}

test('fills as many seats as exhaustive search, from an empty start', () => {
  fc.assert(
    fc.property(anyProblem, (problem) => {
      const { allocations, bound } = searchMore(problem, [], { idleRounds: 20, nodes: 100_000 });
      expect(isPossible(problem, allocations)).toBe(true);
      expect(countFilled(allocations)).toBe(mostSeats(problem));
      expect(bound).toBe(countFilled(allocations));
    }),
    { numRuns: 600 },
  );
});

test('finds the optimum by branching alone', () => {
  fc.assert(
    fc.property(anyProblem, (problem) => {
      const { allocations, bound } = searchMore(problem, [], { idleRounds: 0, nodes: 100_000 });
      expect(isPossible(problem, allocations)).toBe(true);
      expect(countFilled(allocations)).toBe(mostSeats(problem));
      expect(bound).toBe(countFilled(allocations));
    }),
    { numRuns: 600 },
  );
});

test('gives a valid upper bound when it is cut short', () => {
  let open = 0;
  fc.assert(
    fc.property(anyProblem, (problem) => {
      const { allocations, bound } = searchMore(problem, [], { idleRounds: 0, nodes: 1 });
      expect(isPossible(problem, allocations)).toBe(true);
      expect(bound).toBeGreaterThanOrEqual(mostSeats(problem));
      if (bound > countFilled(allocations)) open += 1;
    }),
    { numRuns: 500 },
  );
  expect(open).toBeGreaterThan(0);
});
