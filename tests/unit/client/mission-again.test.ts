import { describe, expect, test } from 'vitest';
import { filledSentence, ineligibleSentence } from '#client/features/missions/create/dry-run-text.ts';
import { missionAgain } from '#client/features/missions/create/mission-again.ts';
import { newDraft, newSlot } from '#client/features/missions/create/mission-draft.ts';
import { dryRunRequest } from '#client/features/missions/create/use-dry-run.ts';
import { eachField, MISSION_TEXT_KEYS } from '#shared/mission-fields.ts';
import type { AircraftDto } from '#shared/schemas/availability.ts';
import type { MissionDetailDto } from '#shared/schemas/mission-admin.ts';

const AIRCRAFT: AircraftDto[] = [
  { id: 2, code: 'F-16C_50', name: 'F-16C', seats: 1, roles: ['CAP', 'SEAD'], active: true, pilots: 3 },
  { id: 3, code: 'A-10C_2', name: 'A-10C II', seats: 1, roles: ['CAS'], active: true, pilots: 3 },
];

const mission = (startUtc: string, endUtc: string, ownTimeZone: string): MissionDetailDto => ({
  id: '00000000-0000-7000-8000-000000000001',
  name: 'Op Every Week',
  theater: 'Syria',
  status: 'completed',
  timeZone: ownTimeZone,
  startLocal: '',
  endLocal: '',
  startUtc,
  endUtc,
  isPractice: false,
  createdByName: 'Goose',
  ...eachField(MISSION_TEXT_KEYS, () => null),
  links: [{ kind: 'chart', title: 'Akrotiri', url: 'https://charts.example/akrotiri' }],
  packages: [],
  ownTimeZone,
  guildIds: null,
  secretSides: null,
  version: '1',
  aircraftSlots: [
    { aircraftId: 2, slotCount: 5, side: 1, notes: 'SEAD', additionalNotes: null },
    { aircraftId: 99, slotCount: 2, side: 0, notes: 'CAP', additionalNotes: 'gone' },
  ],
});

describe('a repeated mission', () => {
  test.each([
    ['a week later', '2026-11-18T19:00Z', '2026-11-18T22:00Z', 'UTC', 'UTC', '2026-11-25T19:00', '2026-11-25T22:00'],
    [
      'weeks later when it is long gone',
      '2026-10-07T19:00Z',
      '2026-10-07T22:00Z',
      'UTC',
      'UTC',
      '2026-11-25T19:00',
      '2026-11-25T22:00',
    ],
    [
      'a week after one that is still to come',
      '2026-12-02T19:00Z',
      '2026-12-02T22:00Z',
      'UTC',
      'UTC',
      '2026-12-09T19:00',
      '2026-12-09T22:00',
    ],
    ['later today', '2026-11-13T19:00Z', '2026-11-13T22:00Z', 'UTC', 'UTC', '2026-11-20T19:00', '2026-11-20T22:00'],
    [
      'not earlier today',
      '2026-11-13T09:00Z',
      '2026-11-13T11:00Z',
      'UTC',
      'UTC',
      '2026-11-27T09:00',
      '2026-11-27T11:00',
    ],
    ['over midnight', '2026-11-18T22:00Z', '2026-11-19T01:00Z', 'UTC', 'UTC', '2026-11-25T22:00', '2026-11-26T01:00'],
    [
      'read in another zone',
      '2026-11-18T23:30Z',
      '2026-11-19T01:00Z',
      'UTC',
      'Asia/Tokyo',
      '2026-11-26T08:30',
      '2026-11-26T10:00',
    ],
    // 20:00 in New York is 00:00Z in summer and 01:00Z after November 1
    [
      'its own zone keeps the hours over a clock change',
      '2026-10-21T00:00Z',
      '2026-10-21T03:00Z',
      'America/New_York',
      'UTC',
      '2026-11-25T01:00',
      '2026-11-25T04:00',
    ],
  ])('%s', (_rule, start, end, own, reader, startLocal, endLocal) => {
    const again = missionAgain(mission(start, end, own), AIRCRAFT, reader, new Date('2026-11-20T12:00:00Z'));
    expect([again.draft.startLocal, again.draft.endLocal]).toEqual([startLocal, endLocal]);
  });

  test('requests the same aircraft, except those no longer offered', () => {
    const { draft, leftOut } = missionAgain(
      mission('2026-11-18T19:00Z', '2026-11-18T22:00Z', 'UTC'),
      AIRCRAFT,
      'UTC',
      new Date('2026-11-20T12:00:00Z'),
    );
    expect(draft).toMatchObject({ name: 'Op Every Week', theater: 'Syria', notes: '' });
    expect(draft.links).toEqual([{ kind: 'chart', title: 'Akrotiri', url: 'https://charts.example/akrotiri' }]);
    expect(draft.aircraftSlots).toEqual([
      { key: expect.any(String), aircraftId: '2', slotCount: '5', role: 'SEAD', side: 1, additionalNotes: '' },
    ]);
    expect(leftOut).toBe(1);
  });
});

describe('the form fields of a dry run', () => {
  const now = new Date('2026-11-20T12:00:00Z');
  const draft = { ...newDraft({}, 'UTC', now), aircraftSlots: [{ ...newSlot(AIRCRAFT), additionalNotes: 'two bags' }] };

  test('are times and aircraft; name and theater are optional, and notes do not matter', () => {
    expect(dryRunRequest(draft, 'UTC', now)).toEqual({
      startLocal: '2026-11-20T19:00',
      endLocal: '2026-11-20T22:00',
      timeZone: 'UTC',
      aircraftSlots: [{ aircraftId: 2, slotCount: 1, side: 0, notes: 'Training', additionalNotes: null }],
    });
  });

  test.each([
    ['no aircraft', { aircraftSlots: [] }],
    ['a start that is over', { startLocal: '2026-11-20T09:00' }],
    ['no end', { endLocal: '2026-11-20T' }],
    ['an end on the day before', { endLocal: '2026-11-19T22:00' }],
    [
      'more seats than a mission holds',
      { aircraftSlots: Array.from({ length: 5 }, () => ({ ...newSlot(AIRCRAFT), slotCount: '64' })) },
    ],
  ])('nothing with %s', (_what, change) => {
    expect(dryRunRequest({ ...draft, ...change }, 'UTC', now)).toBeNull();
  });
});

test.each([
  [14, 16, 'If issued now, 14 of 16 seats fill.'],
  [16, 16, 'If issued now, all 16 seats fill.'],
  [1, 16, 'If issued now, 1 of 16 seats fills.'],
  [0, 16, 'If issued now, 0 of 16 seats fill.'],
  [1, 1, 'If issued now, the seat fills.'],
  [0, 1, 'If issued now, the seat stays open.'],
])('%i of %i: %s', (filled, seats, sentence) => expect(filledSentence({ filled, seats })).toBe(sentence));

test('pilots without a seat are listed with their reason', () => {
  expect(
    ineligibleSentence([
      { reason: 'NOT_AVAILABLE', pilots: 5 },
      { reason: 'AIRCRAFT', pilots: 4 },
      { reason: 'COMMITTED', pilots: 3 },
      { reason: 'DO_NOT_DISTURB', pilots: 2 },
      { reason: 'OUTRANKED', pilots: 1 },
    ]),
  ).toBe(
    "5 aren't free for the whole mission; 4 are free only in other aircraft; 3 are on another mission; 2 are on Do Not Disturb; 1 is ready, but others get the seats",
  );
  expect(ineligibleSentence([])).toBe('');
});
