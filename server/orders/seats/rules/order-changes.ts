/** Changes to a frag order by an admin's edit: comparing, merging with earlier ones, and wording for the pilot. */
import { formatZulu } from '#shared/clock.ts';
import { placeName, sideName } from '#shared/labels.ts';
import {
  CHANGES,
  FLIGHT_CHANGE_FIELDS,
  FLIGHT_ONLY_CHANGES,
  MISSION_ORDER_FIELDS,
  type FlightChangeField,
  type OrderChangeField,
} from '#shared/mission-fields.ts';
import { linksText } from '#shared/mission-links.ts';
import type { MissionLink } from '#shared/schemas/mission-links.ts';
import { shorten } from '#shared/order-changes.ts';
import type { OrderChange } from '#shared/schemas/pilot.ts';
import type { Side } from '#shared/vocabulary.ts';
import { localDate } from '#server/time/time.ts';

/** The facts of a flight that an order shows. */
export type FlightWords = {
  readonly callsign: string;
  readonly aircraft: string;
  readonly role: string;
  readonly side: Side;
  readonly radio: string | null;
  readonly notes: string | null;
};

/** The name of a seat in changes and in the audit: `Viper 1, seat 2`; `seatIndex` counts from 0. */
export function seatWords(callsign: string, seatIndex: number): string {
  return placeName({ flightCallsign: callsign, seatIndex });
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `Nov 21 1905Z` */
export function instantWords(ms: number): string {
  const date = localDate(ms, 'UTC');
  return `${MONTHS[Number(date.slice(5, 7)) - 1]} ${Number(date.slice(8))} ${formatZulu(ms)}`;
}

/** The changes between two states, [] if they are equal. */
function listChanges(pairs: readonly (readonly [OrderChangeField, string | null, string | null])[]): OrderChange[] {
  return pairs.flatMap(([field, from, to]) => (from === to ? [] : [{ field, from, to }]));
}

/** Changes to a flight, in reading order. */
export function changesBetween(before: FlightWords, after: FlightWords): OrderChange[] {
  const words = (flight: FlightWords): Record<FlightChangeField, string | null> => ({
    ...flight,
    side: sideName(flight.side),
  });
  const [from, to] = [words(before), words(after)];
  return listChanges(FLIGHT_CHANGE_FIELDS.map((field) => [field, from[field], to[field]]));
}

/** What an order shows of its flight's times and package. */
export type PlanWords = {
  readonly launchMs: number | null;
  readonly totMs: number | null;
  /** an admin's own times, in minutes from the start of the mission */
  readonly launchMinutes: number | null;
  readonly totMinutes: number | null;
};

/** Changes to a flight's launch and TOT by an admin; those that follow from the mission's times or the role are not named. */
export function planChanges(before: PlanWords, after: PlanWords): OrderChange[] {
  const { launchMinutes, totMinutes } = after;
  if (before.launchMinutes === launchMinutes && before.totMinutes === totMinutes) return [];
  const words = (ms: number | null) => (ms === null ? null : formatZulu(ms));
  return listChanges([
    ['launch', words(before.launchMs), words(after.launchMs)],
    ['tot', words(before.totMs), words(after.totMs)],
  ]);
}

interface NamedPackage {
  readonly callsign: string;
  readonly objective: string;
  readonly ownObjective: string | null;
}

/** Changes to a package's callsign and objective by an admin. */
export function packageChanges(before: NamedPackage, after: NamedPackage): OrderChange[] {
  return listChanges([
    ['package', before.callsign, after.callsign],
    ...(before.ownObjective === after.ownObjective ? [] : [['objective', before.objective, after.objective] as const]),
  ]);
}

/** Changes to a mission's links. */
export function linkChanges(before: readonly MissionLink[], after: readonly MissionLink[]): OrderChange[] {
  return listChanges([['links', linksText(before), linksText(after)]]);
}

type OwnWords = Readonly<Record<(typeof MISSION_ORDER_FIELDS)[number], string | null>> & {
  readonly links: readonly MissionLink[];
};

/** Changes to the mission's own fields that its orders mention. */
export function missionChanges(before: OwnWords, after: OwnWords): OrderChange[] {
  return [
    ...listChanges(MISSION_ORDER_FIELDS.map((field) => [field, before[field], after[field]])),
    ...linkChanges(before.links, after.links),
  ];
}

/** Changes to a mission's times. */
export function timeChanges(
  before: { readonly startMs: number; readonly endMs: number },
  after: { readonly startMs: number; readonly endMs: number },
): OrderChange[] {
  return listChanges([
    ['start', instantWords(before.startMs), instantWords(after.startMs)],
    ['end', instantWords(before.endMs), instantWords(after.endMs)],
  ]);
}

/**
 * Adds later changes to earlier ones that the pilot has not answered yet: one per field, from the value that the pilot
 * last agreed to. A field that is back at that value is dropped.
 */
export function mergeChanges(earlier: readonly OrderChange[], later: readonly OrderChange[]): OrderChange[] {
  const merged = new Map(earlier.map((change) => [change.field, change]));
  for (const change of later) {
    merged.set(change.field, { ...change, from: (merged.get(change.field) ?? change).from });
  }
  return [...merged.values()].filter(({ from, to }) => from !== to);
}

/** What flights are compared by when an order moves from one to the other; the seat names their callsigns. */
const COMPARED: readonly OrderChangeField[] = ['side', 'aircraft', 'role', 'radio'];

/**
 * The changes that an order keeps when it names another flight: those of its mission. Notes of both are one change, which stays
 * if it is the mission's alone.
 */
export function changesElsewhere(
  changes: readonly OrderChange[],
  missionNotes: string | null,
  kept: readonly OrderChangeField[] = [],
): OrderChange[] {
  return changes.filter(({ field, to }) => {
    if (field === 'notes') return to === missionNotes;
    return kept.includes(field) || !FLIGHT_ONLY_CHANGES.includes(field);
  });
}

interface Move {
  from: { flightId: string; seatIndex: number; words: FlightWords };
  to: { flightId: string; seatIndex: number; words: FlightWords };
  missionNotes: string | null;
}

/**
 * The changes of an order that an admin moves to another seat.
 * @param earlier changes that its pilot has not answered yet
 * @returns `news`: what is new with this move; `changes`: all that differs from what the pilot last agreed to
 */
export function movedChanges(
  earlier: readonly OrderChange[],
  { from, to, missionNotes }: Move,
): { news: OrderChange[]; changes: OrderChange[] } {
  // the pilot knows the old flight by the callsign that it had then
  const known = earlier.find(({ field }) => field === 'callsign')?.from ?? from.words.callsign;
  const news = [
    ...changesBetween(from.words, to.words).filter(({ field }) => COMPARED.includes(field)),
    { field: 'seat' as const, from: seatWords(known, from.seatIndex), to: seatWords(to.words.callsign, to.seatIndex) },
  ];
  const kept = from.flightId === to.flightId ? earlier : changesElsewhere(earlier, missionNotes, COMPARED);
  return { news, changes: mergeChanges(kept, news) };
}

const valueWords = (value: string | null) => shorten(value ?? 'none');

/** `Start Nov 21 1905Z to Nov 21 2005Z.`; for a lost seat: `You lost Viper 1, seat 2.` */
export function changeWords({ field, from, to }: OrderChange): string {
  if (field === 'seat' && to === null) return `You lost ${valueWords(from)}.`;
  const words = `${CHANGES[field].words} ${valueWords(from)} to ${valueWords(to)}`;
  return words.endsWith('…') ? words : `${words}.`;
}
