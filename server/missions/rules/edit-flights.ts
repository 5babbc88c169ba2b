/** The plan of a mission edit: flights, packages, and the matching aircraft slots. */
import { AIRCRAFT_SLOT_COUNT, MISSION_SEATS_MAX } from '#shared/limits.ts';
import { FLIGHT_FIELD_KEYS, givenOf } from '#shared/mission-fields.ts';
import type { MissionRole, Side, Theater } from '#shared/vocabulary.ts';
import { allocateCallsign, packageCallsign, suitsCallsign } from '#server/planning/rules/callsigns.ts';
import type { Interval } from '#server/time/intervals.ts';
import {
  describePackage,
  flightTimeline,
  packageKey,
  splitFlights,
  type OwnTimes,
  type PlanSlot,
} from '#server/planning/rules/mission-plan.ts';
import { allocateFrequency, suitsFrequency, tuningSeed } from '#server/planning/rules/radio.ts';

export interface EditAircraft {
  readonly id: number;
  readonly code: string;
  readonly name: string;
}

/** A flight before or after the edit. */
export interface EditFlight extends OwnTimes {
  /** null: new */
  readonly id: string | null;
  readonly packageId: string | null;
  /** the aircraft slot that it belongs to */
  readonly slotIndex: number;
  readonly callsign: string;
  readonly aircraft: EditAircraft;
  readonly role: MissionRole;
  readonly side: Side;
  readonly sizeCap: number;
  readonly launchMs: number | null;
  readonly totMs: number | null;
  /** as stored: `251.000 AM` */
  readonly radioFreq: string | null;
  readonly notes: string | null;
}

export interface EditPackage {
  readonly id: string;
  readonly callsign: string;
  readonly objective: string;
  /** null: the objective names the roles of the flights and the theater */
  readonly ownObjective: string | null;
}

/** The changes to a package; undefined fields stay. */
export type PackageEdit = { readonly callsign?: string | undefined; readonly objective?: string | null | undefined };

export interface MissionState extends Interval {
  readonly theater: Theater;
  /** in the order of the board */
  readonly packages: readonly EditPackage[];
  /** in the order of the board */
  readonly flights: readonly EditFlight[];
}

/** The changes to a flight; undefined fields stay. */
export type FlightEdit = Partial<Pick<EditFlight, (typeof FLIGHT_EDIT_KEYS)[number]>>;
const FLIGHT_EDIT_KEYS = ['aircraft' as const, ...FLIGHT_FIELD_KEYS.filter((key) => key !== 'aircraftId')];

export interface EditRequest extends Interval {
  readonly theater: Theater;
  readonly flightEdits: ReadonlyMap<string, FlightEdit>;
  readonly packageEdits: ReadonlyMap<string, PackageEdit>;
  readonly removedFlightIds: ReadonlySet<string>;
  readonly added: readonly PlanSlot[];
  /** in use by other missions that overlap the new times */
  readonly takenCallsigns: ReadonlySet<string>;
  readonly takenFrequencies: ReadonlySet<string>;
}

export interface PlannedFlightEdit extends EditFlight {
  readonly launchMs: number;
  /** within its package */
  readonly sortOrder: number;
}

export interface PlannedPackageEdit {
  /** null: new */
  readonly id: string | null;
  readonly callsign: string;
  readonly objective: string;
  readonly ownObjective: string | null;
  readonly side: Side;
  readonly launchMs: number;
  readonly totMs: number | null;
  readonly flights: readonly PlannedFlightEdit[];
}

/** An aircraft slot, as in the request that would create the mission as it is now. */
export interface SlotEntry {
  readonly aircraftId: number;
  readonly slotCount: number;
  readonly role: MissionRole;
  readonly side: Side;
  readonly additionalNotes: string | null;
}

export interface MissionEdit {
  readonly ok: true;
  /** in the order of the board, each with at least one flight */
  readonly packages: readonly PlannedPackageEdit[];
  readonly slots: readonly SlotEntry[];
}

export type EditRefusal =
  | { readonly ok: false; readonly problem: 'no seats' | 'too many seats' }
  | { readonly ok: false; readonly problem: 'callsign taken'; readonly callsign: string; readonly flightId: string }
  | { readonly ok: false; readonly problem: 'package taken'; readonly callsign: string; readonly packageId: string }
  | {
      readonly ok: false;
      readonly problem: 'time outside';
      readonly field: keyof OwnTimes;
      readonly callsign: string;
      readonly flightId: string;
    }
  | { readonly ok: false; readonly problem: 'frequency taken'; readonly radioFreq: string; readonly flightId: string };

/**
 * Plan an edit. Callsigns and frequencies stay unless the admin changes them, or they no longer suit the flight or conflict
 * at the new times; launch and TOT follow from times and roles, or are the admin's, and move with the start. A package stays as long as it has flights of its side and role group, or changes
 * both together with all of its flights; new packages go at the end.
 */
export function planEdit(before: MissionState, request: EditRequest): MissionEdit | EditRefusal {
  const kept = before.flights.filter(({ id }) => id === null || !request.removedFlightIds.has(id));
  const changed = kept.map((flight) => ({ flight, edit: request.flightEdits.get(flight.id ?? '') ?? {} }));
  const added = request.added.flatMap((slot, index) =>
    splitFlights(slot.slotCount).map((sizeCap) => ({ slot, sizeCap, slotIndex: nextSlotIndex(before) + index })),
  );
  const seats =
    changed.reduce((sum, { flight, edit }) => sum + (edit.sizeCap ?? flight.sizeCap), 0) +
    added.reduce((sum, { sizeCap }) => sum + sizeCap, 0);
  if (seats === 0) return { ok: false, problem: 'no seats' };
  if (seats > MISSION_SEATS_MAX) return { ok: false, problem: 'too many seats' };

  // Callsigns that this edit frees are not reused in it: the rows are updated one by one, under a unique constraint.
  const callsigns = new Set([...request.takenCallsigns, ...before.flights.map(({ callsign }) => callsign)]);
  const clash = findCallsignClash(changed, callsigns);
  if (clash) return { ok: false, problem: 'callsign taken', ...clash };
  const named = [
    ...changed.map(({ flight, edit }) => renameFlight(flight, edit, request, callsigns)),
    ...added.map(({ slot, sizeCap, slotIndex }): TunedFlight => {
      const { aircraft, role, side, additionalNotes } = slot;
      const callsign = takeCallsign({ code: aircraft.code, role, side }, callsigns);
      const place = { id: null, packageId: null, slotIndex, callsign, ...USUAL_TIMES };
      return { ...place, aircraft, role, side, sizeCap, radioFreq: null, notes: additionalNotes, tuning: 'pick' };
    }),
  ];
  const tuned = tuneFlights(named, request);
  if (!Array.isArray(tuned)) return tuned;
  const flights = tuned.map((flight) => ({
    ...flight,
    ...flightTimeline(flight.role, request, flight),
  }));
  const late = findTimeOutside(flights, request);
  if (late) return { ok: false, problem: 'time outside', ...late };
  const twice = findPackageClash(before.packages, request.packageEdits);
  if (twice) return { ok: false, problem: 'package taken', ...twice };
  const { entries, slotIndexOf } = describeRequest(flights);
  const numbered = flights.map((flight, index) => ({ ...flight, slotIndex: slotIndexOf[index] ?? 0 }));
  return { ok: true, packages: groupPackages(before, numbered, request), slots: entries };
}

const USUAL_TIMES = { launchMinutes: null, totMinutes: null, launchMs: null, totMs: null };

/** The first flight whose own launch or TOT is not between the mission's start and end, or whose TOT is before its launch. */
function findTimeOutside(flights: readonly TimedFlight[], { endMs }: Interval) {
  for (const { id, callsign, launchMinutes, totMinutes, launchMs, totMs } of flights) {
    const isLate = launchMinutes !== null && launchMs > endMs;
    const isEarly = totMs !== null && (totMs < launchMs || totMs > endMs);
    if (!isLate && !(isEarly && totMinutes !== null)) continue;
    return { field: isLate ? ('launchMinutes' as const) : ('totMinutes' as const), callsign, flightId: id ?? '' };
  }
  return undefined;
}

/** The first package whose new callsign another one has; upper and lower case are the same. */
function findPackageClash(packages: readonly EditPackage[], edits: ReadonlyMap<string, PackageEdit>) {
  const later = packages.map(({ id, callsign }) => ({ id, callsign: edits.get(id)?.callsign ?? callsign }));
  const found = later.find(
    ({ id, callsign }) =>
      edits.get(id)?.callsign !== undefined &&
      later.some((other) => other.id !== id && other.callsign.toLowerCase() === callsign.toLowerCase()),
  );
  return found && { callsign: found.callsign, packageId: found.id };
}

const nextSlotIndex = ({ flights }: MissionState) => Math.max(-1, ...flights.map(({ slotIndex }) => slotIndex)) + 1;

/** `keep`: keeps its frequency; `pick`: gets a free one; `set`: has the one that the admin entered. */
type TunedFlight = EditFlight & { readonly tuning: 'keep' | 'pick' | 'set' };

function takeCallsign(flight: Parameters<typeof allocateCallsign>[0], taken: Set<string>): string {
  const callsign = allocateCallsign(flight, taken);
  taken.add(callsign);
  return callsign;
}

const isNamed = (flight: EditFlight, { callsign }: FlightEdit) =>
  callsign !== undefined && callsign !== flight.callsign;

/**
 * The first callsign typed by an admin that is in use; upper and lower case are the same. The others become taken.
 * @returns undefined if all are free
 */
function findCallsignClash(
  changed: readonly { readonly flight: EditFlight; readonly edit: FlightEdit }[],
  taken: Set<string>,
): { callsign: string; flightId: string } | undefined {
  for (const { flight, edit } of changed) {
    const { callsign } = edit;
    if (callsign === undefined || !isNamed(flight, edit)) continue;
    const isOwn = (one: string) => one === flight.callsign;
    const isSame = (one: string) => one.toLowerCase() === callsign.toLowerCase();
    if ([...taken].some((one) => !isOwn(one) && isSame(one))) return { callsign, flightId: flight.id ?? '' };
    taken.add(callsign);
  }
  return undefined;
}

function renameFlight(flight: EditFlight, edit: FlightEdit, request: EditRequest, callsigns: Set<string>): TunedFlight {
  const after = { ...flight, ...givenOf(edit, FLIGHT_EDIT_KEYS) };
  const nature = { code: after.aircraft.code, role: after.role, side: after.side };
  const isOther = after.aircraft.id !== flight.aircraft.id || after.role !== flight.role || after.side !== flight.side;
  const keepsName =
    isNamed(flight, edit) ||
    (!request.takenCallsigns.has(flight.callsign) && (!isOther || suitsCallsign(flight.callsign, nature)));
  const isSet = edit.radioFreq !== undefined && edit.radioFreq !== flight.radioFreq;
  const keepsRadio =
    (flight.radioFreq === null || !request.takenFrequencies.has(flight.radioFreq)) &&
    (after.aircraft.id === flight.aircraft.id || suitsFrequency(after.aircraft.code, flight.radioFreq));
  return {
    ...after,
    callsign: keepsName ? after.callsign : takeCallsign(nature, callsigns),
    radioFreq: isSet ? (edit.radioFreq ?? null) : flight.radioFreq,
    tuning: isSet ? 'set' : keepsRadio ? 'keep' : 'pick',
  };
}

/** Assign a free frequency to every flight that needs one; no two flights share one. */
function tuneFlights(flights: readonly TunedFlight[], request: EditRequest): EditFlight[] | EditRefusal {
  const taken = new Set(request.takenFrequencies);
  for (const { radioFreq, tuning } of flights) if (tuning === 'keep' && radioFreq !== null) taken.add(radioFreq);
  for (const { id, radioFreq, tuning } of flights) {
    if (tuning !== 'set' || radioFreq === null) continue;
    if (taken.has(radioFreq)) return { ok: false, problem: 'frequency taken', radioFreq, flightId: id ?? '' };
    taken.add(radioFreq);
  }
  return flights.map(({ tuning, ...flight }) => {
    if (tuning !== 'pick') return flight;
    const seed = tuningSeed(request.theater, request.startMs, flight.callsign);
    const radioFreq = allocateFrequency(flight.aircraft.code, seed, taken);
    if (radioFreq !== null) taken.add(radioFreq);
    return { ...flight, radioFreq };
  });
}

type TimedFlight = EditFlight & { readonly launchMs: number };

/** One package per side and role group: the existing one, or one whose flights have all moved there, or a new one. */
function groupPackages(
  before: MissionState,
  flights: readonly TimedFlight[],
  { theater, packageEdits }: EditRequest,
): PlannedPackageEdit[] {
  const keyOf = new Map<string, string>();
  for (const flight of before.flights) if (flight.packageId !== null) keyOf.set(flight.packageId, packageKey(flight));
  const groups = [...Map.groupBy(flights, packageKey)];
  const packageOf = new Map<string, EditPackage>();
  const claim = (isFit: (candidate: EditPackage, key: string) => boolean) => {
    const claimed = new Set([...packageOf.values()].map(({ id }) => id));
    for (const [key] of groups) {
      if (packageOf.has(key)) continue;
      const found = before.packages.find((candidate) => !claimed.has(candidate.id) && isFit(candidate, key));
      if (!found) continue;
      packageOf.set(key, found);
      claimed.add(found.id);
    }
  };
  claim(({ id }, key) => keyOf.get(id) === key);
  claim(({ id }, key) => {
    const members = flights.filter(({ packageId }) => packageId === id);
    return members.length > 0 && members.every((flight) => packageKey(flight) === key);
  });

  const nameOf = ({ id, callsign }: EditPackage) => packageEdits.get(id)?.callsign ?? callsign;
  const callsigns = new Set([...packageOf.values()].map((one) => nameOf(one).toUpperCase()));
  const rankOf = (key: string) => {
    const found = packageOf.get(key);
    return found ? before.packages.indexOf(found) : before.packages.length;
  };
  return groups
    .toSorted(([a], [b]) => rankOf(a) - rankOf(b))
    .flatMap(([key, members]): PlannedPackageEdit[] => {
      const [first] = members;
      if (!first) return [];
      const own = packageOf.get(key);
      const { objective, ...times } = describePackage(members, theater);
      const written = packageEdits.get(own?.id ?? '')?.objective;
      const ownObjective = written === undefined ? (own?.ownObjective ?? null) : written;
      return [
        {
          id: own?.id ?? null,
          callsign: own ? nameOf(own) : takePackageCallsign(callsigns),
          objective: ownObjective ?? objective,
          ownObjective,
          ...times,
          side: first.side,
          flights: members.map((flight, sortOrder) => ({ ...flight, sortOrder })),
        },
      ];
    });
}

function takePackageCallsign(taken: Set<string>): string {
  for (let index = 0; ; index += 1) {
    const callsign = packageCallsign(index);
    if (taken.has(callsign)) continue;
    taken.add(callsign);
    return callsign;
  }
}

/**
 * The aircraft slots that would give these flights. Flights of one slot stay in it as long as they are alike and their
 * sizes are what the slot would be split into; otherwise each flight gets its own slot.
 * @returns the slots, and the index of each flight's slot
 */
export function describeRequest(flights: readonly EditFlight[]): { entries: SlotEntry[]; slotIndexOf: number[] } {
  const entries: SlotEntry[] = [];
  const slotIndexOf: number[] = [];
  const likeness = ({ slotIndex, aircraft, role, side, notes }: EditFlight) =>
    JSON.stringify([slotIndex, aircraft.id, role, side, notes]);
  const add = (members: readonly (readonly [number, EditFlight])[]) => {
    const [first] = members;
    if (!first) return;
    const { aircraft, role, side, notes } = first[1];
    for (const [index] of members) slotIndexOf[index] = entries.length;
    const slotCount = members.reduce((sum, [, { sizeCap }]) => sum + sizeCap, 0);
    entries.push({ aircraftId: aircraft.id, slotCount, role, side, additionalNotes: notes });
  };
  const bySlot = [...flights.entries()].toSorted(([, a], [, b]) => a.slotIndex - b.slotIndex);
  for (const members of Map.groupBy(bySlot, ([, flight]) => likeness(flight)).values()) {
    const sizes = members.map(([, { sizeCap }]) => sizeCap);
    const total = sizes.reduce((sum, size) => sum + size, 0);
    if (isSplitOf(sizes, total)) add(members);
    else for (const member of members) add([member]);
  }
  return { entries, slotIndexOf };
}

function isSplitOf(sizes: readonly number[], total: number): boolean {
  const split = splitFlights(total);
  return (
    total <= AIRCRAFT_SLOT_COUNT.max && split.length === sizes.length && split.every((size, at) => size === sizes[at])
  );
}
