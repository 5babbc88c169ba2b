/** The seats of a mission file: its groups with units of skill Client or Player, and what else the mission form can use. */
import { AIRCRAFT_SLOT_COUNT, FLIGHT_SIZE_MAX, MISSION_FILE, MISSION_SEATS_MAX } from '#shared/limits.ts';
import type { FileGroup, FoundMission } from '#shared/schemas/mission-file.ts';
import { SIDES, type Side } from '#shared/vocabulary.ts';
import { field, frequencyOf, listAt, numberAt, roleOf, theaterOf, weatherWords } from './dcs-words.ts';
import { isTable, readText, type LuaKey, type LuaScalar, type LuaTable, type LuaValue } from './lua-data.ts';

/** Tables that say nothing about seats and make up most of a mission. */
export const FORGOTTEN_TABLES: ReadonlySet<LuaKey> = new Set([
  'datalinks',
  'drawings',
  'failures',
  'goals',
  'groundControl',
  'map',
  'payload',
  'result',
  'route',
  'ship',
  'static',
  'trig',
  'triggers',
  'trigrules',
  'vehicle',
]);

/** Longest name of a group or unit that is kept, and of the situation, in characters. */
const NAME_LENGTH = 100;
const SITUATION_LENGTH = 3_000;
const RADIOS_MAX = 4;
const CHANNELS_MAX = 40;

/** More groups or seats than Marshal reads: they are compared with each other, and all are sent to the page. */
export class TooManySeats extends Error {}

export type Resolve = (text: string) => string;

/** Texts of the mission by key: `DictKey_…` stands for an entry of the dictionary. @param dictionaries the preferred one first */
export function createResolver(dictionaries: readonly LuaTable[]): Resolve {
  return (text) => {
    if (!text.startsWith('DictKey_')) return text;
    for (const dictionary of dictionaries) {
      const found = dictionary.get(text);
      if (found !== undefined && !isTable(found) && typeof found.value === 'string') return found.value;
    }
    return text;
  };
}

const CLIENTS: ReadonlySet<unknown> = new Set(['Client', 'Player']);

const scalarAt = (value: LuaValue | undefined, ...path: LuaKey[]): LuaScalar | null => {
  const found = field(value, ...path);
  return found === undefined || isTable(found) ? null : found;
};

/** A group as it stands in the file, with the tables that an export changes. */
export interface RawGroup {
  readonly side: Side | null;
  readonly table: LuaTable;
  readonly clients: readonly LuaTable[];
}

const COALITIONS = [
  ['blue', SIDES.blue],
  ['red', SIDES.red],
  ['neutrals', null],
] as const;

/** The groups with seats for people, blue ones first, in the order of the file. */
export function listGroups(mission: LuaTable): RawGroup[] {
  return COALITIONS.flatMap(([coalition, side]) =>
    listAt(mission, 'coalition', coalition, 'country').flatMap((country) =>
      ['plane', 'helicopter'].flatMap((kind) =>
        listAt(country, kind, 'group').flatMap((table) => {
          const clients = listAt(table, 'units').filter((unit) => CLIENTS.has(scalarAt(unit, 'skill')?.value));
          return clients.length === 0 ? [] : [{ side, table, clients }];
        }),
      ),
    ),
  );
}

export const groupIdOf = (group: LuaTable): number | null => numberAt(group, 'groupId');
export const unitIdOf = (unit: LuaTable): number | null => numberAt(unit, 'unitId');

/** `Enfield11` of the western table form, or the number of the eastern one. */
function callsignOf(unit: LuaTable): string | null {
  const scalar = scalarAt(unit, 'callsign') ?? scalarAt(unit, 'callsign', 'name');
  return scalar === null ? null : readText(String(scalar.value), NAME_LENGTH);
}

/** `Enfield 1` for the unit `Enfield11`; null for an eastern number. */
function flightCallsign(callsign: string | null): string | null {
  const [, name, number] = /^(\D*[^\d\s-])[\s-]*(\d)(?:[\s-]*\d)?$/.exec(callsign ?? '') ?? [];
  return name === undefined || number === undefined ? null : `${name} ${number}`;
}

function presetsOf(unit: LuaTable): FileGroup['presets'] {
  const radios = listAt(unit, 'Radio').slice(0, RADIOS_MAX);
  return radios.flatMap((radio, index) => {
    const channels = field(radio, 'channels');
    if (!isTable(channels)) return [];
    const found = [...channels].flatMap(([channel, value]) =>
      typeof channel === 'number' && !isTable(value) && typeof value.value === 'number'
        ? [{ channel, megahertz: value.value }]
        : [],
    );
    return [{ radio: index + 1, channels: found.toSorted((a, b) => a.channel - b.channel).slice(0, CHANNELS_MAX) }];
  });
}

function timeOfDay(seconds: number | null): string | null {
  if (seconds === null || seconds < 0) return null;
  const minutes = Math.floor(seconds / 60) % (24 * 60);
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
}

function dateOf(date: LuaValue | undefined): string | null {
  const year = numberAt(date, 'Year');
  const month = numberAt(date, 'Month');
  const day = numberAt(date, 'Day');
  if (year === null || month === null || day === null) return null;
  const pad = (part: number, length: number): string => String(part).padStart(length, '0');
  const text = `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`;
  return /^\d{4}-\d{2}-\d{2}$/.test(text) ? text : null;
}

/** @returns null for a group without the numbers that name it and its units */
function presentGroup({ side, table, clients }: RawGroup, textAt: TextAt): FileGroup | null {
  const groupId = groupIdOf(table);
  const [first] = clients;
  if (groupId === null || first === undefined || side === null) return null;
  const task = textAt(table, 'task');
  const frequency = numberAt(table, 'frequency');
  const isUsual = frequency !== null && frequency > 0 && frequency < 1_000;
  return {
    groupId,
    name: textAt(table, 'name') ?? '',
    side,
    type: textAt(first, 'type') ?? '',
    task,
    role: roleOf(task),
    callsign: flightCallsign(callsignOf(first)),
    frequency: isUsual ? frequencyOf(frequency, numberAt(table, 'modulation')) : null,
    presets: presetsOf(first),
    startSeconds: Math.max(0, Math.round(numberAt(table, 'start_time') ?? 0)),
    units: clients.flatMap((unit) => {
      const unitId = unitIdOf(unit);
      return unitId === null ? [] : [{ unitId, name: textAt(unit, 'name') ?? '', callsign: callsignOf(unit) }];
    }),
  };
}

type TextAt = (value: LuaValue | undefined, ...path: LuaKey[]) => string | null;

/** What the file has beyond Marshal, as sentences. */
function listProblems(groups: readonly FileGroup[], raw: readonly RawGroup[], theaterName: string): string[] {
  const problems: string[] = [];
  if (theaterOf(theaterName) === null) {
    problems.push(`Marshal has no theater for the map ${theaterName || 'without a name'}. Please choose one.`);
  }
  const neutral = raw.filter(({ side }) => side === null).length;
  if (neutral > 0) {
    problems.push(
      `${neutral === 1 ? 'One group is' : `${neutral} groups are`} neutral and left out: Marshal has two sides.`,
    );
  }
  const unnumbered = raw.length - neutral - groups.length;
  if (unnumbered > 0) {
    problems.push(
      `${unnumbered === 1 ? 'One group is' : `${unnumbered} groups are`} left out: a group or unit has no number.`,
    );
  }
  for (const { name, units } of groups) {
    if (units.length > AIRCRAFT_SLOT_COUNT.max) {
      problems.push(`${name} has ${units.length} seats, and an entry of the form at most ${AIRCRAFT_SLOT_COUNT.max}.`);
    } else if (units.length > FLIGHT_SIZE_MAX) {
      problems.push(`${name} has ${units.length} seats and becomes several flights of at most ${FLIGHT_SIZE_MAX}.`);
    }
  }
  const seats = groups.reduce((sum, { units }) => sum + units.length, 0);
  if (seats > MISSION_SEATS_MAX) {
    problems.push(
      `The file has ${seats} seats, and a mission can hold at most ${MISSION_SEATS_MAX}. Please leave some groups out.`,
    );
  }
  return problems;
}

/**
 * What Marshal reads of a mission. A file without seats has no groups.
 * @throws TooManySeats for more groups or seats than any mission can use
 */
export function findMission(mission: LuaTable, resolve: Resolve): FoundMission {
  const textAt: TextAt = (value, ...path) => {
    const found = scalarAt(value, ...path);
    return typeof found?.value === 'string' ? readText(resolve(found.value), NAME_LENGTH) : null;
  };
  const raw = listGroups(mission);
  const seats = raw.reduce((sum, { clients }) => sum + clients.length, 0);
  if (raw.length > MISSION_FILE.groupsMax || seats > MISSION_FILE.seatsMax) throw new TooManySeats();
  const groups = raw.flatMap((group) => presentGroup(group, textAt) ?? []).filter(({ units }) => units.length > 0);
  const theater = textAt(mission, 'theatre') ?? '';
  const situation = scalarAt(mission, 'descriptionText')?.value;
  const sortie = textAt(mission, 'sortie')?.trim() ?? '';
  return {
    title: sortie.startsWith('DictKey_') ? '' : sortie,
    situation: typeof situation === 'string' ? situationText(resolve(situation)) : '',
    mapName: theater,
    theater: theaterOf(theater),
    date: dateOf(field(mission, 'date')),
    time: timeOfDay(numberAt(mission, 'start_time')),
    weather: weatherWords(field(mission, 'weather')),
    groups,
    problems: listProblems(groups, raw, theater),
  };
}

const situationText = (bytes: string): string =>
  bytes.startsWith('DictKey_') ? '' : readText(bytes.trimStart(), SITUATION_LENGTH).trimEnd();
