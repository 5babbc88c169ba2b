/** Two versions of a mission file: what differs, what the edit does, and which unit each seat has afterwards. */
import { describe, expect, test } from 'vitest';
import { compareFiles, reassign, type MissionFlight } from '#server/missions/mission-file/rules/compare-files.ts';
import { assignUnits, wishOf, type SeatUnit } from '#server/missions/mission-file/rules/seat-units.ts';
import { groupNotes, missionNotes } from '#shared/mission-file-text.ts';
import type { FileGroup, FoundMission } from '#shared/schemas/mission-file.ts';

const group = (more: Partial<FileGroup> = {}): FileGroup => ({
  groupId: 1,
  name: 'Viper',
  side: 0,
  type: 'F-16C_50',
  task: 'CAP',
  role: 'CAP',
  callsign: 'Viper 1',
  frequency: '251.000 AM',
  presets: [],
  startSeconds: 0,
  units: [11, 12, 13, 14].map((unitId) => ({ unitId, name: `Viper ${unitId}`, callsign: `Viper${unitId}` })),
  ...more,
});
const mission = (groups: FileGroup[], more: Partial<FoundMission> = {}): FoundMission => ({
  title: '',
  situation: '',
  mapName: 'Syria',
  theater: 'Syria',
  date: '2016-06-21',
  time: '06:30',
  weather: '',
  groups,
  problems: [],
  ...more,
});
const flight = (id: string, sizeCap = 4, more: Partial<MissionFlight> = {}): MissionFlight => ({
  id,
  callsign: id.toUpperCase(),
  sizeCap,
  radioFreq: null,
  ...more,
});
const seats = (flightId: string, groupId: number, unitIds: number[], station = 1): SeatUnit[] =>
  unitIds.map((unitId, seatIndex) => ({ flightId, seatIndex, groupId, unitId, station }));

/** Compares with one flight of the group in the mission. */
function compare(
  is: FileGroup[],
  more: Partial<Parameters<typeof compareFiles>[0]> = {},
  after: Partial<FoundMission> = {},
) {
  return compareFiles({
    before: mission([group()]),
    after: mission(is, after),
    units: seats('a', 1, [11, 12, 13, 14]),
    flights: [flight('a')],
    aircraftOf: (type) => (type === 'X-99' ? null : 2),
    ...more,
  });
}
const NOTHING = { flights: [], removeFlightIds: [], addAircraftSlots: [] };

describe('two versions', () => {
  test('of the same file do not differ, whatever the units are called', () => {
    const renamed = group({ units: group().units.map((unit) => ({ ...unit, name: 'Somebody' })) });
    expect(compare([renamed])).toEqual({ changes: [], problems: [], edit: NOTHING });
  });

  test('change only what differs between them, in all flights of the group', () => {
    const { edit } = compare([group({ side: 1, role: 'SEAD', task: 'SEAD', type: 'FA-18C_hornet' })], {
      units: [...seats('a', 1, [11, 12]), ...seats('b', 1, [13, 14])],
      flights: [flight('a', 2), flight('b', 2)],
    });
    const fields = { aircraftId: 2, side: 1, role: 'SEAD' };
    expect(edit).toEqual({
      ...NOTHING,
      flights: [
        { id: 'a', ...fields },
        { id: 'b', ...fields },
      ],
    });
  });

  test('keep callsigns and frequencies that another flight has, and FM', () => {
    const taken = [flight('a'), flight('colt 1', 1, { radioFreq: '264.000 AM' })];
    const changed = compare([group({ callsign: 'Colt 1', frequency: '264.000 AM' })], { flights: taken });
    expect(changed.edit).toEqual(NOTHING);
    expect(changed.problems).toEqual([
      'Viper keeps its callsign: another flight is Colt 1.',
      'Viper keeps its frequency: 264.000 AM is in use or FM.',
    ]);
    expect(compare([group({ frequency: '38.400 FM' })]).edit).toEqual(NOTHING);
    const free = compare([group({ callsign: 'Colt 1', frequency: '264.000 AM' })]);
    expect(free.edit.flights).toEqual([{ id: 'a', callsign: 'Colt 1', radioFreq: '264.000' }]);
  });

  test('show times, which change nothing', () => {
    const { changes, edit } = compare([group({ startSeconds: 600 })], {}, { time: '07:00' });
    expect(changes.map(({ sentence }) => sentence)).toEqual([
      'Viper: appears 10 min after the start instead of 0 min.',
      'The game starts at 2016-06-21 07:00 instead of 2016-06-21 06:30; the evening stays.',
    ]);
    expect(edit).toEqual(NOTHING);
  });

  test('bring in another theater, unless Marshal lacks it', () => {
    expect(compare([group()], {}, { theater: 'Kola' }).edit.theater).toBe('Kola');
    expect(compare([group()], {}, { theater: null }).edit.theater).toBeUndefined();
  });

  test('keep the aircraft when Marshal lacks the new type', () => {
    const { edit, problems } = compare([group({ type: 'X-99' })]);
    expect([edit, problems]).toEqual([NOTHING, ['Viper keeps its aircraft: Marshal has none for X-99.']]);
  });

  test('shrink the last flight first, and remove a flight that loses all seats', () => {
    const units = [...seats('a', 1, [11, 12]), ...seats('b', 1, [13, 14])];
    const flights = [flight('a', 2), flight('b', 2)];
    const left = (count: number) => compare([group({ units: group().units.slice(0, count) })], { units, flights }).edit;
    expect(left(3)).toEqual({ ...NOTHING, flights: [{ id: 'b', sizeCap: 1 }] });
    expect(left(1)).toEqual({ ...NOTHING, flights: [{ id: 'a', sizeCap: 1 }], removeFlightIds: ['b'] });
  });

  test('leave a flight alone that an admin has resized, unless the group differs', () => {
    expect(compare([group()], { flights: [flight('a', 2)], units: seats('a', 1, [11, 12]) }).edit).toEqual(NOTHING);
  });

  test('remove second crew stations with their group', () => {
    const units = [...seats('a', 1, [11]), ...seats('b', 1, [11], 2)];
    const { edit } = compare([], { units, flights: [flight('a', 1), flight('b', 1)] });
    expect(edit.removeFlightIds).toEqual(['a', 'b']);
  });

  test('do not plan a group that was left out before', () => {
    const other = group({ groupId: 2, name: 'Left out' });
    const before = mission([group(), other]);
    expect(compare([group(), { ...other, role: 'SEAD' }], { before })).toEqual({
      changes: [],
      problems: [],
      edit: NOTHING,
    });
  });
});

describe('units', () => {
  test('of a slot are those of its group in order, over all flights of the slot', () => {
    const slots = [{}, { fileGroupId: 1 }, { fileGroupId: 1, fileStation: 2 }, { fileGroupId: 9 }];
    const flights = [
      { id: 'x', slotIndex: 0, sizeCap: 1 },
      { id: 'a', slotIndex: 1, sizeCap: 3 },
      { id: 'b', slotIndex: 1, sizeCap: 2 },
      { id: 'c', slotIndex: 2, sizeCap: 1 },
      { id: 'd', slotIndex: 3, sizeCap: 1 },
    ];
    const assigned = assignUnits(slots, flights, [group()]);
    expect(assigned.map(({ flightId, unitId, station }) => [flightId, unitId, station])).toEqual([
      ['a', 11, 1],
      ['a', 12, 1],
      ['a', 13, 1],
      ['b', 14, 1],
      ['c', 11, 2],
    ]);
  });

  test('stay with their seats, and the rest goes to the others', () => {
    const now = [0, 1, 2].map((seatIndex) => ({ flightId: 'a', seatIndex, station: 1 }));
    const after = group({ units: group().units.filter(({ unitId }) => unitId !== 12) });
    expect(reassign(now, seats('a', 1, [11, 12, 13, 14]), after).map(({ unitId }) => unitId)).toEqual([11, 14, 13]);
  });

  test('are not wished for by second crew stations, nor is FM', () => {
    expect(wishOf({ fileGroupId: 1 }, [group()])).toEqual({ callsign: 'Viper 1', radioFreq: '251.000 AM' });
    expect(wishOf({ fileGroupId: 1, fileStation: 2 }, [group()])).toBeUndefined();
    expect(wishOf({}, [group()])).toBeUndefined();
    const odd = group({ callsign: 'A callsign of many letters 1', frequency: '38.400 FM' });
    expect(wishOf({ fileGroupId: 1 }, [odd])).toEqual({ callsign: null, radioFreq: null });
  });
});

test('notes say what the game calls a group, and when and in which weather it starts', () => {
  expect(groupNotes(group({ task: null }))).toBe('In the game: Viper, Viper 1, 251.000 AM.');
  expect(groupNotes(group({ callsign: null, frequency: null }))).toBe(
    'In the game: Viper, Viper11, Viper12, Viper13, Viper14, CAP.',
  );
  expect(missionNotes(mission([], { situation: 'Hold.', weather: '26 °C' }))).toBe(
    'Hold.\n\nThe game starts at 2016-06-21 06:30.\n\nWeather: 26 °C.',
  );
  expect(missionNotes(mission([], { date: null, time: null }))).toBe('');
});
