/**
 * Two versions of a mission file compared: the differences as sentences, and the edit that brings them into the mission. Only
 * what differs between the two files changes, so that edits of the mission in Marshal stay.
 */
import { AIRCRAFT_SLOT_COUNT, CALLSIGN_MAX_LENGTH, FLIGHT_SIZE_MAX } from '#shared/limits.ts';
import type { FileChange, FileGroup, FoundMission } from '#shared/schemas/mission-file.ts';
import type { MissionRole, Side, Theater } from '#shared/vocabulary.ts';
import { sideName } from '#shared/labels.ts';
import { groupNotes } from '#shared/mission-file-text.ts';
import type { SeatUnit } from './seat-units.ts';

/** A flight of the mission as it is now. */
export interface MissionFlight {
  readonly id: string;
  readonly callsign: string;
  readonly sizeCap: number;
  readonly radioFreq: string | null;
}

export interface FlightChange {
  id: string;
  aircraftId?: number;
  side?: Side;
  role?: MissionRole;
  callsign?: string;
  radioFreq?: string;
  sizeCap?: number;
}
export interface AddedSlot {
  aircraftId: number;
  slotCount: number;
  side: Side;
  notes: MissionRole;
  additionalNotes: string | null;
  fileGroupId: number;
}
export interface FileEdit {
  theater?: Theater;
  flights: FlightChange[];
  removeFlightIds: string[];
  addAircraftSlots: AddedSlot[];
}
export interface FileComparison {
  changes: FileChange[];
  problems: string[];
  edit: FileEdit;
}

export interface CompareRequest {
  readonly before: FoundMission;
  readonly after: FoundMission;
  /** units of the mission's seats, from the file before */
  readonly units: readonly SeatUnit[];
  /** in their order in the mission */
  readonly flights: readonly MissionFlight[];
  /** the aircraft that a type flies as; null for one that Marshal does not have */
  readonly aircraftOf: (type: string) => number | null;
}

/** The same group in another file: by its number, then by its name. */
export function findGroup(group: FileGroup, groups: readonly FileGroup[]): FileGroup | undefined {
  return (
    groups.find(({ groupId }) => groupId === group.groupId) ??
    groups.find(({ name }) => name !== '' && name === group.name)
  );
}

const seatsOf = (count: number): string => (count === 1 ? 'one seat' : `${count} seats`);
const clock = (seconds: number): string => `${Math.round(seconds / 60)} min`;

/** Shrinks or grows the flights of a group to a number of seats; flights that lose all are removed. */
function resize(flights: readonly MissionFlight[], seats: number): { sizes: Map<string, number>; missing: number } {
  let left = seats;
  const sizes = new Map<string, number>();
  for (const [index, { id, sizeCap }] of flights.entries()) {
    const isLast = index === flights.length - 1;
    const size = Math.min(left, isLast ? FLIGHT_SIZE_MAX : sizeCap);
    sizes.set(id, size);
    left -= size;
  }
  return { sizes, missing: left };
}

export function compareFiles({ before, after, units, flights, aircraftOf }: CompareRequest): FileComparison {
  const changes: FileChange[] = [];
  const problems: string[] = [];
  const edit: FileEdit = { flights: [], removeFlightIds: [], addAircraftSlots: [] };
  const note = (kind: FileChange['kind'], sentence: string) => changes.push({ kind, sentence });
  const callsigns = new Set(flights.map(({ callsign }) => callsign.toLowerCase()));
  const frequencies = new Set(flights.flatMap(({ radioFreq }) => radioFreq ?? []));

  const flightsOf = (groupId: number, station: number): MissionFlight[] => {
    const ids = new Set(
      units.filter((unit) => unit.groupId === groupId && unit.station === station).map(({ flightId }) => flightId),
    );
    return flights.filter(({ id }) => ids.has(id));
  };

  function add(group: FileGroup, seats: number): void {
    const aircraftId = aircraftOf(group.type);
    if (aircraftId === null) {
      problems.push(`${group.name} is left out: Marshal has no aircraft for ${group.type}.`);
      return;
    }
    const { side, role, groupId } = group;
    const slotCount = Math.min(seats, AIRCRAFT_SLOT_COUNT.max);
    const slot = { aircraftId, slotCount, side, notes: role, additionalNotes: groupNotes(group), fileGroupId: groupId };
    edit.addAircraftSlots.push(slot);
  }

  /** Fields that all flights of a group get. */
  function describe(was: FileGroup, is: FileGroup): Omit<FlightChange, 'id'> {
    const fields: Omit<FlightChange, 'id'> = {};
    if (was.type !== is.type) {
      note('aircraft', `${is.name}: ${is.type} instead of ${was.type}.`);
      const aircraftId = aircraftOf(is.type);
      if (aircraftId === null) problems.push(`${is.name} keeps its aircraft: Marshal has none for ${is.type}.`);
      else fields.aircraftId = aircraftId;
    }
    if (was.side !== is.side) {
      note('side', `${is.name}: ${sideName(is.side)} instead of ${sideName(was.side)}.`);
      fields.side = is.side;
    }
    if (was.role !== is.role) {
      note('role', `${is.name}: ${is.role} instead of ${was.role}.`);
      fields.role = is.role;
    }
    return fields;
  }

  /** Fields of the first flight of a group. */
  function describeLead(was: FileGroup, is: FileGroup): Omit<FlightChange, 'id'> {
    const fields: Omit<FlightChange, 'id'> = {};
    const { callsign, frequency } = is;
    if (was.callsign !== callsign) {
      note('callsign', `${is.name}: callsign ${callsign ?? 'none'} instead of ${was.callsign ?? 'none'}.`);
      const isFree =
        callsign !== null && callsign.length <= CALLSIGN_MAX_LENGTH && !callsigns.has(callsign.toLowerCase());
      if (isFree) fields.callsign = callsign;
      else if (callsign !== null) problems.push(`${is.name} keeps its callsign: another flight is ${callsign}.`);
    }
    if (was.frequency !== frequency) {
      note('radio', `${is.name}: ${frequency ?? 'no frequency'} instead of ${was.frequency ?? 'none'}.`);
      const isFree = frequency?.endsWith(' AM') === true && !frequencies.has(frequency);
      if (isFree) fields.radioFreq = frequency.replace(' AM', '');
      else if (frequency !== null) problems.push(`${is.name} keeps its frequency: ${frequency} is in use or FM.`);
    }
    if (was.startSeconds !== is.startSeconds) {
      note(
        'time',
        `${is.name}: appears ${clock(is.startSeconds)} after the start instead of ${clock(was.startSeconds)}.`,
      );
    }
    return fields;
  }

  function compareGroup(was: FileGroup, is: FileGroup): void {
    if (was.name !== is.name) note('name', `${was.name} is now called ${is.name}.`);
    const shared = describe(was, is);
    const lead = describeLead(was, is);
    const isResized = was.units.length !== is.units.length;
    if (isResized) note('seats', `${is.name}: ${seatsOf(is.units.length)} instead of ${was.units.length}.`);
    for (const station of [1, 2]) {
      const own = flightsOf(was.groupId, station);
      const { sizes, missing } = resize(own, is.units.length);
      if (isResized && station === 1 && missing > 0) add(is, missing);
      for (const [index, { id, sizeCap }] of own.entries()) {
        const size = isResized ? (sizes.get(id) ?? sizeCap) : sizeCap;
        const fields = {
          ...shared,
          ...(station === 1 && index === 0 ? lead : {}),
          ...(size !== sizeCap && { sizeCap: size }),
        };
        if (size === 0) edit.removeFlightIds.push(id);
        else if (Object.keys(fields).length > 0) edit.flights.push({ id, ...fields });
      }
    }
  }

  const found = new Set<FileGroup>();
  for (const was of before.groups) {
    const own = [...flightsOf(was.groupId, 1), ...flightsOf(was.groupId, 2)];
    const is = findGroup(was, after.groups);
    if (is) found.add(is);
    if (own.length === 0) continue;
    if (is) compareGroup(was, is);
    else {
      note('removed', `${was.name} is removed, with ${seatsOf(was.units.length)} in ${was.type}.`);
      edit.removeFlightIds.push(...own.map(({ id }) => id));
    }
  }
  for (const group of after.groups.filter((one) => !found.has(one))) {
    note('added', `${group.name} is added, with ${seatsOf(group.units.length)} in ${group.type}.`);
    add(group, group.units.length);
  }
  if (before.theater !== after.theater && after.theater !== null) {
    note('theater', `The theater is ${after.theater}.`);
    edit.theater = after.theater;
  }
  const starts = [before, after].map(({ date, time }) => [date, time].filter((part) => part !== null).join(' '));
  if (starts[0] !== starts[1])
    note('time', `The game starts at ${starts[1]} instead of ${starts[0]}; the evening stays.`);
  return { changes, problems, edit };
}

/** The units of a group's seats after a change: seats keep their unit while it exists, and the others get what is left. */
export function reassign(
  seats: readonly Omit<SeatUnit, 'groupId' | 'unitId'>[],
  before: readonly SeatUnit[],
  group: FileGroup,
): SeatUnit[] {
  const kept = seats.map((seat) => {
    const was = before.find((one) => one.flightId === seat.flightId && one.seatIndex === seat.seatIndex);
    return group.units.some(({ unitId }) => unitId === was?.unitId) ? (was?.unitId ?? null) : null;
  });
  const free = group.units.map(({ unitId }) => unitId).filter((unitId) => !kept.includes(unitId));
  return seats.flatMap((seat, index) => {
    const unitId = kept[index] ?? free.shift();
    return unitId === undefined ? [] : [{ ...seat, groupId: group.groupId, unitId }];
  });
}
