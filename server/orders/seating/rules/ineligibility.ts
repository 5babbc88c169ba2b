/** Reasons a pilot has no seat in a mission, as concrete as possible, worded for the pilot or an admin. */
import type { IneligiblePilotDto } from '#shared/schemas/mission-plan.ts';
import { formatZulu } from '#shared/clock.ts';
import { onLeaveWords } from '#shared/leave.ts';
import { NEAR_MISS_MINUTES } from '#shared/limits.ts';
import type { Presence } from '#server/availability/rules/dated-windows.ts';
import { MINUTE_MS } from '#server/time/time.ts';
import { assessPilot, type SeatingMission, type EligibilityFacts } from './eligibility.ts';
import { clip, firstOverlap, type Interval, mergeIntervals, subtractIntervals } from '#server/time/intervals.ts';

/** The reason that a pilot has no seat, with the facts that its sentence names. */
export type Ineligibility =
  /** `missing`: the parts of the mission without any window, in order; [] for a suspended account */
  | { readonly reason: 'NOT_AVAILABLE'; readonly missing: readonly Interval[] }
  | { readonly reason: 'ON_LEAVE'; readonly lastDate: string }
  /** `aircraft`: names of those the mission flies, each once; `isUnlisted`: only of those the pilot would fit once listed */
  | { readonly reason: 'AIRCRAFT'; readonly aircraft: readonly string[]; readonly isUnlisted: boolean }
  /** the name of the other mission; null when it is not known */
  | { readonly reason: 'COMMITTED'; readonly missionName: string | null }
  | { readonly reason: 'DO_NOT_DISTURB' }
  /** `seats`: those that fit the pilot, all taken; `waiting`: other pilots on standby */
  | { readonly reason: 'OUTRANKED'; readonly seats: number; readonly waiting: number };

/** The reader of a sentence: the pilot it is about, or an admin, who reads the pilot's name. */
export type Voice = { readonly to: 'pilot' } | { readonly to: 'admin'; readonly name: string };

export const TO_PILOT: Voice = { to: 'pilot' };

/** More aircraft than this are not named one by one. */
const NAMED_AIRCRAFT_MAX = 3;

const LIST = new Intl.ListFormat('en', { type: 'conjunction' });
const CHOICE = new Intl.ListFormat('en', { type: 'disjunction' });

type EligibilityQuestion = {
  readonly pilot: EligibilityFacts;
  readonly mission: SeatingMission;
  readonly flights: readonly { readonly aircraftId: number; readonly aircraftName: string; readonly sizeCap: number }[];
  readonly committedTo: readonly (Interval & { readonly name: string })[];
  readonly waiting: number;
  readonly nowMs: number;
};

/**
 * The ineligibility of a pilot for the seats of a mission: the same checks as the seating's, in its order.
 * @param flights all of the mission, in board order; `sizeCap` is how many seats each has
 * @param committedTo the pilot's seats in other missions, in any order; of those that overlap the earliest is named
 * @param waiting other pilots on standby for the mission
 * @returns OUTRANKED when only other pilots are the reason; whether a seat is free all the same is the caller's to know
 */
export function findIneligibility({
  pilot,
  mission,
  flights,
  committedTo,
  waiting,
  nowMs,
}: EligibilityQuestion): Ineligibility {
  const { reason, fitFor, fitsOnceListed } = assessPilot(pilot, mission, nowMs);
  if (reason === 'NOT_AVAILABLE') return { reason, missing: pilot.active ? findMissing(pilot, mission) : [] };
  if (reason === 'ON_LEAVE') return { reason, lastDate: pilot.leave?.lastDate ?? '' };
  if (reason === 'COMMITTED') {
    return { reason, missionName: firstOverlap(committedTo, mission)?.name ?? null };
  }
  if (reason === 'DO_NOT_DISTURB') return { reason };
  const fitting = flights.filter(({ aircraftId }) => fitFor(aircraftId) !== null);
  if (fitting.length === 0) {
    const unlisted = flights.filter(({ aircraftId }) => fitsOnceListed(aircraftId));
    const isUnlisted = unlisted.length > 0;
    const aircraft = (isUnlisted ? unlisted : flights).map(({ aircraftName }) => aircraftName);
    return { reason: 'AIRCRAFT', aircraft: [...new Set(aircraft)], isUnlisted };
  }
  return { reason: 'OUTRANKED', seats: fitting.reduce((sum, { sizeCap }) => sum + sizeCap, 0), waiting };
}

/**
 * The parts of a mission that a pilot has to add to be eligible, if they are short: at most `NEAR_MISS_MINUTES`, and less
 * than half of the mission.
 * @returns null for a pilot who is eligible, misses more, or is ineligible for another reason, too
 */
export function findNearMiss(question: EligibilityQuestion): readonly Interval[] | null {
  const { pilot, mission } = question;
  const ineligibility = findIneligibility(question);
  if (ineligibility.reason !== 'NOT_AVAILABLE' || ineligibility.missing.length === 0) return null;
  const { missing } = ineligibility;
  const missingMs = missing.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
  const isShort = missingMs <= NEAR_MISS_MINUTES * MINUTE_MS && 2 * missingMs < mission.endMs - mission.startMs;
  const added = missing.map(({ startMs, endMs }): Presence => ({
    startMs,
    endMs,
    aircraftId: null,
    source: 'override',
    notes: null,
  }));
  const extended = { ...pilot, presences: [...pilot.presences, ...added] };
  return isShort && findIneligibility({ ...question, pilot: extended }).reason === 'OUTRANKED' ? missing : null;
}

/**
 * Whoever is a near miss is there at one of these: two missing parts that cover all five are half of the mission or more. That
 * a pilot has more than two is not expected; such a pilot would only be listed further down.
 */
export function nearMissInstants({ startMs, endMs }: Interval): number[] {
  return [1, 2, 3, 4, 5].map(
    (sixths) => startMs + Math.floor(((endMs - startMs) * sixths) / 6 / MINUTE_MS) * MINUTE_MS,
  );
}

function findMissing({ presences }: EligibilityFacts, { startMs, endMs }: SeatingMission): Interval[] {
  const mission = { startMs, endMs };
  return subtractIntervals(
    [mission],
    mergeIntervals(presences).flatMap((present) => clip(present, mission) ?? []),
  );
}

/** Says in one sentence why a pilot is not eligible. */
export function ineligibilitySentence(ineligibility: Ineligibility, voice: Voice): string {
  const isPilot = voice.to === 'pilot';
  const are = isPilot ? 'You are' : `${voice.name} is`;
  if (ineligibility.reason === 'NOT_AVAILABLE') {
    if (ineligibility.missing.length === 0) return `${are} suspended.`;
    return `${are} not available ${LIST.format(ineligibility.missing.map(spanWords))}.`;
  }
  if (ineligibility.reason === 'ON_LEAVE') return `${are} ${onLeaveWords(ineligibility.lastDate)}.`;
  if (ineligibility.reason === 'AIRCRAFT') {
    if (ineligibility.isUnlisted)
      return `${isPilot ? "You haven't" : `${voice.name} hasn't`} listed ${aircraftWords(ineligibility.aircraft)}.`;
    return `${are} not available in ${aircraftWords(ineligibility.aircraft)} for the whole mission.`;
  }
  if (ineligibility.reason === 'COMMITTED') {
    const { missionName } = ineligibility;
    const other = missionName === null ? 'another mission' : `“${missionName}”`;
    return `${are} on ${other} at that time.`;
  }
  if (ineligibility.reason === 'DO_NOT_DISTURB') return `${are} on Do Not Disturb.`;
  return outrankedWords(ineligibility, isPilot ? 'you' : voice.name);
}

const spanWords = ({ startMs, endMs }: Interval) => `from ${formatZulu(startMs)} to ${formatZulu(endMs)}`;

/** `the F-14B Tomcat, the A-10C or 2 others` */
function aircraftWords(names: readonly string[]): string {
  const isLong = names.length > NAMED_AIRCRAFT_MAX;
  const named = names.slice(0, isLong ? NAMED_AIRCRAFT_MAX - 1 : NAMED_AIRCRAFT_MAX).map((name) => `the ${name}`);
  return CHOICE.format(isLong ? [...named, `${names.length - named.length} others`] : named);
}

function outrankedWords({ seats, waiting }: Extract<Ineligibility, { reason: 'OUTRANKED' }>, whom: string): string {
  const taken =
    seats === 1
      ? `The only seat that fits ${whom} is taken`
      : `${seats === 2 ? 'Both' : `All ${seats}`} seats that fit ${whom} are taken`;
  if (waiting === 0) return `${taken}.`;
  return `${taken}; ${waiting === 1 ? '1 pilot is waiting' : `${waiting} pilots are waiting`}.`;
}

/** The end of the pilot's last order in the mission, or the answer to it; `offered`: a shared offer. */
export type LastOrder = IneligiblePilotDto['lastOrder'] | 'offered';

/** The pilot's relation to an open seat that fits, as the predicate of a sentence for admins, by last order. */
const BESIDE_OPEN_SEAT: Record<NonNullable<LastOrder>, string> = {
  standby: 'is on standby',
  declined: 'declined',
  expired: 'did not answer in time',
  superseded: 'lost the seat',
  'mission cancelled': 'had an order until the mission was cancelled',
  offered: 'has a shared offer',
};

/**
 * One sentence about the named pilot.
 * @param isSeatOpen a seat that fits the pilot is free: then other pilots are not the reason
 */
export function sentenceForAdmin(
  ineligibility: Ineligibility,
  name: string,
  lastOrder: LastOrder,
  isSeatOpen: boolean,
): string {
  if (ineligibility.reason !== 'OUTRANKED' || !isSeatOpen)
    return ineligibilitySentence(ineligibility, { to: 'admin', name });
  const what = lastOrder === null ? 'has not been asked' : BESIDE_OPEN_SEAT[lastOrder];
  return `${name} ${what}; a suitable seat is open.`;
}
