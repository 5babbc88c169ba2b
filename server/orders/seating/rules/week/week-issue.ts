/** The seating of several missions for issuing their orders, together or one after the other. */
import type { Interval } from '#server/time/intervals.ts';
import { keyByPlace, seatForIssue } from '#server/orders/seating/rules/one-mission/stable-seating.ts';
import type { Seating, SeatingPilot, SeatingSeat } from '#server/orders/seating/rules/one-mission/seating.ts';
import { seatWeek } from './week-seating.ts';

/** A mission whose seats are all free. */
export type FreeMission = Interval & {
  readonly id: string;
  /** in board order */
  readonly seats: readonly SeatingSeat[];
};

export type WeekProblem = {
  /** distinct ids, any order */
  readonly missions: readonly FreeMission[];
  readonly nowMs: number;
  readonly pilots: readonly SeatingPilot[];
};

/** By mission id. */
type SeatingOf = Map<string, Seating>;

export type WeekAnswer = {
  readonly together: SeatingOf;
  /** no seating fills more seats; false if the search was cut short */
  readonly isBest: boolean;
  /** seats that fill in each mission if they are issued one after the other; empty if not requested */
  readonly filledAlone: Map<string, number>;
};

/**
 * Seat the missions together, and on request count the seats that fill one by one. If a search was cut short and fills
 * fewer seats than seating one by one, the one-by-one seating is the answer.
 */
export function solveWeek(problem: WeekProblem, { withOneByOne }: { readonly withOneByOne: boolean }): WeekAnswer {
  const { seatingOf, isBest } = seatTogether(problem);
  const oneByOne: SeatingOf = withOneByOne || !isBest ? seatOneByOne(problem) : new Map();
  return {
    together: countSeated(oneByOne) > countSeated(seatingOf) ? oneByOne : seatingOf,
    isBest,
    filledAlone: new Map(withOneByOne ? [...oneByOne].map(([id, { seated }]) => [id, seated.length]) : []),
  };
}

function countSeated(seatingOf: SeatingOf): number {
  return [...seatingOf.values()].reduce((sum, { seated }) => sum + seated.length, 0);
}

/** The order in which missions are issued: by start, and two at the same time by their ids. */
export function byStart(a: FreeMission, b: FreeMission): number {
  return a.startMs - b.startMs || a.endMs - b.endMs || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

/**
 * Seat the missions together, like `seatWeek`. Ties are broken by the plans of the missions, as for a single one; ids only
 * tell two equal missions apart.
 */
export function seatTogether({ missions, nowMs, pilots }: WeekProblem): { seatingOf: SeatingOf; isBest: boolean } {
  const ordered = missions.toSorted(byStart);
  const alike = new Map<string, number>();
  const keyed = ordered.map(({ seats, startMs, endMs }) => {
    const one = keyByPlace(seats, { startMs, endMs });
    const before = alike.get(one.mission.id) ?? 0;
    alike.set(one.mission.id, before + 1);
    return before === 0 ? one : { ...one, mission: { ...one.mission, id: `${one.mission.id} #${before}` } };
  });
  const { seatings, isBest } = seatWeek({ missions: keyed, nowMs, pilots });
  const seatingOf: SeatingOf = new Map();
  ordered.forEach(({ id }, index) => {
    const seating = seatings[index];
    const one = keyed[index];
    if (seating && one) seatingOf.set(id, one.withIds(seating));
  });
  return { seatingOf, isBest };
}

/**
 * Seat the missions one after the other, each with `seatForIssue`: seats in earlier ones are commitments for later ones.
 */
function seatOneByOne({ missions, nowMs, pilots }: WeekProblem): SeatingOf {
  const taken = new Map<string, Interval[]>();
  const seatingOf: SeatingOf = new Map();
  for (const { id, seats, startMs, endMs } of missions.toSorted(byStart)) {
    const times = { startMs, endMs };
    const free = pilots.map((pilot) => {
      const own = taken.get(pilot.id);
      return own ? { ...pilot, commitments: [...pilot.commitments, ...own] } : pilot;
    });
    const seating = seatForIssue({ seats, times, nowMs, pilots: free });
    for (const { pilotId } of seating.seated) taken.set(pilotId, [...(taken.get(pilotId) ?? []), times]);
    seatingOf.set(id, seating);
  }
  return seatingOf;
}
