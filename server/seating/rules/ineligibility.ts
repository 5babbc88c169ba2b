/** Reasons a pilot has no seat in a mission, as concrete as possible, worded for the pilot or an admin. */
import { formatZulu } from '#shared/clock.ts';
import { assessPilot, type SeatingMission, type SeatingPilot } from './eligibility.ts';
import { clip, type Interval, mergeIntervals, overlaps, subtractIntervals } from '#server/time/intervals.ts';

/** What stands between a pilot and a seat, with the facts that its sentence names. */
export type Obstacle =
  /** `missing`: the parts of the mission without any window, in order; [] for a suspended account */
  | { readonly reason: 'NOT_AVAILABLE'; readonly missing: readonly Interval[] }
  /** `aircraft`: names of those the mission flies, each once */
  | { readonly reason: 'AIRCRAFT'; readonly aircraft: readonly string[] }
  /** the name of the other mission; null when it is not known */
  | { readonly reason: 'COMMITTED'; readonly missionName: string | null }
  | { readonly reason: 'DO_NOT_DISTURB' }
  /** `seats`: those that fit the pilot, all taken; `waiting`: other pilots on standby */
  | { readonly reason: 'OUTRANKED'; readonly seats: number; readonly waiting: number };

/** Whom the sentence is for: the pilot it speaks of, or an admin who reads the pilot's name. */
export type Voice = { readonly to: 'pilot' } | { readonly to: 'admin'; readonly name: string };

export const TO_PILOT: Voice = { to: 'pilot' };

/** More aircraft than this are not named one by one. */
const NAMED_AIRCRAFT_MAX = 3;

const LIST = new Intl.ListFormat('en', { type: 'conjunction' });
const CHOICE = new Intl.ListFormat('en', { type: 'disjunction' });

/**
 * What keeps a pilot from the seats of a mission: the same checks as the seating's, in its order.
 * @param flights all of the mission, in board order; `sizeCap` is how many seats each has
 * @param committedTo the pilot's seats in other missions, in any order; of those that overlap the earliest is named
 * @param waiting other pilots on standby for the mission
 * @returns OUTRANKED when only other pilots stand in the way; whether a seat is free all the same is the caller's to know
 */
export function findObstacle({
  pilot,
  mission,
  flights,
  committedTo,
  waiting,
  nowMs,
}: {
  readonly pilot: SeatingPilot;
  readonly mission: SeatingMission;
  readonly flights: readonly { readonly aircraftId: number; readonly aircraftName: string; readonly sizeCap: number }[];
  readonly committedTo: readonly (Interval & { readonly name: string })[];
  readonly waiting: number;
  readonly nowMs: number;
}): Obstacle {
  const { blocked, fitFor } = assessPilot(pilot, mission, nowMs);
  if (blocked === 'NOT_AVAILABLE') return { reason: blocked, missing: pilot.active ? findMissing(pilot, mission) : [] };
  if (blocked === 'COMMITTED') {
    const [other] = committedTo
      .filter((seat) => overlaps(seat, mission))
      .toSorted((a, b) => a.startMs - b.startMs || a.endMs - b.endMs);
    return { reason: blocked, missionName: other?.name ?? null };
  }
  if (blocked === 'DO_NOT_DISTURB') return { reason: blocked };
  const fitting = flights.filter(({ aircraftId }) => fitFor(aircraftId) !== null);
  if (fitting.length === 0) {
    return { reason: 'AIRCRAFT', aircraft: [...new Set(flights.map(({ aircraftName }) => aircraftName))] };
  }
  return { reason: 'OUTRANKED', seats: fitting.reduce((sum, { sizeCap }) => sum + sizeCap, 0), waiting };
}

function findMissing({ presences }: SeatingPilot, { startMs, endMs }: SeatingMission): Interval[] {
  const mission = { startMs, endMs };
  return subtractIntervals(
    [mission],
    mergeIntervals(presences).flatMap((present) => clip(present, mission) ?? []),
  );
}

/** The obstacle as one whole sentence, with its full stop. */
export function whyNot(obstacle: Obstacle, voice: Voice): string {
  const isPilot = voice.to === 'pilot';
  const are = isPilot ? 'You are' : `${voice.name} is`;
  if (obstacle.reason === 'NOT_AVAILABLE') {
    if (obstacle.missing.length === 0) return `${are} suspended.`;
    return `${are} not available ${LIST.format(obstacle.missing.map(spanWords))}.`;
  }
  if (obstacle.reason === 'AIRCRAFT') {
    return `${are} not available in ${aircraftWords(obstacle.aircraft)} for the whole mission.`;
  }
  if (obstacle.reason === 'COMMITTED') {
    const { missionName } = obstacle;
    const other = missionName === null ? 'another mission' : `“${missionName}”`;
    return `${are} on ${other} at that time.`;
  }
  if (obstacle.reason === 'DO_NOT_DISTURB') return `${are} on Do Not Disturb.`;
  return outrankedWords(obstacle, isPilot ? 'you' : voice.name);
}

const spanWords = ({ startMs, endMs }: Interval) => `from ${formatZulu(startMs)} to ${formatZulu(endMs)}`;

/** `the F-14B Tomcat, the A-10C or 2 others` */
function aircraftWords(names: readonly string[]): string {
  const isLong = names.length > NAMED_AIRCRAFT_MAX;
  const named = names.slice(0, isLong ? NAMED_AIRCRAFT_MAX - 1 : NAMED_AIRCRAFT_MAX).map((name) => `the ${name}`);
  return CHOICE.format(isLong ? [...named, `${names.length - named.length} others`] : named);
}

function outrankedWords({ seats, waiting }: Extract<Obstacle, { reason: 'OUTRANKED' }>, whom: string): string {
  const taken =
    seats === 1
      ? `The only seat that fits ${whom} is taken`
      : `${seats === 2 ? 'Both' : `All ${seats}`} seats that fit ${whom} are taken`;
  if (waiting === 0) return `${taken}.`;
  return `${taken}; ${waiting === 1 ? '1 pilot is waiting' : `${waiting} pilots are waiting`}.`;
}
