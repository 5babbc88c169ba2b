/** The seats of a mission file: sides, types, roles, callsigns, radios, the weather, and what is left out. */
import { expect, test } from 'vitest';
import { createResolver, findMission, FORGOTTEN_TABLES } from '#server/missions/mission-file/rules/find-seats.ts';
import { codesOfType, knownType } from '#server/missions/mission-file/rules/dcs-types.ts';
import { weatherWords } from '#server/missions/mission-file/rules/dcs-words.ts';
import { isTable, parseLuaData } from '#server/missions/mission-file/rules/lua-data.ts';
import { AIRCRAFT_CATALOGUE } from '#server/accounts/pilots/rules/aircraft-catalogue.ts';
import { missionTexts, type SampleMission } from '#tests/harness/mission-file.ts';

function find(sample: SampleMission) {
  const texts = missionTexts(sample);
  const table = (source: string, name: string) => {
    const found = parseLuaData(Buffer.from(source).toString('latin1'), FORGOTTEN_TABLES).get(name);
    if (!isTable(found)) throw new Error(`no ${name}`);
    return found;
  };
  const dictionary = table(texts['l10n/DEFAULT/dictionary'], 'dictionary');
  return findMission(table(texts.mission, 'mission'), createResolver([dictionary]));
}

test('finds groups with clients, and counts only these', () => {
  const { groups } = find({
    groups: [
      { name: 'Enfield', task: 'Escort', units: [{ skill: 'High' }, { skill: 'Client' }, { skill: 'Player' }] },
      { units: [{ skill: 'High' }] },
      { side: 'red', kind: 'helicopter', type: 'Mi-24P', callsign: null, task: 'Transport', frequency: 124 },
    ],
  });
  expect(groups).toMatchObject([
    {
      groupId: 1,
      name: 'Enfield',
      side: 0,
      type: 'F-16C_50',
      task: 'Escort',
      role: 'CAP',
      callsign: 'Enfield 1',
      frequency: '251.000 AM',
      presets: [{ radio: 1, channels: [{ channel: 1, megahertz: 251 }, {}, {}, { channel: 4, megahertz: 127.5 }] }],
      units: [
        { unitId: 11, name: 'Enfield-2', callsign: 'Enfield12' },
        { unitId: 12, name: 'Enfield-3', callsign: 'Enfield13' },
      ],
    },
    { side: 1, type: 'Mi-24P', callsign: null, role: 'Training', units: [{ callsign: '103' }, {}] },
  ]);
});

test('reads title, situation, simulated start and weather', () => {
  const found = find({
    sortie: 'DictKey_sortie_2',
    dictionary: { DictKey_sortie_2: 'Жар-птица' },
    theatre: 'PersianGulf',
  });
  expect(found).toMatchObject({
    title: 'Жар-птица',
    situation: 'Hold the line.',
    mapName: 'PersianGulf',
    theater: 'Persian Gulf',
    date: '2016-06-21',
    time: '06:30',
    weather: 'wind 340° 10 kt, clouds at 8200 ft (Preset10), 26 °C, QNH 1013 hPa',
    problems: [],
  });
});

test('resolves names by the dictionary', () => {
  const { groups } = find({
    groups: [{ name: 'DictKey_GroupName_7', units: [{ name: 'DictKey_UnitName_8' }, { name: 'DictKey_UnitName_9' }] }],
    dictionary: { DictKey_GroupName_7: 'Colt 1', DictKey_UnitName_8: 'Colt 1-1' },
  });
  expect(groups).toMatchObject([{ name: 'Colt 1', units: [{ name: 'Colt 1-1' }, { name: 'DictKey_UnitName_9' }] }]);
});

test('says what it leaves out and what does not fit', () => {
  const five = Array.from({ length: 5 }, () => ({}));
  const many = Array.from({ length: 65 }, (_, index) => ({ unitId: 1_000 + index }));
  const huge = Array.from({ length: 190 }, (_, index) => ({ unitId: 2_000 + index }));
  const { groups, problems } = find({
    theatre: 'TheChannel',
    groups: [
      { side: 'neutrals' },
      { name: 'Pontiac', units: five },
      { name: 'Crowd', units: many },
      { name: 'Horde', units: huge },
    ],
  });
  expect(groups.map(({ name }) => name)).toEqual(['Pontiac', 'Crowd', 'Horde']);
  expect(problems).toEqual([
    'Marshal has no theater for the map TheChannel. Please choose one.',
    'One group is neutral and left out: Marshal has two sides.',
    'Pontiac has 5 seats and becomes several flights of at most 4.',
    'Crowd has 65 seats, and an entry of the form at most 64.',
    'Horde has 190 seats, and an entry of the form at most 64.',
    'The file has 260 seats, and a mission can hold at most 256. Please leave some groups out.',
  ]);
});

test.each([
  ['{ wind = { atGround = { speed = 0, dir = 0 } } }', 'wind calm'],
  ['{ wind = { atGround = { speed = 5, dir = 180 } } }', 'wind 360° 10 kt'],
  ['{ clouds = { base = 300, density = 0 } }', 'no clouds'],
  ['{ clouds = { base = 300, density = 7 }, season = { temperature = -3.4 } }', 'clouds at 1000 ft (density 7), -3 °C'],
  ['{}', ''],
])('says %s as "%s"', (source, words) => {
  expect(weatherWords(parseLuaData(`weather = ${source}`).get('weather'))).toBe(words);
});

test('variants fly as a type of the catalogue, and other types can be added', () => {
  const codes = new Set(AIRCRAFT_CATALOGUE.map(({ code }) => code));
  for (const variant of ['F-14A-135-GR', 'SA342L', 'Mirage-F1EE', 'Ka-50']) {
    expect(codesOfType(variant).some((code) => codes.has(code))).toBe(true);
  }
  expect(codesOfType('P-51D-30-NA')).toEqual(['P-51D-30-NA']);
  expect(knownType('P-51D-30-NA')).toMatchObject({ name: 'P-51D-30 Mustang', seats: 1 });
  expect(knownType('A-4E-C mod')).toEqual({ name: 'A-4E-C mod', seats: 1, roles: [] });
});
