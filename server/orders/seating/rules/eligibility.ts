/**
 * Eligibility of a pilot for a seat: presences, aircraft list, commitments, live status. Levels only rank pilots, they never
 * exclude. The constraint `seat_no_overlap` also keeps overlapping seats of one pilot out of the database.
 */
import { startsAfter } from '#server/availability/rules/do-not-disturb.ts';
import type { MissionRole, ProficiencyLevel, StatusState, IneligibilityReason } from '#shared/vocabulary.ts';
import type { LeaveTime } from '#server/accounts/rules/leave.ts';
import type { Presence } from '#server/availability/rules/dated-windows.ts';
import { compareText } from '#server/availability/rules/name-order.ts';
import { firstOverlap, type Interval, mergeIntervals, overlaps } from '#server/time/intervals.ts';

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

/** The facts by which a pilot can or cannot hold a seat. */
export type EligibilityFacts = {
  readonly id: string;
  /** active account with role `user` */
  readonly active: boolean;
  /** without the leave */
  readonly presences: readonly Presence[];
  readonly leave?: LeaveTime | null;
  /** accepted and pending seats in other missions */
  readonly commitments: readonly Interval[];
  /** the effective live status */
  readonly state: StatusState;
  /** the pilot's aircraft list, by aircraft id; empty for a pilot who has listed none, who may fly every aircraft */
  readonly levels: ReadonlyMap<number, ProficiencyLevel>;
};

export type SeatingPilot = EligibilityFacts & {
  /** fairness debt: how many seats the community owes this pilot */
  readonly debt: number;
  /** 0 (never turns up) to 1 (always does) */
  readonly reliability: number;
  /** seated before everybody else: a standby pilot whose turn it is */
  readonly goesFirst?: boolean;
};

/**
 * `exact`: the windows that cover the mission are all for this aircraft, so the pilot need not list it; `any`: some are for
 * any aircraft, and the pilot lists this one; `unlisted`: some are for any aircraft, and the pilot lists none at all.
 */
export type Fit = 'exact' | 'any' | 'unlisted';

/** A pilot's list of aircraft, with levels; empty for a pilot who lists none. */
type Listing = Pick<EligibilityFacts, 'levels'>;

/** True for a pilot who lists aircraft, but not this one: windows for any aircraft do not count in it. */
function lacks({ levels }: Listing, aircraftId: number): boolean {
  return levels.size > 0 && !levels.has(aircraftId);
}

/** The fit of a window for any aircraft: "any" means any aircraft on the pilot's list, if there is one. */
export function fitInAny(pilot: Listing, aircraftId: number): Exclude<Fit, 'exact'> | null {
  if (pilot.levels.size === 0) return 'unlisted';
  return lacks(pilot, aircraftId) ? null : 'any';
}

/** Times at which a pilot would fly this aircraft, merged: windows for it, and those for any aircraft where they count. */
export function presentIn(pilot: Listing & Pick<EligibilityFacts, 'presences'>, aircraftId: number): Interval[] {
  const countsAny = !lacks(pilot, aircraftId);
  return mergeIntervals(
    pilot.presences.filter((one) => one.aircraftId === aircraftId || (countsAny && one.aircraftId === null)),
  );
}

/** True if `presentIn` covers a time, without building the union. */
export function isPresentIn(
  pilot: Listing & Pick<EligibilityFacts, 'presences'>,
  aircraftId: number,
  time: Interval,
): boolean {
  return isHeld(time, pilot.presences, aircraftId, !lacks(pilot, aircraftId));
}

/** True for an active pilot whose leave has time in common with the mission. */
export function isOnLeave({ active, leave }: Pick<EligibilityFacts, 'active' | 'leave'>, mission: Interval): boolean {
  return active && leave !== undefined && leave !== null && overlaps(leave, mission);
}

export type Assessment<Pilot extends EligibilityFacts = SeatingPilot> = {
  readonly pilot: Pilot;
  /** why the pilot cannot hold any seat in this mission; null if that depends only on the aircraft */
  readonly reason: Exclude<IneligibilityReason, 'OUTRANKED' | 'AIRCRAFT'> | null;
  /** null: the pilot is not available in this aircraft throughout */
  readonly fitFor: (aircraftId: number) => Fit | null;
  /** true if only the pilot's aircraft list keeps them out of this aircraft */
  readonly fitsOnceListed: (aircraftId: number) => boolean;
};

/** Check a pilot against a mission. Intervals are half-open, so back-to-back missions do not overlap. */
export function assessPilot<Pilot extends EligibilityFacts>(
  pilot: Pilot,
  mission: SeatingMission,
  nowMs: number,
): Assessment<Pilot> {
  const presences = pilot.presences.filter((presence) => overlaps(presence, mission));
  const fitFor = (aircraftId: number): Fit | null => {
    if (isHeld(mission, presences, aircraftId, false)) return 'exact';
    const inAny = fitInAny(pilot, aircraftId);
    return inAny !== null && isHeld(mission, presences, aircraftId, true) ? inAny : null;
  };
  const fitsOnceListed = (aircraftId: number): boolean =>
    lacks(pilot, aircraftId) && fitFor(aircraftId) === null && isHeld(mission, presences, aircraftId, true);
  return { pilot, reason: findReason(pilot, presences, mission, nowMs), fitFor, fitsOnceListed };
}

/**
 * True if presences cover the whole mission, alone or one after another. It does not build their union, because it runs
 * for every pilot and aircraft.
 * @param aircraftId only presences for this aircraft count; null: all do
 * @param orAny presences for any aircraft count too
 */
function isHeld(mission: Interval, presences: readonly Presence[], aircraftId: number | null, orAny: boolean): boolean {
  let untilMs = mission.startMs;
  for (;;) {
    let furtherMs = untilMs;
    for (const presence of presences) {
      const counts =
        aircraftId === null || presence.aircraftId === aircraftId || (orAny && presence.aircraftId === null);
      if (counts && presence.startMs <= untilMs) furtherMs = Math.max(furtherMs, presence.endMs);
    }
    if (furtherMs >= mission.endMs) return true;
    if (furtherMs === untilMs) return false;
    untilMs = furtherMs;
  }
}

function findReason(
  pilot: EligibilityFacts,
  presences: readonly Presence[],
  mission: SeatingMission,
  nowMs: number,
): Assessment['reason'] {
  if (isOnLeave(pilot, mission)) return 'ON_LEAVE';
  if (!pilot.active || !isHeld(mission, presences, null, true)) return 'NOT_AVAILABLE';
  if (firstOverlap(pilot.commitments, mission)) return 'COMMITTED';
  return mission.startMs <= startsAfter(pilot.state, nowMs) ? 'DO_NOT_DISTURB' : null;
}

/** True for a pilot who can take a seat of the mission. @param aircraftIds of its seats */
export function isEligible(
  pilot: EligibilityFacts,
  mission: SeatingMission,
  aircraftIds: readonly number[],
  nowMs: number,
): boolean {
  const { reason, fitFor } = assessPilot(pilot, mission, nowMs);
  return reason === null && aircraftIds.some((id) => fitFor(id) !== null);
}

const SUPPORT_ROLES: ReadonlySet<MissionRole> = new Set(['Tanker', 'AWACS', 'EW']);

/**
 * Support seats need no proficiency, so levels do not count for them. The aircraft list does: a pilot without the module
 * cannot fly a tanker either.
 */
export function isSupportSeat(seat: SeatingSeat): boolean {
  return SUPPORT_ROLES.has(seat.role);
}

/** True for the flight lead, and in a flight of three or four for the lead of the second element. */
export function isLeadSeat(seat: SeatingSeat): boolean {
  return seat.seatIndex === 0 || (seat.seatIndex === 2 && seat.flightSize >= 3);
}

export function compareSeats(a: SeatingSeat, b: SeatingSeat): number {
  return compareText(a.flightId, b.flightId) || a.seatIndex - b.seatIndex;
}
