import { describe, expect, test } from 'vitest';
import {
  countSeats,
  countSlots,
  findTimeErrors,
  findTimesProblem,
  moveStartDate,
  newDraft,
  slotsOf,
  newSlot,
  payloadOf,
  readTimes,
  roundToQuarter,
  findTyped,
  groupAircraft,
} from '#client/features/missions/create/mission-draft.ts';
import { readMissionSearch } from '#client/features/missions/create/mission-search.ts';
import { eachField, MISSION_FIELD_KEYS } from '#shared/mission-fields.ts';
import type { AircraftDto } from '#shared/schemas/availability.ts';
import type { MissionRole } from '#shared/vocabulary.ts';

const NOW = new Date('2026-11-20T12:00:00Z');

const AIRCRAFT: AircraftDto[] = [
  { id: 3, code: 'A-10C_2', name: 'A-10C II', seats: 1, roles: ['CAS'], active: true, pilots: 2 },
  { id: 30, code: 'L-39ZA', name: 'L-39ZA', seats: 2, roles: ['Training', 'CAS'], active: true, pilots: 0 },
  { id: 2, code: 'F-16C_50', name: 'F-16C', seats: 1, roles: ['CAP', 'SEAD'], active: true, pilots: 5 },
];

test.each([
  ['19:00', '19:00'],
  ['19:07', '19:00'],
  ['19:08', '19:15'],
  ['19:22', '19:15'],
  ['19:52', '19:45'],
  ['19:53', '20:00'],
  ['23:59', '23:45'],
  ['', ''],
  ['25:00', '25:00'],
])('minutes of %s are rounded: %s', (typed, rounded) => expect(roundToQuarter(typed)).toBe(rounded));

test.each([
  ['2026-11-20T19:00', {}],
  ['2026-11-20T', {}],
  ['2026-11-20T25:00', { endLocal: 'Please enter a time as HH:mm' }],
  ['T7pm', { endLocal: 'Please enter a time as HH:mm' }],
  ['2026-11-20TT', { endLocal: 'Please enter a time as HH:mm' }],
])('an end of %s is refused with %o', (endLocal, errors) =>
  expect(findTimeErrors({ startLocal: '2026-11-20T18:00', endLocal })).toEqual(errors),
);

test.each([
  ['1', 1],
  ['64', 64],
  ['65', 64],
  ['0', 1],
  ['-3', 1],
  ['', 1],
  ['abc', 1],
  ['4 ships', 4],
])('a slot count of "%s" counts %i', (typed, count) => expect(countSlots(typed)).toBe(count));

describe('a new form', () => {
  test.each([
    ['today from 19:00 to 22:00', {}, 'Europe/Berlin', '2026-11-20T19:00', '2026-11-20T22:00'],
    ['today is the date of the zone', {}, 'Pacific/Kiritimati', '2026-11-21T19:00', '2026-11-21T22:00'],
    ['a start brings its end along', { start: '2026-12-01T20:00' }, 'UTC', '2026-12-01T20:00', '2026-12-01T23:00'],
    ['a date alone has the usual hours', { date: '2026-12-01' }, 'UTC', '2026-12-01T19:00', '2026-12-01T22:00'],
    [
      'a start beats a date',
      { start: '2026-12-02T20:00', date: '2026-12-01' },
      'UTC',
      '2026-12-02T20:00',
      '2026-12-02T23:00',
    ],
    [
      'no date of the calendar',
      { date: '2026-02-30', start: '2026-02-31T20:00' },
      'UTC',
      '2026-11-20T19:00',
      '2026-11-20T22:00',
    ],
    ['over midnight', { start: '2026-12-31T22:30' }, 'UTC', '2026-12-31T22:30', '2027-01-01T01:30'],
    [
      'instants are shown on the wall of the zone',
      { start: '2026-11-20T17:00:00.000Z', end: '2026-11-20T19:30:00Z' },
      'Europe/Berlin',
      '2026-11-20T18:00',
      '2026-11-20T20:30',
    ],
    ['minutes on a quarter', { start: '2026-12-01T20:05' }, 'UTC', '2026-12-01T20:00', '2026-12-01T23:00'],
    [
      'a date that does not exist is left out',
      { start: '2026-13-45T20:00' },
      'UTC',
      '2026-11-20T19:00',
      '2026-11-20T22:00',
    ],
  ])('%s', (_rule, search, zone, startLocal, endLocal) => {
    expect(newDraft(search, zone, NOW)).toEqual({
      ...eachField(MISSION_FIELD_KEYS, () => ''),
      links: [],
      guildIds: null,
      secretSides: null,
      templateId: null,
      missionFile: null,
      startLocal,
      endLocal,
      aircraftSlots: [],
    });
  });

  test('an aircraft slot is one Blue aircraft for Training, of the type that most pilots list', () => {
    expect(newSlot(AIRCRAFT)).toMatchObject({
      aircraftId: '2',
      slotCount: '1',
      role: 'Training',
      side: 0,
      additionalNotes: '',
    });
  });

  test('seats of a link become slots; unknown aircraft and other text are left out', () => {
    const slots = (seats: string) =>
      slotsOf({ seats }, AIRCRAFT).map(({ aircraftId, slotCount, role, side }) => [aircraftId, slotCount, role, side]);
    expect(slots('2x4,9999x2,30x1,2x2')).toEqual([
      ['2', '6', 'Training', 0],
      ['30', '1', 'Training', 0],
    ]);
    for (const text of ['2x65', '2x0', 'x', '2x4;30x1', ' 2x4', '02x4']) expect(slots(text), text).toEqual([]);
  });

  test('while nobody lists an aircraft, it is of a type that can train', () => {
    expect(newSlot(AIRCRAFT.map((one) => ({ ...one, pilots: 0 }))).aircraftId).toBe('30');
  });
});

const ID = '01a1fc53-ab6e-798f-8cb4-a6f4cb0ec1e5';
const NOTHING = {
  start: undefined,
  end: undefined,
  date: undefined,
  from: undefined,
  template: undefined,
  seats: undefined,
};
test.each([
  [
    { start: '2026-11-20T19:00', end: '2026-11-20T19:00:00Z' },
    { ...NOTHING, start: '2026-11-20T19:00', end: '2026-11-20T19:00:00Z' },
  ],
  [
    { start: '2026-11-20T19:00Z', end: '2026-11-20T19:00:00.5Z' },
    { ...NOTHING, start: '2026-11-20T19:00Z', end: '2026-11-20T19:00:00.5Z' },
  ],
  [{ date: '2026-11-20' }, { ...NOTHING, date: '2026-11-20' }],
  [{ from: ID }, { ...NOTHING, from: ID }],
  [{ template: ID }, { ...NOTHING, template: ID }],
  [{ template: 'starter-flag' }, { ...NOTHING, template: 'starter-flag' }],
  [{ template: 'a b' }, NOTHING],
  [{ seats: '2x4' }, { ...NOTHING, seats: '2x4' }],
  [{ start: 7, end: ['x'], date: 20_261_120, from: {} }, NOTHING],
  [{ start: 'tomorrow', view: 'x', end: '2026-11-20T19:00:00', date: '20-11-2026', from: `${ID}'` }, NOTHING],
])('the search parameters %o are read as %o', (search, read) => expect(readMissionSearch(search)).toStrictEqual(read));

test.each([
  ['the end follows', '2026-11-20T22:00', '2026-11-22T22:00'],
  ['the night keeps its length', '2026-11-21T01:00', '2026-11-23T01:00'],
  ['an end before the start stays', '2026-11-18T22:00', '2026-11-18T22:00'],
])('a start moved by two days: %s', (_rule, endLocal, moved) => {
  const draft = { ...newDraft({}, 'UTC', NOW), startLocal: '2026-11-20T19:00', endLocal };
  expect(moveStartDate(draft, '2026-11-22')).toEqual({ startLocal: '2026-11-22T19:00', endLocal: moved });
});

test.each([
  [
    'same evening',
    '2026-11-20T19:00',
    '2026-11-20T22:00',
    '2026-11-20T18:00:00.000Z',
    '2026-11-20T21:00:00.000Z',
    false,
  ],
  [
    'an earlier end is on the next day',
    '2026-11-20T19:00',
    '2026-11-20T02:00',
    '2026-11-20T18:00:00.000Z',
    '2026-11-21T01:00:00.000Z',
    true,
  ],
  [
    'the night the clocks go back is an hour longer',
    '2026-10-24T23:00',
    '2026-10-25T04:00',
    '2026-10-24T21:00:00.000Z',
    '2026-10-25T03:00:00.000Z',
    false,
  ],
])('%s', (_rule, startLocal, endLocal, start, end, isNextDay) => {
  const times = readTimes(startLocal, endLocal, 'Europe/Berlin');
  expect([times?.start.toISOString(), times?.end.toISOString(), times?.isNextDay]).toEqual([start, end, isNextDay]);
});

test('a missing date or time has no instants', () => {
  expect(readTimes('T19:00', '2026-11-20T22:00', 'UTC')).toBeUndefined();
});

test.each([
  ['19:00 to 22:00 is fine', '2026-11-20T19:00', '2026-11-20T22:00', undefined],
  ['five minutes of grace', '2026-11-20T11:55', '2026-11-20T22:00', undefined],
  ['a start in the past', '2026-11-20T11:45', '2026-11-20T22:00', 'The mission cannot start in the past'],
  ['no length', '2026-11-20T19:00', '2026-11-20T19:00', 'The mission must end after it starts'],
  ['end on an earlier date', '2026-11-21T19:00', '2026-11-20T22:00', 'The mission cannot end before it starts'],
  ['more than a day', '2026-11-20T19:00', '2026-11-21T19:15', 'The mission cannot be longer than 24 hours'],
])('%s', (_rule, startLocal, endLocal, problem) => {
  const times = readTimes(startLocal, endLocal, 'UTC');
  expect(times && findTimesProblem(times, NOW)).toBe(problem);
});

test('aircraft that most pilots list come first, then those that fly the role; empty groups are left out', () => {
  const groups = (role: MissionRole) =>
    groupAircraft(AIRCRAFT, role).map(({ group, items }) => [group, items.map(({ id }) => id)]);
  expect(groups('CAS')).toEqual([
    ['Most flown here', [2, 3]],
    ['Usually flies CAS', [30]],
  ]);
  expect(groups('CAP')).toEqual([
    ['Most flown here', [2, 3]],
    ['Other aircraft', [30]],
  ]);
});

test('typed letters find an aircraft by any word of its name or code', () => {
  const named = (name: string, code: string, id: number): AircraftDto => ({
    id,
    name,
    code,
    seats: 1,
    roles: [],
    active: true,
    pilots: 0,
  });
  const list = [
    named('F/A-18C Hornet', 'FA-18C_hornet', 1),
    named('F-16C Viper', 'F-16C_50', 2),
    named('F-14B Tomcat', 'F-14B', 4),
  ];
  const find = (typed: string, chosen = '') => findTyped(list, typed, chosen)?.id;
  expect(['fa18', 'f/a-18', '18', 'horn', 'HORNET'].map((typed) => find(typed))).toEqual([1, 1, 1, 1, 1]);
  expect(['f16', 'F-16', '16c', 'vip'].map((typed) => find(typed))).toEqual([2, 2, 2, 2]);
  expect(find('tom')).toBe(4);
  expect([find('z'), find('-'), find('ornet')]).toEqual([undefined, undefined, undefined]);
  expect([find('f', '2'), find('ff', '1'), find('ff', '2'), find('ff', '4')]).toEqual([1, 2, 4, 1]);
});

test('the payload has numbers, the role in notes, and no empty notes', () => {
  const draft = {
    ...newDraft({ start: '2026-12-01T20:00' }, 'UTC', NOW),
    name: 'Op',
    theater: 'Syria',
    notes: ' ',
    aircraftSlots: [
      { key: 'a', aircraftId: '2', slotCount: '4', role: 'SEAD', side: 0, additionalNotes: '' },
      { key: 'b', aircraftId: '3', slotCount: 'x', role: 'CAS', side: 1, additionalNotes: 'low' },
    ] as const,
  };
  const payload = payloadOf({ ...draft, aircraftSlots: [...draft.aircraftSlots] }, 'Europe/Berlin');
  expect(payload).toEqual({
    name: 'Op',
    theater: 'Syria',
    startLocal: '2026-12-01T20:00',
    endLocal: '2026-12-01T23:00',
    timeZone: 'Europe/Berlin',
    aircraftSlots: [
      { aircraftId: 2, slotCount: 4, side: 0, notes: 'SEAD' },
      { aircraftId: 3, slotCount: 1, side: 1, notes: 'CAS', additionalNotes: 'low' },
    ],
  });
  expect(countSeats([...draft.aircraftSlots])).toBe(5);
  expect(countSeats([...draft.aircraftSlots], 1)).toBe(1);
});
