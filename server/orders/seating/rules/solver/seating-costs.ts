/**
 * Seating costs: the priorities of seating as whole numbers. The criteria share three words. Within a word each criterion
 * is scaled by more than the later ones can add up to over all seats, and words are never added to each other, so no
 * amount of a later criterion outweighs an earlier one.
 *
 * word 0: seats filled > pilots who go first > pilots who list the aircraft > those on lead seats
 * word 1: leads held by proficient pilots > fairness
 * word 2: level on lead seats > exact aircraft over any > reliability
 * then: a tie-breaker, which is a hash of mission, pilot and seat
 */
import { PROFICIENCY_LEVELS } from '#shared/vocabulary.ts';
import {
  type Assessment,
  type Fit,
  isLeadSeat,
  isSupportSeat,
  type SeatingMission,
  type SeatingPilot,
  type SeatingSeat,
} from '#server/orders/seating/rules/eligibility.ts';
import { hashAfter, hashText, mixHash } from '#server/time/hash.ts';
import type { Kind, KindProblem } from './kind-assignment.ts';

/** Steps of a debt: debts that differ by less than one are equal. */
const DEBT_STEPS_PER_SEAT = 100_000;
/** Far more than debts of 90 days can add up to; the limit keeps the sums exact. */
const DEBT_MAX = 100;
export const RELIABILITY_STEPS = 1000;

const LEVEL_MAX = PROFICIENCY_LEVELS.length - 1;
export const PROFICIENT = PROFICIENCY_LEVELS.indexOf('proficient');
/** An empty lead seat costs more than any level. */
const EMPTY_LEAD = LEVEL_MAX + 1;

/** Seats as rows, pilots as columns; `pilots` are those that fit at least one seat. */
export type SeatingProblem = { readonly problem: KindProblem; readonly pilots: readonly Assessment[] };

type Scales = { readonly count: number; readonly debt: number; readonly reliability: number };

/**
 * Express the seating of a mission as an assignment problem. Seats of one kind have the same aircraft, and the level of
 * their pilot counts for all of them or for none; they differ only in the tie-breaker.
 * @param seats rows, in a fixed order
 * @param assessed eligible pilots, in a fixed order
 */
export function buildSeatingProblem(
  seats: readonly SeatingSeat[],
  assessed: readonly Assessment[],
  mission: SeatingMission,
): SeatingProblem {
  const rows = seats.length;
  const aircraft = [...new Set(seats.map(({ aircraftId }) => aircraftId))];
  const candidates = assessed.flatMap((assessment) => {
    const fits = aircraft.map(assessment.fitFor);
    return fits.some((fit) => fit !== null) ? [{ assessment, fits }] : [];
  });
  const pilots = candidates.map(({ assessment }) => assessment);
  const debts = Float64Array.from(pilots, ({ pilot }) => debtSteps(pilot.debt));
  const highest = debts.reduce((max, debt) => Math.max(max, debt), -Infinity);
  const lowest = debts.reduce((min, debt) => Math.min(min, debt), Infinity);
  const scales: Scales = {
    count: rows + 1,
    debt: rows * Math.max(0, highest - lowest) + 1,
    reliability: rows * RELIABILITY_STEPS + 1,
  };

  const kindOf = (seat: SeatingSeat): Kind => {
    const isLed = isRanked(seat);
    const word0 = new Float64Array(pilots.length).fill(Infinity);
    const word1 = new Float64Array(pilots.length);
    const word2 = new Float64Array(pilots.length);
    const order = new Float64Array(pilots.length).fill(Infinity);
    const which = aircraft.indexOf(seat.aircraftId);
    candidates.forEach(({ assessment: { pilot }, fits }, column) => {
      const fit = fits[which] ?? null;
      if (fit === null) return;
      const level = isLed ? levelOf(pilot, seat) : LEVEL_MAX;
      const lead = level < PROFICIENT ? 1 : 0;
      word0[column] = packListing(pilot.goesFirst ? 0 : 1, fit, isLed, scales.count);
      word1[column] = lead * scales.debt + highest - (debts[column] ?? 0);
      word2[column] = packFit(LEVEL_MAX - level, fit, scales) + unreliabilitySteps(pilot);
      // word 1 is less than twice this scale; the rest makes room for rounding
      order[column] = (word0[column] ?? 0) * 4 * scales.debt + (word1[column] ?? 0);
    });
    // an empty lead seat is no better than one whose pilot has not listed the aircraft or is not proficient
    const exit0 = emptyCost(scales.count) + packListing(1, 'unlisted', isLed, scales.count);
    const exit2 = isLed ? EMPTY_LEAD * scales.count * scales.reliability : 0;
    return { word0, word1, word2, order, exit: [exit0, isLed ? scales.debt : 0, exit2] };
  };
  const kinds: Kind[] = [];
  const numbers = new Map<string, number>();
  const kindOfSeat = Int32Array.from(seats, (seat) => {
    const key = `${seat.aircraftId} ${isRanked(seat)}`;
    const number = numbers.get(key) ?? kinds.push(kindOf(seat)) - 1;
    numbers.set(key, number);
    return number;
  });

  const hashPilot = hashAfter(`${mission.id} `);
  const pilotHashes = Int32Array.from(pilots, ({ pilot }) => hashPilot(pilot.id));
  const seatHashes = Int32Array.from(seats, ({ flightId, seatIndex }) =>
    Math.imul(hashText(`${flightId} ${seatIndex}`), 0x9e3779b1),
  );
  const tieBreakerOf = (row: number, column: number) =>
    mixHash(((pilotHashes[column] ?? 0) + (seatHashes[row] ?? 0)) | 0);
  return { problem: { columns: pilots.length, kinds, kindOf: kindOfSeat, tieBreakerOf }, pilots };
}

/** True if the level of the seat's pilot counts. */
function isRanked(seat: SeatingSeat): boolean {
  return isLeadSeat(seat) && !isSupportSeat(seat);
}

/** The later counts of word 0. @param count more than the number of seats */
export function packListing(notFirst: number, fit: Fit, isLed: boolean, count: number): number {
  if (fit !== 'unlisted') return notFirst * count * count;
  return (notFirst * count + 1) * count + (isLed ? 1 : 0);
}

/** The cost in word 0 of an empty seat: more than `packListing` can add up to. @param count more than the number of seats */
export function emptyCost(count: number): number {
  return count ** 3;
}

/** @param below levels below the highest */
function packFit(below: number, fit: Fit, { count, reliability }: Scales): number {
  return (below * count + (fit === 'exact' ? 0 : 1)) * reliability;
}

export function unreliabilitySteps({ reliability }: SeatingPilot): number {
  return Math.round((1 - Math.min(1, Math.max(0, reliability))) * RELIABILITY_STEPS);
}

export function levelOf(pilot: SeatingPilot, seat: SeatingSeat): number {
  return PROFICIENCY_LEVELS.indexOf(pilot.levels.get(seat.aircraftId) ?? 'basic');
}

export function debtSteps(debt: number): number {
  return Math.round(Math.min(DEBT_MAX, Math.max(-DEBT_MAX, debt)) * DEBT_STEPS_PER_SEAT);
}
