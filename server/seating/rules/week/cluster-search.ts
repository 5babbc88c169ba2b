/**
 * How many seats of missions that overlap in a chain can be filled: A and B overlap, B and C do, and one pilot may fly
 * A and C. That is hard in general, so it is searched: branch and bound over how many pilots of a group are kept for
 * one mission. Two bounds cut the search: prices on seats (each group flies what pays best, no matter who else does),
 * and a flow in which a pilot's turns do not know of each other. Pilots who fit the same seats are one group.
 */
import { mixHash } from '#server/time/hash.ts';
import { type Interval, overlaps } from '#server/time/intervals.ts';

/** Missions as bits of a number. */
type Mask = number;

export type SearchProblem = {
  /** at most 31 */
  readonly missions: readonly Interval[];
  /** seats of one aircraft in one mission */
  readonly types: readonly { readonly mission: number; readonly seats: number }[];
  readonly groups: readonly { readonly types: readonly number[]; readonly pilots: number }[];
};

/** So many pilots of a group fly these missions. */
export type Hand = { readonly group: number; readonly missions: Mask; readonly pilots: number };

type Part = { readonly group: number; readonly allowed: Mask; readonly pilots: number };
type Flow = { readonly filled: number; readonly used: Int32Array };

const PRICE_STEPS_AT_ROOT = 300;
const PRICE_STEPS = 40;
/** Prices below this apart are the same; it also covers what rounding can add up to. */
const EPSILON = 1e-6;

export type SearchResult = {
  /** the fullest way that was found; `known` when that is none the worse */
  readonly hands: readonly Hand[];
  /** no way fills more seats than this */
  readonly bound: number;
};

export type SearchLimits = {
  /** rounds of climbing that lead nowhere before the branches are searched */
  readonly idleRounds: number;
  /** branches that are looked at before the search is cut short */
  readonly nodes: number;
};

/** Look for a way to fill more seats than a known one does. @param known a way that is possible */
export function searchMore(problem: SearchProblem, known: readonly Hand[], limits: SearchLimits): SearchResult {
  const week = createWeek(problem);
  const best = { hands: known, filled: countFilled(known) };
  let nodes = 0;
  const take = (hands: readonly Hand[]): void => {
    const filled = countFilled(hands);
    if (filled >= best.filled) Object.assign(best, { hands, filled });
  };

  const whole = problem.groups.map(({ types, pilots }, group): Part => {
    const allowed = types.reduce((mask, type) => mask | (1 << (problem.types[type]?.mission ?? 0)), 0);
    return { group, allowed, pilots };
  });
  const prices = new Float64Array(problem.types.length).fill(0.5);
  const flow = week.flow(whole);
  const bound = Math.min(flow.filled, week.priceBound(whole, prices, best.filled, PRICE_STEPS_AT_ROOT));
  let idle = 0;
  for (let round = 0; idle < limits.idleRounds; round++) {
    if (best.filled >= bound) return { hands: best.hands, bound };
    const before = best.filled;
    take(week.climb(whole, best.hands, round));
    idle = best.filled > before ? 0 : idle + 1;
  }

  /** @returns whether all that could be better was looked at */
  const explore = (parts: readonly Part[], inherited: Float64Array): boolean => {
    if (best.filled >= bound) return true;
    if (nodes === limits.nodes) return false;
    nodes += 1;
    const found = week.flow(parts);
    if (found.filled <= best.filled) return true;
    take(week.handsOf(parts, found));
    if (found.filled <= best.filled) return true;
    const own = inherited.slice();
    if (week.priceBound(parts, own, best.filled, PRICE_STEPS) <= best.filled) return true;
    const split = week.split(parts, found);
    if (!split) return true;
    const first = explore(split[0], own);
    return explore(split[1], own) && first;
  };
  const isComplete = explore(whole, prices);
  return { hands: best.hands, bound: isComplete ? best.filled : bound };
}

export function countFilled(hands: readonly Hand[]): number {
  return hands.reduce((sum, { missions, pilots }) => sum + pilots * bitCount(missions), 0);
}

function createWeek({ missions, types, groups }: SearchProblem) {
  /** missions by end, the order in which chains of them are put together */
  const byEnd = missions.map((_, index) => index).toSorted((a, b) => endOf(a) - endOf(b) || a - b);
  const byStart = missions
    .map((_, index) => index)
    .toSorted((a, b) => (missions[a]?.startMs ?? 0) - (missions[b]?.startMs ?? 0) || a - b);
  /** per mission: itself and those that overlap it */
  const clashes = missions.map((one, index) =>
    missions.reduce((mask, other, at) => (at === index || overlaps(one, other) ? mask | (1 << at) : mask), 0),
  );
  /** all missions that run at the start of one */
  const moments = missions.map(({ startMs }, index) =>
    missions.reduce(
      (mask, other, at) =>
        at === index || (other.startMs <= startMs && startMs < other.endMs) ? mask | (1 << at) : mask,
      0,
    ),
  );
  /** per place in `byEnd`: how many of those before end by its start */
  const before = byEnd.map((index, place) => {
    let count = place;
    while (count > 0 && endOf(byEnd[count - 1] ?? 0) > (missions[index]?.startMs ?? 0)) count -= 1;
    return count;
  });
  const missionOf = types.map(({ mission }) => mission);
  const typesIn = groups.map((group) =>
    missions.map((_, index) => group.types.filter((type) => missionOf[type] === index)),
  );

  function endOf(index: number): number {
    return missions[index]?.endMs ?? 0;
  }

  /** The allowed missions as turns: as few cliques as there can be, so many missions one pilot flies at most. */
  function turnsOf(allowed: Mask): Mask[] {
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

  /** Whether the missions fall apart into cliques: then turns of one pilot need not know of each other. */
  function isPlain(mask: Mask): boolean {
    for (let index = 0; index < missions.length; index++) {
      if ((mask & (1 << index)) === 0) continue;
      const near = mask & (clashes[index] ?? 0);
      for (let other = 0; other < index; other++) {
        if ((near & (1 << other)) !== 0 && (mask & (clashes[other] ?? 0)) !== near) return false;
      }
    }
    return true;
  }

  /**
   * One step up from a way that is possible: each pilot keeps what is flown, gets other missions beside as long as the
   * turns stay independent (which ones is left to chance), and all of that is dealt anew as one flow.
   */
  function climb(whole: readonly Part[], hands: readonly Hand[], round: number): Hand[] {
    const idle = whole.map(({ pilots }) => pilots);
    for (const { group, pilots } of hands) idle[group] = (idle[group] ?? 0) - pilots;
    const all = [...hands, ...idle.map((pilots, group) => ({ group, missions: 0, pilots }))];
    const parts = all.flatMap(({ group, missions: flown, pilots }, place): { part: Part; luck: number }[] => {
      if (pilots === 0) return [];
      let allowed = flown;
      const luckOf = (index: number) => mixHash(Math.imul(round * 64 + index + 1, 0x9e3779b1) ^ mixHash(place));
      for (const { index } of missions
        .map((_, at) => ({ index: at, luck: luckOf(at) }))
        .toSorted((a, b) => a.luck - b.luck)) {
        const more = allowed | ((whole[group]?.allowed ?? 0) & (1 << index));
        if (more !== allowed && isPlain(more)) allowed = more;
      }
      return [{ part: { group, allowed, pilots }, luck: luckOf(missions.length) }];
    });
    const mixed = parts.toSorted((a, b) => a.luck - b.luck).map(({ part }) => part);
    return handsOf(mixed, flow(mixed));
  }

  /** As many turns as can be seated, when turns of one pilot do not know of each other. */
  function flow(parts: readonly Part[]): Flow {
    const columns = parts.flatMap(({ group, allowed, pilots }, part) =>
      turnsOf(allowed).map((turn) => ({
        part,
        left: pilots,
        types: (typesIn[group] ?? []).flatMap((inMission, index) => ((turn & (1 << index)) === 0 ? [] : inMission)),
      })),
    );
    const free = Int32Array.from(types, ({ seats }) => seats);
    /** columns that hold seats of each type, and how many */
    const held = types.map(() => new Map<number, number>());
    const used = new Int32Array(parts.length * types.length);
    const isDead = new Uint8Array(types.length);
    let filled = 0;
    const put = (column: number, type: number, amount: number): void => {
      const now = (held[type]?.get(column) ?? 0) + amount;
      if (now === 0) held[type]?.delete(column);
      else held[type]?.set(column, now);
      const cell = (columns[column]?.part ?? 0) * types.length + type;
      used[cell] = (used[cell] ?? 0) + amount;
    };
    let tried = new Uint8Array(types.length);
    /** Make room on one of the types by moving turns along; @returns the type that has room then */
    const makeRoom = (fitting: readonly number[]): number | null => {
      for (const type of fitting) {
        if (tried[type] === 0 && isDead[type] === 0 && (free[type] ?? 0) > 0) return type;
      }
      for (const type of fitting) {
        if (tried[type] === 1 || isDead[type] === 1) continue;
        tried[type] = 1;
        for (const column of held[type]?.keys() ?? []) {
          const other = makeRoom(columns[column]?.types ?? []);
          if (other === null) continue;
          put(column, type, -1);
          put(column, other, 1);
          free[other] = (free[other] ?? 0) - 1;
          free[type] = (free[type] ?? 0) + 1;
          return type;
        }
      }
      return null;
    };
    columns.forEach((column, index) => {
      while (column.left > 0) {
        tried = new Uint8Array(types.length);
        const type = makeRoom(column.types);
        if (type === null) {
          // what was tried leads nowhere, and never will again
          tried.forEach((was, at) => {
            if (was === 1) isDead[at] = 1;
          });
          break;
        }
        put(index, type, 1);
        free[type] = (free[type] ?? 0) - 1;
        column.left -= 1;
        filled += 1;
      }
    });
    return { filled, used };
  }

  function flownBy(part: number, { used }: Flow): Int32Array {
    const flown = new Int32Array(missions.length);
    for (let type = 0; type < types.length; type++) {
      const mission = missionOf[type] ?? 0;
      flown[mission] = (flown[mission] ?? 0) + (used[part * types.length + type] ?? 0);
    }
    return flown;
  }

  /** Give the pilots of each part what the flow gave it, less what more of them than there are would have to fly. */
  function handsOf(parts: readonly Part[], found: Flow): Hand[] {
    return parts.flatMap(({ group, pilots }, part): Hand[] => {
      const flown = flownBy(part, found);
      const hands = new Map<Mask, number>([[0, pilots]]);
      // by start: those who are in the way are just those who fly at that moment
      for (const index of byStart) {
        let left = flown[index] ?? 0;
        for (const [mask, count] of hands) {
          if (left === 0) break;
          if ((mask & (clashes[index] ?? 0)) !== 0) continue;
          const moved = Math.min(left, count);
          left -= moved;
          if (moved === count) hands.delete(mask);
          else hands.set(mask, count - moved);
          const more = mask | (1 << index);
          hands.set(more, (hands.get(more) ?? 0) + moved);
        }
      }
      hands.delete(0);
      return [...hands].map(([mask, count]) => ({ group, missions: mask, pilots: count }));
    });
  }

  /**
   * A bound by prices: every seat costs its price, every pilot flies the chain that pays best. Whatever the prices, no
   * seating fills more than they add up to; those that everybody asks for get dearer step by step.
   */
  function priceBound(parts: readonly Part[], prices: Float64Array, best: number, steps: number): number {
    const asked = new Float64Array(types.length);
    const gain = new Float64Array(missions.length);
    const cheapest = new Int32Array(missions.length);
    const pays = new Float64Array(missions.length + 1);
    let bound = Infinity;
    let stride = 1;
    let since = 0;
    for (let step = 0; step < steps; step++) {
      let total = 0;
      asked.fill(0);
      for (let type = 0; type < types.length; type++) total += (types[type]?.seats ?? 0) * (prices[type] ?? 0);
      for (const { group, allowed, pilots } of parts) {
        for (let place = 0; place < byEnd.length; place++) {
          const index = byEnd[place] ?? 0;
          gain[place] = 0;
          if ((allowed & (1 << index)) !== 0) {
            let low = 1;
            for (const type of typesIn[group]?.[index] ?? []) {
              if ((prices[type] ?? 0) < low) {
                low = prices[type] ?? 0;
                cheapest[place] = type;
              }
            }
            gain[place] = 1 - low;
          }
          pays[place + 1] = Math.max(pays[place] ?? 0, (gain[place] ?? 0) + (pays[before[place] ?? 0] ?? 0));
        }
        total += pilots * (pays[byEnd.length] ?? 0);
        for (let place = byEnd.length; place > 0;) {
          if (pays[place] === pays[place - 1]) {
            place -= 1;
          } else {
            const type = cheapest[place - 1] ?? 0;
            asked[type] = (asked[type] ?? 0) + pilots;
            place = before[place - 1] ?? 0;
          }
        }
      }
      if (total < bound - EPSILON) {
        bound = total;
        since = 0;
        if (bound < best + 1 - EPSILON) break;
      } else if (++since >= 10) {
        stride /= 2;
        since = 0;
      }
      let norm = 0;
      for (let type = 0; type < types.length; type++) {
        const slope = (types[type]?.seats ?? 0) - (asked[type] ?? 0);
        const price = prices[type] ?? 0;
        if ((slope > 0 && price > 0) || (slope < 0 && price < 1)) norm += slope * slope;
      }
      if (norm === 0) break;
      const move = (stride * (total - best)) / norm;
      for (let type = 0; type < types.length; type++) {
        const slope = (types[type]?.seats ?? 0) - (asked[type] ?? 0);
        prices[type] = Math.min(1, Math.max(0, (prices[type] ?? 0) - move * slope));
      }
    }
    return Math.floor(bound + EPSILON);
  }

  /** Two ways on from a flow in which more pilots of a part fly at one moment than there are; null: there is none. */
  function split(parts: readonly Part[], found: Flow): [Part[], Part[]] | null {
    let worst = { part: -1, moment: 0, over: 0 };
    parts.forEach(({ pilots }, part) => {
      const flown = flownBy(part, found);
      for (const moment of moments) {
        let over = -pilots;
        for (let index = 0; index < missions.length; index++)
          if ((moment & (1 << index)) !== 0) over += flown[index] ?? 0;
        if (over > worst.over) worst = { part, moment, over };
      }
    });
    const one = parts[worst.part];
    if (!one) return null;
    const flown = flownBy(worst.part, found);
    // the mission of that moment which keeps its pilots from most others
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
      // at least so many are kept for the mission
      [
        ...rest,
        ...withPart((one.allowed & ~(clashes[chosen] ?? 0)) | (1 << chosen), count),
        ...withPart(one.allowed, one.pilots - count),
      ],
      // or fewer are
      [...rest, ...withPart(one.allowed & ~(1 << chosen), one.pilots - count + 1), ...withPart(one.allowed, count - 1)],
    ];
  }

  return { flow, climb, handsOf, priceBound, split };
}

function bitCount(mask: Mask): number {
  let count = 0;
  for (let left = mask; left !== 0; left &= left - 1) count += 1;
  return count;
}
