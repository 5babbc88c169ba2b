/** Who may hold a seat of a mission: presence, commitments, live status. Levels only rank, they never exclude. */
import { DO_NOT_DISTURB_HOURS } from '#shared/limits.ts';
import type { MissionRole, ProficiencyLevel, StatusState, UnseatedReason } from '#shared/vocabulary.ts';
import { type Presence, presentFor } from './availability.ts';
import { coversInterval, type Interval, mergeIntervals, overlaps } from './intervals.ts';
import { HOUR_MS } from './time.ts';

export type SeatingMission = Interval & { readonly id: string };

export type SeatingSeat = {
  readonly flightId: string;
  /** 0-based within the flight */
  readonly seatIndex: number;
  readonly aircraftId: number;
  readonly aircraftName: string;
  readonly role: MissionRole;
  /** aircraft in the flight */
  readonly flightSize: number;
};

export type SeatingPilot = {
  readonly id: string;
  /** active account with role `user` */
  readonly active: boolean;
  readonly presences: readonly Presence[];
  /** accepted and pending seats of other missions */
  readonly commitments: readonly Interval[];
  /** the effective live status */
  readonly state: StatusState;
  /** by aircraft id; one that is missing is basic */
  readonly levels: ReadonlyMap<number, ProficiencyLevel>;
  /** how much the community owes this pilot a seat (fairness ledger) */
  readonly debt: number;
  /** 0 (never turns up) to 1 (always does) */
  readonly reliability: number;
  /** seated before everybody else: a standby pilot whose turn it is */
  readonly goesFirst?: boolean;
};

/** Whether the windows that cover the mission are all for this very aircraft, or some are for any. */
export type Fit = 'exact' | 'any';

export type Assessment = {
  readonly pilot: SeatingPilot;
  /** why the pilot can hold no seat of this mission at all; null when only the aircraft can be in the way */
  readonly blocked: Exclude<UnseatedReason, 'OUTRANKED' | 'AIRCRAFT'> | null;
  /** null: this aircraft is not one the pilot is present for throughout */
  readonly fitFor: (aircraftId: number) => Fit | null;
};

/** Check one pilot against one mission. Intervals are half-open, so missions back to back do not clash. */
export function assessPilot(pilot: SeatingPilot, mission: SeatingMission, nowMs: number): Assessment {
  const presences = pilot.presences.filter((presence) => overlaps(presence, mission));
  const fits = new Map<number, Fit | null>();
  const computeFit = (aircraftId: number): Fit | null => {
    if (!coversInterval(presentFor(presences, aircraftId), mission)) return null;
    const own = presences.filter((presence) => presence.aircraftId === aircraftId);
    return coversInterval(mergeIntervals(own), mission) ? 'exact' : 'any';
  };
  const fitFor = (aircraftId: number): Fit | null => {
    let fit = fits.get(aircraftId);
    if (fit === undefined) {
      fit = computeFit(aircraftId);
      fits.set(aircraftId, fit);
    }
    return fit;
  };
  return { pilot, blocked: findBlock(pilot, presences, mission, nowMs), fitFor };
}

function findBlock(
  pilot: SeatingPilot,
  presences: readonly Presence[],
  mission: SeatingMission,
  nowMs: number,
): Assessment['blocked'] {
  if (!pilot.active || !coversInterval(mergeIntervals(presences), mission)) return 'NOT_AVAILABLE';
  if (pilot.commitments.some((commitment) => overlaps(commitment, mission))) return 'COMMITTED';
  const isSoon = mission.startMs - nowMs <= DO_NOT_DISTURB_HOURS * HOUR_MS;
  return pilot.state === 'dnd' && isSoon ? 'DO_NOT_DISTURB' : null;
}

const SUPPORT_ROLES: ReadonlySet<MissionRole> = new Set(['Tanker', 'AWACS', 'EW']);

/** Support seats need no proficiency, so nobody's level counts on them. */
export function isSupportSeat(seat: SeatingSeat): boolean {
  return SUPPORT_ROLES.has(seat.role);
}

/** Flight lead, and in a flight of three or four the lead of the second element. */
export function isLeadSeat(seat: SeatingSeat): boolean {
  return seat.seatIndex === 0 || (seat.seatIndex === 2 && seat.flightSize >= 3);
}

/** By plain code order, the same on every machine and in every locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export function compareSeats(a: SeatingSeat, b: SeatingSeat): number {
  return compareText(a.flightId, b.flightId) || a.seatIndex - b.seatIndex;
}
