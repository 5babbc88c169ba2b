/** Mission files for tests, written here and not by the product: a zip archive of stored entries, and missions as Lua source. */
import { crc32 } from 'node:zlib';

export interface ZipEntry {
  name: string;
  content: Buffer;
  /** as they stand in the headers, where they should not be true */
  declared?: Partial<{ method: number; flags: number; crc: number; unpacked: number; offset: number }>;
}

/** A zip archive; the entries are stored as they are given. */
export function writeZip(entries: readonly ZipEntry[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, declared = {} } of entries) {
    const { method = 0, flags = 0x800, crc = crc32(content), unpacked = content.length } = declared;
    const bytes = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(flags, 2);
    common.writeUInt16LE(method, 4);
    common.writeUInt16LE(0x21, 8);
    common.writeUInt32LE(crc, 10);
    common.writeUInt32LE(content.length, 14);
    common.writeUInt32LE(unpacked, 18);
    common.writeUInt16LE(bytes.length, 22);
    files.push(Buffer.from('PK\x03\x04'), common, bytes, content);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(declared.offset ?? offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\0'), common, rest, bytes);
    offset += 30 + bytes.length + content.length;
  }
  const end = Buffer.alloc(18);
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(size, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...files, ...directory, Buffer.from('PK\x05\x06'), end]);
}

export type Data = string | number | boolean | readonly Data[] | { readonly [key: string]: Data };

/** Lua source as the mission editor writes it: one field a line, and a comment after each table. */
function luaSource(data: Data, indent = ''): string {
  if (typeof data === 'string') return `"${data.replaceAll(/["\\\n]/g, String.raw`\$&`)}"`;
  if (typeof data !== 'object') return String(data);
  const fields = Array.isArray(data)
    ? data.map((one: Data, index) => [String(index + 1), one] as const)
    : Object.entries(data).map(([key, one]) => [`"${key}"`, one] as const);
  const lines = fields.map(([key, one]) => {
    const end = typeof one === 'object' ? ` -- end of [${key}]` : '';
    return `${indent}    [${key}] = ${luaSource(one, `${indent}    `)},${end}\n`;
  });
  return `\n${indent}{\n${lines.join('')}${indent}}`;
}

export interface SampleUnit {
  name?: string;
  skill?: 'Client' | 'Player' | 'High';
  unitId?: number;
}
export interface SampleGroup {
  groupId?: number;
  name?: string;
  side?: 'blue' | 'red' | 'neutrals';
  kind?: 'plane' | 'helicopter';
  type?: string;
  task?: string;
  frequency?: number;
  /** `Enfield`, or null for the numbers of the eastern side */
  callsign?: string | null;
  units?: readonly SampleUnit[];
}

const PRESETS = [264, 305, 127.5];

function groupData(group: SampleGroup, index: number): Data {
  const { groupId = index + 1, name = `Group ${groupId}`, callsign = 'Enfield', frequency = 251 } = group;
  const units = group.units ?? [{ skill: 'Client' }, { skill: 'Client' }];
  return {
    groupId,
    name,
    task: group.task ?? 'CAP',
    frequency,
    modulation: 0,
    start_time: 0,
    route: { points: [{ x: -1234.5, y: 1e21, task: { id: 'ComboTask' } }] },
    units: units.map(({ name: own, skill = 'Client', unitId }, place) => ({
      unitId: unitId ?? groupId * 10 + place,
      name: own ?? `${name}-${place + 1}`,
      type: group.type ?? 'F-16C_50',
      skill,
      callsign: callsign === null ? 100 + groupId : { name: `${callsign}${groupId % 10}${place + 1}` },
      Radio: [{ channels: [frequency, ...PRESETS] }],
    })),
  };
}

export interface SampleMission {
  theatre?: string;
  sortie?: string;
  groups?: readonly SampleGroup[];
  dictionary?: Readonly<Record<string, string>>;
}

/** The texts of a mission file, by entry. */
export function missionTexts({
  theatre = 'Syria',
  sortie = 'Iron Anvil',
  groups = [{}],
  dictionary = {},
}: SampleMission) {
  const numbered = groups.map((group, index) => ({ group, index }));
  const countries = (['blue', 'red', 'neutrals'] as const).map((side) => {
    const ofKind = (kind: SampleGroup['kind']): Data => ({
      group: numbered
        .filter(({ group }) => (group.side ?? 'blue') === side && (group.kind ?? 'plane') === kind)
        .map(({ group, index }) => groupData(group, index)),
    });
    return [
      side,
      { name: side, country: [{ id: 2, plane: ofKind('plane'), helicopter: ofKind('helicopter') }] },
    ] as const;
  });
  const mission = {
    coalition: Object.fromEntries(countries),
    theatre,
    sortie,
    start_time: 23_400,
    date: { Year: 2016, Month: 6, Day: 21 },
    descriptionText: 'DictKey_descriptionText_1',
    weather: {
      wind: { atGround: { speed: 5, dir: 160 } },
      clouds: { base: 2_500, density: 0, preset: 'Preset10' },
      season: { temperature: 26 },
      qnh: 760,
    },
    version: 20,
  };
  return {
    mission: `mission = ${luaSource(mission)} -- end of mission\n`,
    'l10n/DEFAULT/dictionary': `dictionary = ${luaSource({ DictKey_descriptionText_1: 'Hold the line.', ...dictionary })}\n`,
    options: 'options = {}\n',
    theatre,
  };
}

/** A mission file. */
export function writeMission(sample: SampleMission = {}): Buffer {
  const texts = missionTexts(sample);
  return writeZip(Object.entries(texts).map(([name, text]) => ({ name, content: Buffer.from(text) })));
}
