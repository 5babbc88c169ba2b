/** Who flies which seat of several missions, seated together: nobody flies two at once. */
import { type Assessment, assessPilot, compareSeats, compareText } from './eligibility.ts';
import { missionChanges } from './fairness.ts';
import { overlaps } from './intervals.ts';
import {
  seatAssessed,
  type Seating,
  type SeatingMission,
  type SeatingPilot,
  type SeatingSeat,
  type UnseatedPilot,
} from './seating.ts';
import { type DealtMission, typesOf } from './week-deal.ts';
import { dealPart } from './week-part.ts';

export type WeekMission = { readonly mission: SeatingMission; readonly seats: readonly SeatingSeat[] };

export type WeekSeating = {
  /** as `seatMission` answers, per mission in the order given */
  readonly seatings: Seating[];
  /** seats filled in all missions */
  readonly filled: number;
  /** no way of seating them fills more; false when the search was cut short */
  readonly isBest: boolean;
};

/**
 * Seat several missions together, so that as many seats as possible are filled in all and no pilot flies two at once;
 * a mission of its own is seated as `seatMission` does. Missions that share no pilots at the same time do not touch
 * each other; they are seated by start, and what one costs or owes a pilot (the fairness ledger) counts in the next.
 * Missions that all overlap each other get the best by all priorities of `seatMission` but the last, summed up; of
 * missions that overlap in a chain only the number of filled seats is the best for sure.
 * @param missions distinct, in any order
 * @param nowMs decides whether "do not disturb" counts yet
 * @param pilots distinct ids, in any order; nobody who already holds a seat of one of the missions
 */
export function seatWeek({
  missions,
  nowMs,
  pilots,
}: {
  readonly missions: readonly WeekMission[];
  readonly nowMs: number;
  readonly pilots: readonly SeatingPilot[];
}): WeekSeating {
  const order = missions.map((_, index) => index).toSorted((a, b) => compareMissions(missions[a], missions[b]));
  const planned = order.flatMap((index) => missions[index] ?? []);
  const crowd = pilots.toSorted((a, b) => compareText(a.id, b.id));
  const assessed = planned.map(({ mission, seats }) => assess(crowd, mission, seats, nowMs));
  /** what this week has changed in what each pilot is owed */
  const ledger = new Map<string, number>();
  const seatings: Seating[] = [];
  let isBest = true;
  for (const part of findParts(planned, assessed)) {
    const indebted = part.map((index) => withLedger(assessed[index] ?? [], ledger));
    const missionsOfPart = part.map((index, place): DealtMission => {
      const { mission, seats } = planned[index] ?? { mission: { id: '', startMs: 0, endMs: 0 }, seats: [] };
      return {
        mission,
        types: typesOf(seats.toSorted(compareSeats)),
        candidates: candidatesOf(indebted[place] ?? [], seats),
      };
    });
    const dealt = part.length === 1 ? null : dealPart(missionsOfPart);
    isBest &&= dealt?.isBest ?? true;
    part.forEach((index, place) => {
      const one = planned[index];
      const all = indebted[place];
      if (!one || !all) return;
      seatings[index] = dealt
        ? seatDealt(one, all, missionsOfPart, dealt.missionsOf, place)
        : seatAssessed(one.seats, one.mission, all);
    });
    for (const index of part) record(ledger, seatings[index]);
  }
  const answers: Seating[] = [];
  order.forEach((index, place) => {
    const seating = seatings[place];
    if (seating) answers[index] = seating;
  });
  return { seatings: answers, filled: answers.reduce((sum, { seated }) => sum + seated.length, 0), isBest };
}

function compareMissions(a: WeekMission | undefined, b: WeekMission | undefined): number {
  if (!a || !b) return 0;
  return (
    a.mission.startMs - b.mission.startMs ||
    a.mission.endMs - b.mission.endMs ||
    compareText(a.mission.id, b.mission.id)
  );
}

function assess(
  crowd: readonly SeatingPilot[],
  mission: SeatingMission,
  _seats: readonly SeatingSeat[],
  nowMs: number,
): Assessment[] {
  return crowd.map((pilot) => assessPilot(pilot, mission, nowMs));
}

function fitsOne({ blocked, fitFor }: Assessment, seats: readonly SeatingSeat[]): boolean {
  return blocked === null && seats.some(({ aircraftId }) => fitFor(aircraftId) !== null);
}

function candidatesOf(assessed: readonly Assessment[], seats: readonly SeatingSeat[]): Map<number, Assessment> {
  return new Map(assessed.flatMap((one, index): [number, Assessment][] => (fitsOne(one, seats) ? [[index, one]] : [])));
}

function withLedger(assessed: readonly Assessment[], ledger: ReadonlyMap<string, number>): readonly Assessment[] {
  if (ledger.size === 0) return assessed;
  return assessed.map((one) => {
    const change = ledger.get(one.pilot.id);
    return change === undefined ? one : { ...one, pilot: { ...one.pilot, debt: one.pilot.debt + change } };
  });
}

function record(ledger: Map<string, number>, seating: Seating | undefined): void {
  if (!seating) return;
  const seated = new Set(seating.seated.map(({ pilotId }) => pilotId));
  const outranked = seating.unseated.filter(({ reason }) => reason === 'OUTRANKED').map(({ pilotId }) => pilotId);
  for (const { pilotId, change } of missionChanges([...seated, ...outranked], seated)) {
    ledger.set(pilotId, (ledger.get(pilotId) ?? 0) + change);
  }
}

/** Missions that touch each other, directly or by others between: they overlap and share a pilot. By start. */
function findParts(planned: readonly WeekMission[], assessed: readonly (readonly Assessment[])[]): number[][] {
  const partOf = planned.map((_, index) => index);
  planned.forEach((one, a) => {
    for (let b = 0; b < a; b++) {
      const other = planned[b];
      if (!other || partOf[a] === partOf[b] || !overlaps(one.mission, other.mission)) continue;
      const others = assessed[b] ?? [];
      const isShared = assessed[a]?.some((assessment, pilot) => {
        const there = others[pilot];
        return there !== undefined && fitsOne(assessment, one.seats) && fitsOne(there, other.seats);
      });
      if (!isShared) continue;
      const [from, to] = [partOf[a] ?? a, partOf[b] ?? b];
      partOf.forEach((part, index) => {
        if (part === from) partOf[index] = to;
      });
    }
  });
  const parts = new Map<number, number[]>();
  partOf.forEach((part, index) => parts.set(part, [...(parts.get(part) ?? []), index]));
  return [...parts.values()];
}

/** Give the seats of one mission to the pilots dealt to it; the others get the reason why not. */
function seatDealt(
  { mission, seats }: WeekMission,
  assessed: readonly Assessment[],
  missions: readonly DealtMission[],
  missionsOf: ReadonlyMap<number, readonly number[]>,
  place: number,
): Seating {
  const crew = assessed.filter((_, pilot) => missionsOf.get(pilot)?.includes(place));
  const { seated, open } = seatAssessed(seats, mission, crew);
  const unseated = assessed.flatMap(({ pilot, blocked, fitFor }, index): UnseatedPilot[] => {
    const flown = missionsOf.get(index) ?? [];
    if (flown.includes(place)) return [];
    const flies = flown.some((other) => {
      const elsewhere = missions[other]?.mission;
      return elsewhere !== undefined && overlaps(elsewhere, mission);
    });
    const fits = seats.length === 0 || seats.some(({ aircraftId }) => fitFor(aircraftId) !== null);
    const reason =
      blocked === 'NOT_AVAILABLE' ? blocked : flies ? 'COMMITTED' : (blocked ?? (fits ? 'OUTRANKED' : 'AIRCRAFT'));
    return [{ pilotId: pilot.id, reason }];
  });
  return { seated, open, unseated };
}
