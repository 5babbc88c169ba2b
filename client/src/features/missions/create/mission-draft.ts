/** Values of the create form, with time calculations and the API payload. */
import { localTime } from '#client/lib/time.ts';
import { addDays, instantOfWallTime, readWallTime } from '#client/lib/wall-time.ts';
import { localDate } from '#shared/clock.ts';
import { copy } from '#shared/copy.ts';
import {
  AIRCRAFT_SLOT_COUNT,
  MISSION_DEFAULT,
  MISSION_MAX_HOURS,
  MISSION_MINUTES_STEP,
  MISSION_START_GRACE_MINUTES,
} from '#shared/limits.ts';
import { eachField, givenOf, MISSION_FIELD_KEYS, type MissionField } from '#shared/mission-fields.ts';
import type { MissionLink } from '#shared/schemas/mission-links.ts';
import type { AircraftDto } from '#shared/schemas/availability.ts';
import { parseSeatRequests } from '#shared/seat-request.ts';
import { SIDES, type MissionRole, type Side } from '#shared/vocabulary.ts';
import type { MissionSearch } from './mission-search.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const LAST_QUARTER = 24 * 60 - MISSION_MINUTES_STEP;

export interface SlotDraft {
  /** key within the form, not sent */
  key: string;
  /** aircraft id as text, for the select */
  aircraftId: string;
  /** text as typed; `countSlots` parses it */
  slotCount: string;
  role: MissionRole;
  side: Side;
  additionalNotes: string;
  /** the group of the mission file that it is */
  file?: { groupId: number; station: 1 | 2 };
}

/** Form values; '' for an empty field. */
export interface MissionDraft extends Record<MissionField, string> {
  /** `YYYY-MM-DDTHH:mm` in the form's zone; either half may be empty while editing */
  startLocal: string;
  endLocal: string;
  links: readonly MissionLink[];
  /** null for all Discord servers */
  guildIds: readonly string[] | null;
  /** null for the default: secret while both sides have seats */
  secretSides: boolean | null;
  /** the template whose callsigns, frequencies, times and objectives the mission takes; null for none */
  templateId: string | null;
  /** the mission file that is kept with it; null for none */
  missionFile: { id: string; name: string } | null;
  aircraftSlots: SlotDraft[];
}

/** Date and time of a `…Local` text. */
export function splitLocal(local: string): { date: string; time: string } {
  const [date = '', ...time] = local.split('T');
  return { date, time: time.join('T') };
}

/** Rounds to the nearest quarter hour of the same day: `19:07` to `19:00`, `19:08` to `19:15`. Other text stays. */
export function roundToQuarter(time: string): string {
  const match = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(time);
  if (!match) {
    return time;
  }
  const minutes = Number(match[1]) * 60 + Number(match[2]);
  const rounded = Math.min(Math.round(minutes / MISSION_MINUTES_STEP) * MISSION_MINUTES_STEP, LAST_QUARTER);
  return clock(rounded);
}

function clock(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
}

/** A wall time, or an instant converted to `timeZone`, rounded to a quarter hour. */
function toLocal(moment: string, timeZone: string): string {
  const { date, time } = moment.endsWith('Z')
    ? { date: localDate(moment, timeZone), time: localTime(moment, timeZone) }
    : splitLocal(moment);
  return `${date}T${roundToQuarter(time)}`;
}

/** True when a wall time, instant or date exists; Date would parse February 31 as a day in March. */
function exists(moment: string | undefined): moment is string {
  if (moment === undefined) {
    return false;
  }
  const at = new Date(moment.includes('T') && !moment.endsWith('Z') ? `${moment}Z` : moment);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(moment.slice(0, 10));
}

/** Initial form: 19:00 to 22:00 today, or the times or date from the link. */
export function newDraft(search: MissionSearch, timeZone: string, now: Date): MissionDraft {
  const startLocal = exists(search.start)
    ? toLocal(search.start, timeZone)
    : `${exists(search.date) ? search.date : localDate(now, timeZone)}T${MISSION_DEFAULT.startLocal}`;
  const start = splitLocal(startLocal);
  const endLocal = exists(search.end) ? toLocal(search.end, timeZone) : defaultEnd(start);
  return {
    ...eachField(MISSION_FIELD_KEYS, () => ''),
    startLocal,
    endLocal,
    links: [],
    guildIds: null,
    secretSides: null,
    templateId: null,
    missionFile: null,
    aircraftSlots: [],
  };
}

/** The default length after the start, from 19:00 to 22:00. */
function defaultEnd({ date, time }: { date: string; time: string }): string {
  const minutesOf = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
  const end = minutesOf(time) + minutesOf(MISSION_DEFAULT.endLocal) - minutesOf(MISSION_DEFAULT.startLocal);
  return end < 1440 ? `${date}T${clock(end)}` : `${addDays(date, 1)}T${clock(end - 1440)}`;
}

/** Moves the start to another date, and the end by the same number of days. */
export function moveStartDate(draft: MissionDraft, date: string): Pick<MissionDraft, 'startLocal' | 'endLocal'> {
  const start = splitLocal(draft.startLocal);
  const end = splitLocal(draft.endLocal);
  const days = Math.round((Date.parse(`${end.date}T00:00Z`) - Date.parse(`${start.date}T00:00Z`)) / (24 * HOUR_MS));
  const canFollow = date !== '' && days >= 0;
  return {
    startLocal: `${date}T${start.time}`,
    endLocal: canFollow ? `${addDays(date, days)}T${end.time}` : draft.endLocal,
  };
}

export interface MissionTimes {
  start: Date;
  end: Date;
  /** true when the end is earlier than the start on the same date, so it is on the next day */
  isNextDay: boolean;
}

/** The mission's instants as the server will compute them; undefined when a date or time is missing. */
export function readTimes(startLocal: string, endLocal: string, timeZone: string): MissionTimes | undefined {
  const first = splitLocal(startLocal);
  const last = splitLocal(endLocal);
  const isNextDay = first.date !== '' && first.date === last.date && last.time !== '' && last.time < first.time;
  const start = instantOfWallTime(first.date, first.time, timeZone);
  const end = instantOfWallTime(isNextDay ? addDays(last.date, 1) : last.date, last.time, timeZone);
  return start === undefined || end === undefined ? undefined : { start, end, isNextDay };
}

/** The server's refusal of the times, if any. */
export function findTimesProblem({ start, end }: MissionTimes, now: Date): string | undefined {
  const length = end.getTime() - start.getTime();
  if (length < 0) {
    return copy.missionEndBeforeStart;
  }
  if (length === 0) {
    return copy.missionNoLength;
  }
  if (length > MISSION_MAX_HOURS * HOUR_MS) {
    return copy.missionTooLong;
  }
  return start.getTime() < now.getTime() - MISSION_START_GRACE_MINUTES * MINUTE_MS
    ? copy.missionStartInPast
    : undefined;
}

/** Errors for times that cannot be read; the schema's sentence is about a date and a time in one text. */
export function findTimeErrors({ startLocal, endLocal }: Pick<MissionDraft, 'startLocal' | 'endLocal'>) {
  const isUnreadable = (local: string): boolean => {
    const { time } = splitLocal(local);
    return time !== '' && readWallTime(time) === undefined;
  };
  return {
    ...(isUnreadable(startLocal) && { startLocal: copy.invalidTime }),
    ...(isUnreadable(endLocal) && { endLocal: copy.invalidTime }),
  };
}

/** Parses a slot count, 1 to 64; text that is not a number counts as 1. */
export function countSlots(text: string): number {
  const count = Number.parseInt(text, 10);
  const { min, max, initial } = AIRCRAFT_SLOT_COUNT;
  return Number.isNaN(count) ? initial : Math.min(Math.max(count, min), max);
}

/** Sum of the slot counts. @param side counts only that side */
export function countSeats(slots: readonly SlotDraft[], side?: Side): number {
  return slots
    .filter((slot) => side === undefined || slot.side === side)
    .reduce((sum, { slotCount }) => sum + countSlots(slotCount), 0);
}

/** Aircraft that the form offers first, as those that most pilots list. */
const MOST_FLOWN_MAX = 6;

/** Aircraft of a select in named groups without gaps: those that most pilots list, those that usually fly a role, others. */
export function groupAircraft(
  aircraft: readonly AircraftDto[],
  role: MissionRole,
): { group: string; items: AircraftDto[] }[] {
  const mostFlown = aircraft
    .filter(({ pilots }) => pilots > 0)
    .toSorted((a, b) => b.pilots - a.pilots)
    .slice(0, MOST_FLOWN_MAX);
  const rest = aircraft.filter((one) => !mostFlown.includes(one));
  return [
    { group: 'Most flown here', items: mostFlown },
    { group: `Usually flies ${role}`, items: rest.filter(({ roles }) => roles.includes(role)) },
    { group: 'Other aircraft', items: rest.filter(({ roles }) => !roles.includes(role)) },
  ].filter(({ items }) => items.length > 0);
}

const lettersOf = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/**
 * The first aircraft in which a word of the name or code begins with the typed letters: `f16`, `16c`, `viper`. One letter
 * typed several times goes on to the next aircraft each time, as in any select.
 * @param chosen id of the chosen aircraft as text
 */
export function findTyped(aircraft: readonly AircraftDto[], typed: string, chosen: string): AircraftDto | undefined {
  const letters = lettersOf(typed);
  const isRepeated = letters.length > 1 && new Set(letters).size === 1;
  const sought = isRepeated ? letters.slice(0, 1) : letters;
  const matches = (text: string): boolean =>
    [...text.matchAll(/[\p{L}\p{N}]+/gu)].some(({ index }) => lettersOf(text.slice(index)).startsWith(sought));
  const found = sought === '' ? [] : aircraft.filter(({ name, code }) => matches(name) || matches(code));
  const at = isRepeated ? found.findIndex(({ id }) => String(id) === chosen) + 1 : 0;
  return found[at] ?? found[0];
}

let lastKey = 0;

/** New key for a slot. */
export function nextKey(): string {
  lastKey += 1;
  return `aircraft-${lastKey}`;
}

/** Default slot: one Blue seat for Training in the first aircraft of the select. */
export function newSlot(aircraft: readonly AircraftDto[]): SlotDraft {
  const [first] = groupAircraft(aircraft, 'Training').flatMap(({ items }) => items);
  return {
    key: nextKey(),
    aircraftId: String(first?.id ?? ''),
    slotCount: String(AIRCRAFT_SLOT_COUNT.initial),
    role: 'Training',
    side: SIDES.blue,
    additionalNotes: '',
  };
}

/** Slots for the seats in a link, as new slots; unknown aircraft are left out. */
export function slotsOf({ seats }: MissionSearch, aircraft: readonly AircraftDto[]): SlotDraft[] {
  return parseSeatRequests(seats)
    .filter(({ aircraftId }) => aircraft.some(({ id }) => id === aircraftId))
    .map((one) => ({ ...newSlot(aircraft), aircraftId: String(one.aircraftId), slotCount: String(one.seats) }));
}

/**
 * API payload of the form: filled fields, the aircraft id as a number, the role in `notes`.
 * @param timeZone zone of the form's times
 */
export function payloadOf(draft: MissionDraft, timeZone: string) {
  const complete = (local: string): string => (/^.+T.+$/.test(local) ? local : '');
  return {
    ...givenOf(
      draft,
      MISSION_FIELD_KEYS.filter((key) => draft[key].trim() !== ''),
    ),
    startLocal: complete(draft.startLocal),
    endLocal: complete(draft.endLocal),
    timeZone,
    ...(draft.links.length > 0 && { links: [...draft.links] }),
    ...(draft.guildIds !== null && { guildIds: [...draft.guildIds] }),
    ...(draft.secretSides !== null && { secretSides: draft.secretSides }),
    ...(draft.templateId !== null && { templateId: draft.templateId }),
    ...(draft.missionFile !== null && { missionFileId: draft.missionFile.id }),
    aircraftSlots: draft.aircraftSlots.map(({ aircraftId, slotCount, side, role, additionalNotes, file }) => ({
      aircraftId: Number(aircraftId),
      slotCount: countSlots(slotCount),
      side,
      notes: role,
      ...(additionalNotes.trim() !== '' && { additionalNotes }),
      ...(draft.missionFile !== null && file && { fileGroupId: file.groupId, fileStation: file.station }),
    })),
  };
}
