/**
 * The priorities of seating as whole numbers. Seven criteria share three words; within a word each criterion is
 * scaled by more than the next ones can sum up to over all seats, and words never add up across each other, so no
 * criterion can ever buy back an earlier one.
 *
 * word 0: seats filled > pilots who go first > leads held by proficient pilots > fairness
 * word 1: level on lead seats > exact aircraft over any > reliability
 * word 2: a hash of mission, pilot and seat
 */
import { PROFICIENCY_LEVELS } from '#shared/vocabulary.ts';
import type { AssignmentProblem } from './assignment.ts';
import {
  type Assessment,
  type Fit,
  isLeadSeat,
  isSupportSeat,
  type SeatingMission,
  type SeatingPilot,
  type SeatingSeat,
} from './eligibility.ts';
import { hashText, mixHash } from './hash.ts';

/** Debts closer than this are equal. */
const DEBT_STEPS_PER_SEAT = 100_000;
/** Far beyond what 90 days of ledger can add up to; it keeps the sums exact. */
const DEBT_MAX = 100;
export const RELIABILITY_STEPS = 1000;

const LEVEL_MAX = PROFICIENCY_LEVELS.length - 1;
export const PROFICIENT = PROFICIENCY_LEVELS.indexOf('proficient');
/** Leaving a lead seat empty fits worse than any level. */
const EMPTY_LEAD = LEVEL_MAX + 1;

const HASH_VALUES = 2 ** 32;

/** Pilots and seats as rows and columns; `pilots` are those that fit at least one seat. */
export type SeatingProblem = { readonly problem: AssignmentProblem; readonly pilots: readonly Assessment[] };

type Scales = { readonly count: number; readonly debt: number; readonly reliability: number };

/** A pilot who fits a kind of seat, with the two words that every seat of the kind shares. */
type Candidate = { readonly column: number; readonly word0: number; readonly word1: number; readonly hash: number };

/**
 * Put the seating of a mission as an assignment problem.
 * Seats of one kind (aircraft, lead, support) differ in the hash only; of each kind just the cheapest candidates are
 * kept, as many as there are seats: among them one is always free, so nobody dearer can be needed.
 * @param seats rows, in a fixed order
 * @param assessed unblocked pilots, in a fixed order
 */
export function buildSeatingProblem(
  seats: readonly SeatingSeat[],
  assessed: readonly Assessment[],
  mission: SeatingMission,
): SeatingProblem {
  const rows = seats.length;
  const pilots = assessed.filter(({ fitFor }) => seats.some(({ aircraftId }) => fitFor(aircraftId) !== null));
  const debts = pilots.map(({ pilot }) => debtSteps(pilot.debt));
  const highest = debts.reduce((max, debt) => Math.max(max, debt), -Infinity);
  const lowest = debts.reduce((min, debt) => Math.min(min, debt), Infinity);
  const scales: Scales = {
    count: rows + 1,
    debt: rows * Math.max(0, highest - lowest) + 1,
    reliability: rows * RELIABILITY_STEPS + 1,
  };
  const hashes = pilots.map(({ pilot }) => hashText(`${mission.id} ${pilot.id}`));

  const candidatesOf = (seat: SeatingSeat): Candidate[] => {
    const candidates = pilots.flatMap(({ pilot, fitFor }, column): Candidate[] => {
      const fit = fitFor(seat.aircraftId);
      if (fit === null) return [];
      const dueLess = highest - (debts[column] ?? 0);
      const word0 = packCounts(0, pilot.goesFirst ? 0 : 1, leadPenalty(seat, pilot), scales) + dueLess;
      return [{ column, word0, word1: packFit(seat, pilot, fit, scales), hash: hashes[column] ?? 0 }];
    });
    return candidates.sort((a, b) => a.word0 - b.word0 || a.word1 - b.word1);
  };

  const kinds = new Map<string, Candidate[]>();
  const rowStart = new Int32Array(rows + 1);
  const columnOf: number[] = [];
  const words: [number[], number[], number[]] = [[], [], []];
  seats.forEach((seat, row) => {
    const kind = `${seat.aircraftId} ${isLeadSeat(seat)} ${isSupportSeat(seat)}`;
    const candidates = kinds.get(kind) ?? candidatesOf(seat);
    kinds.set(kind, candidates);
    const seatHash = hashText(`${seat.flightId} ${seat.seatIndex}`);
    for (const { candidate, hash } of keepCheapest(candidates, seatHash, rows)) {
      columnOf.push(candidate.column);
      words[0].push(candidate.word0);
      words[1].push(candidate.word1);
      words[2].push(hash);
    }
    rowStart[row + 1] = columnOf.length;
  });

  const ranked = (seat: SeatingSeat) => isLeadSeat(seat) && !isSupportSeat(seat);
  const problem: AssignmentProblem = {
    rows,
    columns: pilots.length,
    rowStart,
    columnOf: Int32Array.from(columnOf),
    cost: [Float64Array.from(words[0]), Float64Array.from(words[1]), Float64Array.from(words[2])],
    exitCost: [
      Float64Array.from(seats, (seat) => packCounts(1, 1, ranked(seat) ? 1 : 0, scales)),
      Float64Array.from(seats, (seat) => (ranked(seat) ? EMPTY_LEAD : 0) * scales.count * scales.reliability),
      new Float64Array(rows),
    ],
  };
  return { problem, pilots };
}

function packCounts(empty: number, notFirst: number, lead: number, { count, debt }: Scales): number {
  return ((empty * count + notFirst) * count + lead) * debt;
}

function packFit(seat: SeatingSeat, pilot: SeatingPilot, fit: Fit, scales: Scales): number {
  const level = isLeadSeat(seat) && !isSupportSeat(seat) ? LEVEL_MAX - levelOf(pilot, seat) : 0;
  return (level * scales.count + (fit === 'exact' ? 0 : 1)) * scales.reliability + unreliabilitySteps(pilot);
}

export function unreliabilitySteps({ reliability }: SeatingPilot): number {
  return Math.round((1 - Math.min(1, Math.max(0, reliability))) * RELIABILITY_STEPS);
}

function leadPenalty(seat: SeatingSeat, pilot: SeatingPilot): number {
  return isLeadSeat(seat) && !isSupportSeat(seat) && levelOf(pilot, seat) < PROFICIENT ? 1 : 0;
}

export function levelOf(pilot: SeatingPilot, seat: SeatingSeat): number {
  return PROFICIENCY_LEVELS.indexOf(pilot.levels.get(seat.aircraftId) ?? 'basic');
}

export function debtSteps(debt: number): number {
  return Math.round(Math.min(DEBT_MAX, Math.max(-DEBT_MAX, debt)) * DEBT_STEPS_PER_SEAT);
}

/**
 * The `keep` cheapest candidates for one seat, perhaps a few more. Those dearer than the keep-th by the shared words
 * go; of those level with it, only enough low hashes stay.
 * @param candidates by their shared words, ascending
 */
function keepCheapest(
  candidates: readonly Candidate[],
  seatHash: number,
  keep: number,
): { candidate: Candidate; hash: number }[] {
  const withHash = (candidate: Candidate) => ({
    candidate,
    hash: mixHash((candidate.hash + Math.imul(seatHash, 0x9e3779b1)) | 0),
  });
  const last = candidates[keep - 1];
  if (!last) return candidates.map(withHash);
  const isLevel = ({ word0, word1 }: Candidate) => word0 === last.word0 && word1 === last.word1;
  const from = candidates.findIndex(isLevel);
  const level: ReturnType<typeof withHash>[] = [];
  for (let index = from; index < candidates.length; index++) {
    const candidate = candidates[index];
    if (!candidate || !isLevel(candidate)) break;
    level.push(withHash(candidate));
  }
  const wanted = keep - from;
  // Hashes are spread evenly, so this bound lets through about twice what is wanted; too few, and it doubles.
  let bound = (HASH_VALUES * 2 * wanted) / level.length;
  let low = level.filter(({ hash }) => hash < bound);
  while (low.length < wanted) {
    bound *= 2;
    low = level.filter(({ hash }) => hash < bound);
  }
  return [...candidates.slice(0, from).map(withHash), ...low];
}
