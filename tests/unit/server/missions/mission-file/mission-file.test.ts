/** Mission files as archives: bad ones are refused with one sentence, and a copy with changes keeps everything else. */
import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, expect, test, vi } from 'vitest';
import { createMissionFileReader } from '#server/missions/mission-file/mission-file-thread.ts';
import { AppError } from '#server/platform/errors.ts';
import { copy, notLuaDataSentence } from '#shared/copy.ts';
import { missionTexts, writeMission, writeZip, type ZipEntry } from '#tests/harness/mission-file.ts';
import { startProcessorTime } from '#tests/harness/processor-time.ts';

const reader = createMissionFileReader();
afterAll(() => reader.stop());

const entry = (name: string, text: string): ZipEntry => ({ name, content: Buffer.from(text, 'latin1') });
const mission = (text: string): Buffer => writeZip([entry('mission', text)]);

function deflated(name: string, content: Buffer, unpacked = content.length): ZipEntry {
  return { name, content: deflateRawSync(content), declared: { method: 8, crc: crc32(content), unpacked } };
}

const good = writeMission();
const MIB = 1024 * 1024;

/** A file that unpacks to a copy of itself, as far as the reader can tell: an archive in an archive in an archive. */
function nested(depth: number): Buffer {
  let file = good;
  for (let level = 0; level < depth; level += 1) file = writeZip([deflated('mission.miz', file)]);
  return file;
}

/** A mission file and an entry that points into the mission's bytes. */
function overlapping(): Buffer {
  const entries = Object.entries(missionTexts({})).map(([name, text]) => entry(name, text));
  return writeZip([...entries, { ...entry('extra', ''), declared: { offset: 0 } }]);
}

function manyUnits(count: number): { skill: 'Client' }[] {
  return Array.from({ length: count }, () => ({ skill: 'Client' }));
}

function manyGroups(count: number) {
  return Array.from({ length: count }, () => ({ units: manyUnits(1) }));
}

test.each<[string, Buffer, string]>([
  ['text', Buffer.from('mission = {}'), copy.missionFileNotZip],
  ['nothing', Buffer.alloc(0), copy.missionFileNotZip],
  ['half a file', good.subarray(0, good.length / 2), copy.missionFileNotZip],
  ['a file without its first bytes', good.subarray(100), copy.missionFileNotZip],
  ['an archive in an archive', nested(40), copy.missionFileNoMission],
  ['no mission', writeZip([entry('options', 'options = {}')]), copy.missionFileNoMission],
  ['a mission of another name', mission('mission2 = {}'), copy.missionFileNoMission],
  ['an empty mission', mission('mission = {}'), copy.missionFileNoSeats],
  ['no seats', writeMission({ groups: [{ units: [{ skill: 'High' }] }] }), copy.missionFileNoSeats],
  ['code', mission('mission = dofile("x")'), notLuaDataSentence('line 1')],
  ['a million tables in each other', mission(`mission = ${'{'.repeat(MIB)}`), notLuaDataSentence('line 1')],
  ['10 MB of one string', mission(`mission = "${'x'.repeat(10 * MIB)}"`), copy.missionFileNoMission],
  ['10 MB of values', mission(`mission = {${'1,'.repeat(5 * MIB)}}`), notLuaDataSentence('line 1')],
  ['a bomb', writeZip([deflated('mission', Buffer.alloc(48 * MIB))]), copy.missionFileUnpacksTooLarge],
  ['a bomb that lies', writeZip([deflated('mission', Buffer.alloc(48 * MIB), 9)]), copy.missionFileUnpacksTooLarge],
  ['too much to unpack', writeZip([deflated('a', Buffer.alloc(8), 401 * MIB)]), copy.missionFileUnpacksTooLarge],
  [
    'many entries',
    writeZip(Array.from({ length: 2_001 }, (_, index) => entry(`${index}`, ''))),
    copy.missionFileUnpacksTooLarge,
  ],
  [
    'a wrong checksum',
    writeZip([{ ...entry('mission', 'mission = {}'), declared: { crc: 1 } }]),
    copy.missionFileNotZip,
  ],
  ['encryption', writeZip([{ ...entry('mission', 'x'), declared: { flags: 0x801 } }]), copy.missionFileEncrypted],
  ['a path out of the archive', writeZip([entry('mission', ''), entry('../a', '')]), copy.missionFileNames],
  ['an absolute path', writeZip([entry('/etc/passwd', '')]), copy.missionFileNames],
  ['a drive', writeZip([entry('C:/a', '')]), copy.missionFileNames],
  ['a name twice', writeZip([entry('mission', ''), entry('Mission', '')]), copy.missionFileNames],
  ['an entry inside another one, which nobody reads', overlapping(), copy.missionFileNotZip],
  ['2,001 groups', writeMission({ groups: manyGroups(2_001) }), copy.missionFileTooManySeats],
  ['a group of 8,001 seats', writeMission({ groups: [{ units: manyUnits(8_001) }] }), copy.missionFileTooManySeats],
  [
    'an unknown compression',
    writeZip([{ ...entry('mission', 'x'), declared: { method: 14 } }]),
    copy.missionFileNotZip,
  ],
])('refuses %s', async (_name, file, sentence) => {
  await expect(reader.read(file)).rejects.toMatchObject({ code: 'MISSION_FILE_UNREADABLE', message: sentence });
});

test('refuses an entry inside another one when it writes, too', async () => {
  await expect(reader.write(overlapping(), [], new Map())).rejects.toMatchObject({
    code: 'MISSION_FILE_UNREADABLE',
    message: copy.missionFileNotZip,
  });
});

test('reads 2,000 groups', async () => {
  expect((await reader.read(writeMission({ groups: manyGroups(2_000) }))).groups).toHaveLength(2_000);
});

test('reads and writes 2,000 units whose names are one text of the dictionary of 4 MB', async () => {
  const units = Array.from({ length: 2_000 }, () => ({ skill: 'Client' as const, name: 'DictKey_UnitName_1' }));
  const file = writeMission({ groups: [{ units }], dictionary: { DictKey_UnitName_1: 'ж'.repeat(2 * MIB) } });
  const changes = [{ groupId: 1, megahertz: null, units: [{ unitId: 10, name: 'Goose' }] }];
  const { found, used } = await vi.waitUntil(
    async () => {
      const usedSince = startProcessorTime();
      try {
        const read = await reader.read(file);
        await reader.write(file, changes, new Map());
        return { found: read, used: usedSince() };
      } catch (error) {
        // the thread gives way to everything else, so that other programs can keep it past its time
        if (error instanceof AppError && error.code === 'BUSY') return null;
        throw error;
      }
    },
    { timeout: 50_000, interval: 100 },
  );
  expect(found.groups[0]?.units[0]?.name).toBe('ж'.repeat(100));
  // decoding all of it for each unit takes minutes
  expect(used).toBeLessThan(5_000);
});

test('refuses or reads 200 damaged files, and never fails otherwise', { timeout: 60_000 }, async () => {
  const texts = Object.entries(missionTexts({})).map(([name, text]) => ({ name, content: Buffer.from(text) }));
  const source = Buffer.from(missionTexts({}).mission);
  const packed = writeZip(texts.map(({ name, content }) => deflated(name, content)));
  const place = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  const damage = fc.record({
    // the archive itself, stored or deflated, or the mission in a sound archive
    where: fc.constantFrom('stored', 'deflated', 'mission'),
    bytes: fc.array(fc.tuple(place, fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 8 }),
    cut: fc.option(place, { freq: 4 }),
  });
  const damageBytes = (bytes: Buffer, changes: [number, number][], cut: number | null): Buffer => {
    const damaged = Buffer.from(bytes.subarray(0, cut === null ? bytes.length : Math.floor(cut * bytes.length)));
    for (const [at, byte] of changes) if (damaged.length > 0) damaged[Math.floor(at * damaged.length)] = byte;
    return damaged;
  };
  const outcomes = new Map<string, number>();
  for (const { where, bytes, cut } of fc.sample(damage, { numRuns: 200, seed: 20_261_126 })) {
    const damaged =
      where === 'mission'
        ? writeZip([{ name: 'mission', content: damageBytes(source, bytes.slice(0, 1), null) }])
        : damageBytes(where === 'stored' ? good : packed, bytes, cut);
    const outcome = await reader.read(damaged).then(
      () => 'read',
      (error: { code?: string }) => error.code ?? 'bug',
    );
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  }
  expect([...outcomes.keys()].toSorted()).toEqual(['MISSION_FILE_UNREADABLE', 'read']);
});

/** The entries of an archive without data descriptors, read here and not by the product. */
function readZip(file: Buffer): Map<string, { content: Buffer; packed: Buffer }> {
  const entries = new Map<string, { content: Buffer; packed: Buffer }>();
  let at = 0;
  while (file.readUInt32LE(at) === 0x04_03_4b_50) {
    const [method, size] = [file.readUInt16LE(at + 8), file.readUInt32LE(at + 18)];
    const [name, extra] = [file.readUInt16LE(at + 26), file.readUInt16LE(at + 28)];
    const from = at + 30 + name + extra;
    const packed = file.subarray(from, from + size);
    const content = method === 8 ? inflateRawSync(packed) : packed;
    entries.set(file.toString('utf8', at + 30, at + 30 + name), { content, packed });
    at = from + size;
  }
  return entries;
}

test('a copy without changes has the same bytes', async () => {
  expect((await reader.write(good, [], new Map())).equals(good)).toBe(true);
});

test('writes names and frequencies, and nothing else changes', async () => {
  const groups = [
    {
      groupId: 1,
      name: 'Enfield',
      units: [{ unitId: 11 }, { unitId: 12 }, { skill: 'High' as const, name: 'Goose', unitId: 13 }],
    },
    { groupId: 2, name: 'Colt', units: [{ unitId: 21 }] },
  ];
  const file = writeMission({ groups });
  const changed = await reader.write(
    file,
    [
      {
        groupId: 1,
        megahertz: 252.5,
        units: [
          { unitId: 11, name: 'Goose' },
          { unitId: 12, name: 'Жук "Ж" \\ 1' },
        ],
      },
    ],
    new Map([['KNEEBOARD/F-16C_50/IMAGES/page.png', Buffer.from('picture')]]),
  );
  const before = readZip(file);
  const after = readZip(changed);
  expect([...after.keys()]).toEqual([...before.keys(), 'KNEEBOARD/F-16C_50/IMAGES/page.png']);
  for (const [name, { packed }] of before) {
    if (name !== 'mission') expect(after.get(name)?.packed.equals(packed)).toBe(true);
  }
  expect((await reader.read(changed)).groups).toMatchObject([
    { frequency: '252.500 AM', units: [{ name: 'Goose (2)' }, { name: 'Жук "Ж" \\ 1' }] },
    { frequency: '251.000 AM', units: [{ name: 'Colt-1' }] },
  ]);
  const lines = (entries: typeof before) => entries.get('mission')?.content.toString().split('\n') ?? [];
  const other = lines(after).filter((line, index) => line !== lines(before)[index]);
  expect(other.map((line) => line.trim())).toEqual([
    '["frequency"] = 252.5,',
    '["name"] = "Goose (2)",',
    '[1] = 252.5,',
    '["name"] = "Жук \\"Ж\\" \\\\ 1",',
    '[1] = 252.5,',
  ]);
});

test('keeps bytes of another encoding', async () => {
  const { mission: source } = missionTexts({ groups: [{ name: 'NAME' }] });
  const bytes = Buffer.from(source.replace('"NAME"', '"\xc6\xf3\xea"'), 'latin1');
  const file = writeZip([{ name: 'mission', content: bytes }]);
  expect((await reader.read(file)).groups[0]?.name).toBe('\u{fffd}\u{fffd}\u{fffd}');
  const changed = await reader.write(file, [{ groupId: 1, megahertz: 252, units: [] }], new Map());
  expect(readZip(changed).get('mission')?.content.includes(Buffer.from('"\xc6\xf3\xea"', 'latin1'))).toBe(true);
});
