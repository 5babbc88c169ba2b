/** Values of the edit form, their changes, the API payload, and rebasing on a newer version. */
import { localTime } from '#client/lib/time.ts';
import { countSlots, type SlotDraft } from '#client/features/missions/create/mission-draft.ts';
import { localDate } from '#shared/clock.ts';
import {
  eachField,
  FLIGHT_FIELD_KEYS,
  givenOf,
  MISSION_FIELD_KEYS,
  PACKAGE_FIELD_KEYS,
  type FlightField,
  type MissionField,
  type PackageField,
} from '#shared/mission-fields.ts';
import { linksText } from '#shared/mission-links.ts';
import type { MissionLink } from '#shared/schemas/mission-links.ts';
import type { MissionDetailDto } from '#shared/schemas/mission-admin.ts';
import type { EditMissionInput } from '#shared/schemas/mission-edit.ts';
import type { FlightDto } from '#shared/schemas/missions.ts';
import type { MissionRole, Side } from '#shared/vocabulary.ts';

export interface FlightDraft {
  id: string;
  callsign: string;
  /** aircraft id as text, for the select */
  aircraftId: string;
  /** name to show when the aircraft list lacks it */
  aircraftName: string;
  role: MissionRole;
  side: Side;
  sizeCap: number;
  /** minutes after the start; '' for the usual time of the role */
  launchMinutes: string;
  totMinutes: string;
  /** launch and TOT of the stored mission in minutes after its start; null for none */
  stored: { launchMinutes: number | null; totMinutes: number | null };
  /** '' for none */
  radioFreq: string;
  notes: string;
  isRemoved: boolean;
}

export interface PackageDraft {
  id: string;
  callsign: string;
  /** '' for the roles of the flights and the theater */
  objective: string;
  /** the objective as stored */
  storedObjective: string;
  flightIds: readonly string[];
}

export interface EditDraft extends Record<MissionField, string> {
  /** wall times in the viewer's zone */
  startLocal: string;
  endLocal: string;
  links: readonly MissionLink[];
  /** null for all Discord servers */
  guildIds: readonly string[] | null;
  /** null for the default: secret while both sides have seats */
  secretSides: boolean | null;
  packages: readonly PackageDraft[];
  flights: readonly FlightDraft[];
  added: readonly SlotDraft[];
}

const byOrder = (a: { sortOrder: number }, b: { sortOrder: number }): number => a.sortOrder - b.sortOrder;

/** All flights of a mission in board order. */
function flightsOf({ packages }: Pick<MissionDetailDto, 'packages'>): FlightDto[] {
  return packages.toSorted(byOrder).flatMap(({ flights }) => flights.toSorted(byOrder));
}

const MINUTE_MS = 60_000;
const minutesAfter = (startUtc: string, instant: string | null): number | null =>
  instant === null ? null : Math.round((Date.parse(instant) - Date.parse(startUtc)) / MINUTE_MS);

function wallTime(instant: string, timeZone: string): string {
  return `${localDate(instant, timeZone)}T${localTime(instant, timeZone)}`;
}

/** Initial form values. @param timeZone zone of the form's times */
export function draftOf(mission: MissionDetailDto, timeZone: string): EditDraft {
  return {
    ...eachField(MISSION_FIELD_KEYS, (key) => mission[key] ?? ''),
    startLocal: wallTime(mission.startUtc, timeZone),
    endLocal: wallTime(mission.endUtc, timeZone),
    links: mission.links,
    guildIds: mission.guildIds,
    secretSides: mission.secretSides,
    packages: mission.packages.toSorted(byOrder).map(({ id, callsign, objective, ownObjective, flights }) => ({
      id,
      callsign,
      objective: ownObjective ?? '',
      storedObjective: objective,
      flightIds: flights.map((flight) => flight.id),
    })),
    flights: flightsOf(mission).map((flight) => ({
      id: flight.id,
      callsign: flight.callsign,
      aircraftId: String(flight.aircraftId),
      aircraftName: flight.aircraftName,
      role: flight.role,
      side: flight.side,
      sizeCap: flight.sizeCap,
      launchMinutes: flight.launchMinutes?.toString() ?? '',
      totMinutes: flight.totMinutes?.toString() ?? '',
      stored: {
        launchMinutes: minutesAfter(mission.startUtc, flight.launchUtc),
        totMinutes: minutesAfter(mission.startUtc, flight.totUtc),
      },
      // Drops the modulation of `251.000 AM`, which follows from frequency and aircraft.
      radioFreq: flight.radioFreq?.split(' ')[0] ?? '',
      notes: flight.notes ?? '',
      isRemoved: false,
    })),
    added: [],
  };
}

const written = (value: string | number): string | number => (typeof value === 'string' ? value.trim() : value);

/** Changed fields of a flight; [] for a flight to be removed. */
export function changedFields(before: FlightDraft, after: FlightDraft): FlightField[] {
  return after.isRemoved ? [] : FLIGHT_FIELD_KEYS.filter((field) => written(before[field]) !== written(after[field]));
}

/** Changed fields of a package. */
export function changedPackageFields(before: PackageDraft, after: PackageDraft): PackageField[] {
  return PACKAGE_FIELD_KEYS.filter((field) => before[field].trim() !== after[field].trim());
}

function areTimesChanged(before: EditDraft, after: EditDraft): boolean {
  return before.startLocal !== after.startLocal || before.endLocal !== after.endLocal;
}

export function areLinksChanged(before: EditDraft, after: EditDraft): boolean {
  return linksText(before.links) !== linksText(after.links);
}

const areGuildsChanged = (before: EditDraft, after: EditDraft): boolean =>
  JSON.stringify(before.guildIds) !== JSON.stringify(after.guildIds);

/**
 * Changes of the form as API payload; {} without any. Texts are as typed; the schema trims and checks them.
 * @param timeZone zone of the form's times, included when they changed
 */
export function changesOf(before: EditDraft, after: EditDraft, timeZone: string): Partial<EditPayload> {
  const earlier = new Map(before.flights.map((flight) => [flight.id, flight]));
  const flights = after.flights.flatMap((flight) => {
    const known = earlier.get(flight.id);
    const fields = known === undefined ? [] : changedFields(known, flight);
    return fields.length === 0 ? [] : [flightPayload(flight, fields)];
  });
  const packages = after.packages.flatMap((one) => {
    const known = before.packages.find(({ id }) => id === one.id);
    const fields = known === undefined ? [] : changedPackageFields(known, one);
    return fields.length === 0 ? [] : [{ id: one.id, ...givenOf(one, fields) }];
  });
  const removed = after.flights.filter(({ isRemoved }) => isRemoved);
  return {
    ...givenOf(
      after,
      MISSION_FIELD_KEYS.filter((field) => before[field].trim() !== after[field].trim()),
    ),
    ...(areTimesChanged(before, after) && {
      startLocal: completeTime(after.startLocal),
      endLocal: completeTime(after.endLocal),
      timeZone,
    }),
    ...(areLinksChanged(before, after) && { links: [...after.links] }),
    ...(areGuildsChanged(before, after) && { guildIds: after.guildIds && [...after.guildIds] }),
    ...(before.secretSides !== after.secretSides && { secretSides: after.secretSides }),
    ...(packages.length > 0 && { packages }),
    ...(flights.length > 0 && { flights }),
    ...(removed.length > 0 && { removeFlightIds: removed.map(({ id }) => id) }),
    ...(after.added.length > 0 && {
      addAircraftSlots: after.added.map((slot) => ({
        aircraftId: Number(slot.aircraftId),
        slotCount: countSlots(slot.slotCount),
        side: slot.side,
        notes: slot.role,
        ...(slot.additionalNotes.trim() !== '' && { additionalNotes: slot.additionalNotes }),
      })),
    }),
  };
}

/** Payload before validation: theater and times may be any text. */
export type EditPayload = Omit<EditMissionInput, 'id' | 'version' | 'theater' | 'flights' | 'addAircraftSlots'> & {
  theater: string;
  flights: ReturnType<typeof flightPayload>[];
  addAircraftSlots: {
    aircraftId: number;
    slotCount: number;
    side: Side;
    notes: MissionRole;
    additionalNotes?: string;
  }[];
};

/** '' for a date without a time, or the reverse. */
function completeTime(local: string): string {
  return /^.+T.+$/.test(local) ? local : '';
}

/** Null for an empty field; NaN, which the schema refuses, for what is no number. */
const minutesOf = (text: string): number | null => (text.trim() === '' ? null : Number(text));

function flightPayload(flight: FlightDraft, fields: readonly FlightField[]) {
  const { callsign, aircraftId, role, side, sizeCap, launchMinutes, totMinutes, radioFreq, notes } = flight;
  const values = {
    callsign,
    aircraftId: Number(aircraftId),
    role,
    side,
    sizeCap,
    launchMinutes: minutesOf(launchMinutes),
    totMinutes: minutesOf(totMinutes),
    radioFreq: radioFreq.trim() || null,
    notes,
  };
  return { id: flight.id, ...givenOf(values, fields) };
}

/**
 * Rebases the user's edits on a newer version of the mission: untouched fields take the newer values.
 * @param base version on which `mine` was based
 */
export function rebase(base: EditDraft, mine: EditDraft, newer: EditDraft): EditDraft {
  const draft = { ...newer, added: mine.added };
  for (const field of [...MISSION_FIELD_KEYS, 'startLocal', 'endLocal'] as const) {
    if (base[field] !== mine[field]) {
      draft[field] = mine[field];
    }
  }
  if (areLinksChanged(base, mine)) draft.links = mine.links;
  if (areGuildsChanged(base, mine)) draft.guildIds = mine.guildIds;
  if (base.secretSides !== mine.secretSides) draft.secretSides = mine.secretSides;
  draft.packages = newer.packages.map((one) => {
    const [before, after] = [base, mine].map(({ packages }) => packages.find(({ id }) => id === one.id));
    return before && after ? { ...one, ...givenOf(after, changedPackageFields(before, after)) } : one;
  });
  const known = new Map(base.flights.map((flight) => [flight.id, flight]));
  const typed = new Map(mine.flights.map((flight) => [flight.id, flight]));
  draft.flights = newer.flights.map((flight) => {
    const [before, after] = [known.get(flight.id), typed.get(flight.id)];
    if (before === undefined || after === undefined) {
      return flight;
    }
    const fields = FLIGHT_FIELD_KEYS.filter((field) => before[field] !== after[field]);
    const kept = Object.fromEntries(fields.map((field) => [field, after[field]]));
    return { ...flight, ...kept, isRemoved: after.isRemoved };
  });
  return draft;
}
