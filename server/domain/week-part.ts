/** Which pilots fly which of several missions that overlap each other, directly or in a chain. */
import { overlaps } from './intervals.ts';
import { deal, type DealtMission } from './week-deal.ts';
import { type Hand, searchMore, type SearchProblem } from './week-search.ts';

export type DealtPart = {
  /** per pilot who flies (by place): places of missions, never two that overlap */
  readonly missionsOf: ReadonlyMap<number, readonly number[]>;
  /** no way of dealing them fills more seats */
  readonly isBest: boolean;
};

/** Branches of one search; a search of this length takes well under a second. */
const NODE_LIMIT = 400;
/** Rounds over all moments, each of which makes the deal better by the priorities or is the last. */
const ROUNDS_MAX = 8;

/**
 * Deal pilots to the missions of a part, so that most seats are filled. Where all overlap each other the deal is the
 * best by all priorities; in a chain, it is one that no other deal of the missions of any one moment makes better.
 */
export function dealPart(missions: readonly DealtMission[]): DealtPart {
  const overlap = missions.map((a) => missions.map((b) => a === b || overlaps(a.mission, b.mission)));
  const all = missions.map((_, index) => index);
  const pilots = [...new Set(missions.flatMap(({ candidates }) => [...candidates.keys()]))].toSorted((a, b) => a - b);
  const seatsIn = missions.map(({ types }) => types.reduce((sum, { seats }) => sum + seats, 0));
  const seats = seatsIn.reduce((sum, count) => sum + count, 0);
  let missionsOf = new Map<number, readonly number[]>();

  const clash = (index: number, others: readonly number[]) => others.some((other) => overlap[index]?.[other]);
  const countFilled = () => [...missionsOf.values()].reduce((sum, flown) => sum + flown.length, 0);

  /** Deal the missions of one moment anew; who flies others keeps those. */
  const dealMoment = (moment: readonly number[], isHopeful: boolean): void => {
    const openElsewhere = isHopeful ? openOutside(moment) : [];
    const turns = pilots.flatMap((pilot) => {
      const kept = (missionsOf.get(pilot) ?? []).filter((index) => !moment.includes(index));
      const allowed = moment.filter((index) => missions[index]?.candidates.has(pilot) && !clash(index, kept));
      if (allowed.length === 0) return [];
      const hopes = openElsewhere.filter((index) => missions[index]?.candidates.has(pilot) && !clash(index, kept));
      const burdens = allowed.map((index) => -countChain(hopes.filter((hope) => !overlap[index]?.[hope])));
      return [{ pilot, missions: allowed, kept, ...(isHopeful && { burdens }) }];
    });
    const given = deal(missions, turns);
    turns.forEach(({ pilot, kept }, turn) => {
      const mission = given[turn] ?? -1;
      missionsOf.set(pilot, mission < 0 ? kept : [...kept, mission]);
    });
  };
  const openOutside = (moment: readonly number[]): number[] => {
    const flown = missions.map(() => 0);
    for (const one of missionsOf.values()) for (const index of one) flown[index] = (flown[index] ?? 0) + 1;
    return all.filter((index) => !moment.includes(index) && (flown[index] ?? 0) < (seatsIn[index] ?? 0));
  };
  /** How many of them one pilot could fly. */
  const countChain = (some: readonly number[]): number => {
    let count = 0;
    let until = -Infinity;
    for (const one of some
      .map((index) => missions[index]?.mission)
      .toSorted((a, b) => (a?.endMs ?? 0) - (b?.endMs ?? 0))) {
      if (!one || one.startMs < until) continue;
      count += 1;
      until = one.endMs;
    }
    return count;
  };

  if (overlap.every((row) => row.every(Boolean))) {
    dealMoment(all, false);
    return { missionsOf, isBest: true };
  }
  const moments = momentsOf(missions);
  for (let round = 0, before = -1; round < ROUNDS_MAX && countFilled() > before && countFilled() < seats; round++) {
    before = countFilled();
    for (const moment of moments) dealMoment(moment, true);
  }
  let bound = seats;
  if (countFilled() < seats) {
    const { problem, groupOf } = toSearch(missions, pilots);
    const found = searchMore(problem, toHands(missionsOf, groupOf), NODE_LIMIT);
    bound = found.bound;
    missionsOf = fromHands(found.hands, groupOf);
  }
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const before = [...missionsOf].map(([pilot, flown]) => `${pilot}:${flown.toSorted().join()}`).join(';');
    for (const moment of moments) dealMoment(moment, false);
    const after = [...missionsOf].map(([pilot, flown]) => `${pilot}:${flown.toSorted().join()}`).join(';');
    if (before === after) break;
  }
  return { missionsOf, isBest: countFilled() >= bound };
}

/** The missions that run at the start of one of them; those that are part of another such list are left out. */
function momentsOf(missions: readonly DealtMission[]): number[][] {
  const lists = missions.map(({ mission }) =>
    missions.flatMap((other, index) =>
      other.mission.startMs <= mission.startMs && mission.startMs < other.mission.endMs ? [index] : [],
    ),
  );
  return lists.filter(
    (list, at) =>
      !lists.some(
        (other, place) =>
          place !== at && list.every((index) => other.includes(index)) && (other.length > list.length || place < at),
      ),
  );
}

function toSearch(missions: readonly DealtMission[], pilots: readonly number[]) {
  const types: { mission: number; aircraftId: number; seats: number }[] = [];
  missions.forEach((one, mission) => {
    for (const { aircraftId, seats } of one.types) {
      const known = types.find((type) => type.mission === mission && type.aircraftId === aircraftId);
      if (known) known.seats += seats;
      else types.push({ mission, aircraftId, seats });
    }
  });
  const groups = new Map<string, { index: number; types: number[]; pilots: number }>();
  const groupOf = new Map<number, number>();
  for (const pilot of pilots) {
    const fitting = types.flatMap(({ mission, aircraftId }, type) =>
      missions[mission]?.candidates.get(pilot)?.fitFor(aircraftId) ? [type] : [],
    );
    const key = fitting.join();
    const group = groups.get(key) ?? { index: groups.size, types: fitting, pilots: 0 };
    groups.set(key, { ...group, pilots: group.pilots + 1 });
    groupOf.set(pilot, group.index);
  }
  const problem: SearchProblem = {
    missions: missions.map(({ mission }) => mission),
    types,
    groups: [...groups.values()],
  };
  return { problem, groupOf };
}

function toHands(missionsOf: ReadonlyMap<number, readonly number[]>, groupOf: ReadonlyMap<number, number>): Hand[] {
  const hands = new Map<string, Hand>();
  for (const [pilot, flown] of missionsOf) {
    const group = groupOf.get(pilot);
    if (group === undefined || flown.length === 0) continue;
    const mask = flown.reduce((sum, index) => sum | (1 << index), 0);
    const key = `${group} ${mask}`;
    hands.set(key, { group, missions: mask, pilots: (hands.get(key)?.pilots ?? 0) + 1 });
  }
  return [...hands.values()];
}

function fromHands(hands: readonly Hand[], groupOf: ReadonlyMap<number, number>): Map<number, readonly number[]> {
  const missionsOf = new Map<number, readonly number[]>();
  const waiting = new Map<number, number[]>();
  for (const [pilot, group] of groupOf) waiting.set(group, [...(waiting.get(group) ?? []), pilot]);
  const next = new Map<number, number>();
  for (const { group, missions, pilots } of hands) {
    const flown = Array.from({ length: 31 }, (_, index) => index).filter((index) => (missions & (1 << index)) !== 0);
    const first = next.get(group) ?? 0;
    next.set(group, first + pilots);
    for (const pilot of waiting.get(group)?.slice(first, first + pilots) ?? []) missionsOf.set(pilot, flown);
  }
  return missionsOf;
}
