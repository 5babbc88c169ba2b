/** The seating of one mission, with reasons: an exact optimum, the same for any order of the input. */
import { copy } from '#shared/copy.ts';
import type { ProficiencyLevel, IneligibilityReason } from '#shared/vocabulary.ts';
import { compareText } from '#server/availability/rules/name-order.ts';
import {
  type Assessment,
  assessPilot,
  compareSeats,
  isSupportSeat,
  presentIn,
  type SeatingMission,
  type SeatingPilot,
  type SeatingSeat,
} from '#server/orders/seating/rules/eligibility.ts';
import { assignByKind } from '#server/orders/seating/rules/solver/kind-assignment.ts';
import { buildSeatingProblem } from '#server/orders/seating/rules/solver/seating-costs.ts';
import { DAY_MS, toIso } from '#server/time/time.ts';

export type { SeatingMission, SeatingPilot, SeatingSeat } from '#server/orders/seating/rules/eligibility.ts';

export type SeatedPilot = {
  readonly flightId: string;
  readonly seatIndex: number;
  readonly pilotId: string;
  /** sentences for the pilot */
  readonly reasons: string[];
  /** the pilot lists no aircraft; the reasons say so */
  readonly isUnlisted: boolean;
};
export type OpenSeat = { readonly flightId: string; readonly seatIndex: number };
export type IneligiblePilot = { readonly pilotId: string; readonly reason: IneligibilityReason };

export type Seating = {
  /** by flight id and seat */
  readonly seated: SeatedPilot[];
  /** by flight id and seat */
  readonly open: OpenSeat[];
  /** by pilot id */
  readonly ineligible: IneligiblePilot[];
};

/** The pilots who were eligible for one of the seats, with or without getting it: fairness counts them as willing. */
export function willingPilots({ seated, ineligible }: Pick<Seating, 'seated' | 'ineligible'>): string[] {
  const outranked = ineligible.filter(({ reason }) => reason === 'OUTRANKED');
  return [...seated, ...outranked].map(({ pilotId }) => pilotId);
}

/**
 * Seat pilots by these priorities, each of which only decides between the best by all earlier ones: (1) most seats filled,
 * (2) pilots who go first, (3) pilots who list the aircraft, (4) those on lead seats, (5) most lead seats held by
 * proficient or expert pilots, (6) highest fairness debt, (7) higher levels on lead seats, (8) windows for the exact
 * aircraft rather than any, (9) reliability, (10) a hash.
 * @param seats the free seats of the mission, at most 256, in any order
 * @param pilots distinct ids, in any order; none of them holds a seat in the mission
 * @param nowMs decides if Do Not Disturb applies
 */
export function seatMission({
  seats,
  mission,
  nowMs,
  pilots,
}: {
  readonly seats: readonly SeatingSeat[];
  readonly mission: SeatingMission;
  readonly nowMs: number;
  readonly pilots: readonly SeatingPilot[];
}): Seating {
  return seatAssessed(seats, mission, assessPilots(pilots, mission, nowMs));
}

/** Assess pilots for a mission. @returns by pilot id */
export function assessPilots(pilots: readonly SeatingPilot[], mission: SeatingMission, nowMs: number): Assessment[] {
  return pilots.toSorted((a, b) => compareText(a.id, b.id)).map((pilot) => assessPilot(pilot, mission, nowMs));
}

/** Like `seatMission`, for pilots who are already assessed. @param assessed by pilot id, ascending */
export function seatAssessed(
  seats: readonly SeatingSeat[],
  mission: SeatingMission,
  assessed: readonly Assessment[],
): Seating {
  const rows = seats.toSorted(compareSeats);
  const free = assessed.filter(({ reason }) => reason === null);
  const { problem, pilots: columns } = buildSeatingProblem(rows, free, mission);
  const columnOfRow = assignByKind(problem);

  const seated: SeatedPilot[] = [];
  const open: OpenSeat[] = [];
  rows.forEach((seat, row) => {
    const { flightId, seatIndex } = seat;
    const assessment = columns[columnOfRow[row] ?? -1];
    if (!assessment) open.push({ flightId, seatIndex });
    else {
      const isUnlisted = assessment.fitFor(seat.aircraftId) === 'unlisted';
      const reasons = explain(assessment, seat, mission);
      seated.push({ flightId, seatIndex, pilotId: assessment.pilot.id, reasons, isUnlisted });
    }
  });

  const seatedIds = new Set(seated.map(({ pilotId }) => pilotId));
  const fitting = new Set(columns.map(({ pilot }) => pilot.id));
  const ineligible = assessed
    .filter(({ pilot }) => !seatedIds.has(pilot.id))
    .map(({ pilot, reason }): IneligiblePilot => {
      const whenFree = fitting.has(pilot.id) || rows.length === 0 ? 'OUTRANKED' : 'AIRCRAFT';
      return { pilotId: pilot.id, reason: reason ?? whenFree };
    });
  return { seated, open, ineligible };
}

const LEVEL_WORDS: Record<ProficiencyLevel, string> = {
  basic: 'You know the basics of',
  learning: "You're learning",
  proficient: "You're proficient in",
  expert: "You're an expert in",
};

/** The reasons that an eligible pilot holds a seat, as sentences for the pilot. */
export function seatReasons(pilot: SeatingPilot, seat: SeatingSeat, mission: SeatingMission, nowMs: number): string[] {
  return explain(assessPilot(pilot, mission, nowMs), seat, mission);
}

function explain({ pilot, fitFor }: Assessment, seat: SeatingSeat, mission: SeatingMission): string[] {
  const reasons: string[] = [];
  const window = presentIn(pilot, seat.aircraftId).find(
    ({ startMs, endMs }) => startMs <= mission.startMs && mission.endMs <= endMs,
  );
  // Clock times say nothing about a window of days: then the mission's own times do.
  const free = window && window.endMs - window.startMs < DAY_MS ? window : mission;
  reasons.push(`You are free from ${toZulu(free.startMs)} to ${toZulu(free.endMs)}.`);
  const level = pilot.levels.get(seat.aircraftId);
  const fit = fitFor(seat.aircraftId);
  if (fit === 'unlisted') reasons.push(copy.aircraftUnlisted);
  else if (isSupportSeat(seat)) reasons.push(`${seat.role} needs no proficiency in the aircraft.`);
  else if (level) reasons.push(`${LEVEL_WORDS[level]} the ${seat.aircraftName}.`);
  if (fit === 'exact') reasons.push('You asked for this aircraft.');
  if (pilot.goesFirst) reasons.push(copy.wasOnStandby);
  if (pilot.debt > 0) reasons.push('You have had fewer seats than others lately.');
  return reasons;
}

/** `1900Z` */
function toZulu(ms: number): string {
  return `${toIso(ms).slice(11, 16).replace(':', '')}Z`;
}
