/**
 * Dealing pilots to missions that are seated together. Seats of one mission that no priority tells apart (one
 * aircraft, lead or not) are one type; a pilot goes to one type of the missions at hand.
 */
import type { LexCosts } from './assignment.ts';
import { type Assessment, isLeadSeat, isSupportSeat, type SeatingMission, type SeatingSeat } from './eligibility.ts';
import { hashText } from './hash.ts';
import { debtSteps, levelOf, PROFICIENT, RELIABILITY_STEPS, unreliabilitySteps } from './seating-costs.ts';
import { solveTransport } from './transport.ts';

/** Seats of one mission that are worth the same to everybody. */
export type SeatType = {
  readonly aircraftId: number;
  /** the level of who leads counts */
  readonly ranked: boolean;
  readonly seats: number;
  /** any of them */
  readonly sample: SeatingSeat;
};

export type DealtMission = {
  readonly mission: SeatingMission;
  readonly types: readonly SeatType[];
  /** unblocked pilots who fit one of the types, by their place among all pilots */
  readonly candidates: ReadonlyMap<number, Assessment>;
};

/** One turn of a pilot: a seat in one of these missions (places among all missions), at most. */
export type Turn = {
  readonly pilot: number;
  readonly missions: readonly number[];
  /** what each of them costs before all priorities but the number of seats; whole numbers */
  readonly burdens?: readonly number[];
};

/** The types of seats of a mission, in a fixed order. @param seats in a fixed order */
export function typesOf(seats: readonly SeatingSeat[]): SeatType[] {
  const types = new Map<string, SeatType>();
  for (const seat of seats) {
    const ranked = isLeadSeat(seat) && !isSupportSeat(seat);
    const key = `${seat.aircraftId} ${ranked}`;
    const known = types.get(key);
    types.set(key, {
      aircraftId: seat.aircraftId,
      ranked,
      seats: (known?.seats ?? 0) + 1,
      sample: known?.sample ?? seat,
    });
  }
  return [...types.values()];
}

/**
 * Deal turns to the seats so that most are filled, and among all ways to do that by the priorities (1b) to (6) of
 * `seatMission`, summed over the missions; what is left of (7) is a hash of mission and pilot.
 * @returns the mission of each turn, -1 for none; exact
 */
export function deal(missions: readonly DealtMission[], turns: readonly Turn[]): Int32Array {
  const firstType = new Map<number, number>();
  const used = [...new Set(turns.flatMap((turn) => turn.missions))].toSorted((a, b) => a - b);
  const missionOf: number[] = [];
  const capacity: number[] = [];
  for (const index of used) {
    firstType.set(index, capacity.length);
    for (const { seats } of missions[index]?.types ?? []) {
      missionOf.push(index);
      capacity.push(seats);
    }
  }
  const rows = capacity.reduce((sum, seats) => sum + seats, 0);
  const count = rows + 1;

  const debts = new Map<number, number>();
  let highest = -Infinity;
  let lowest = Infinity;
  const assessmentOf = ({ pilot, missions: [first] }: Turn) => missions[first ?? -1]?.candidates.get(pilot);
  for (const turn of turns) {
    const assessment = assessmentOf(turn);
    if (!assessment) continue;
    const debt = debtSteps(assessment.pilot);
    debts.set(turn.pilot, debt);
    highest = Math.max(highest, debt);
    lowest = Math.min(lowest, debt);
  }
  const debtScale = rows * Math.max(0, highest - lowest) + 1;
  const reliabilityScale = rows * RELIABILITY_STEPS + 1;

  const columnStart = new Int32Array(turns.length + 1);
  const typeOf: number[] = [];
  const words: [number[], number[], number[]] = [[], [], []];
  turns.forEach((turn, column) => {
    const pilot = assessmentOf(turn)?.pilot;
    const dueLess = highest - (debts.get(turn.pilot) ?? 0);
    const word0 = (pilot?.goesFirst ? 0 : count * debtScale) + dueLess;
    turn.missions.forEach((index, choice) => {
      const dealt = missions[index];
      const assessment = dealt?.candidates.get(turn.pilot);
      if (!dealt || !assessment) return;
      const hash = hashText(`${dealt.mission.id} ${assessment.pilot.id}`);
      dealt.types.forEach(({ aircraftId, ranked, sample }, place) => {
        const fit = assessment.fitFor(aircraftId);
        if (fit === null) return;
        const level = ranked ? levelOf(assessment.pilot, sample) : -1;
        typeOf.push((firstType.get(index) ?? 0) + place);
        words[0].push(turn.burdens?.[choice] ?? word0 - (level >= PROFICIENT ? debtScale : 0));
        words[1].push(
          ((fit === 'exact' ? 0 : 1) - (level + 1) * count) * reliabilityScale + unreliabilitySteps(assessment.pilot),
        );
        words[2].push(hash);
      });
    });
    columnStart[column + 1] = typeOf.length;
  });
  const cost: LexCosts = [Float64Array.from(words[0]), Float64Array.from(words[1]), Float64Array.from(words[2])];
  const typeOfColumn = solveTransport({
    capacity: Int32Array.from(capacity),
    columns: turns.length,
    columnStart,
    typeOf: Int32Array.from(typeOf),
    cost,
  });
  return typeOfColumn.map((type) => missionOf[type] ?? -1);
}
