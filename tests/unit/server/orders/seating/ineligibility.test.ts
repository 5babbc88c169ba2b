/** Reasons of ineligibility: their facts, and the sentences for pilots and admins. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Presence } from '#server/availability/rules/dated-windows.ts';
import { isPresentIn, presentIn, type SeatingPilot } from '#server/orders/seating/rules/eligibility.ts';
import {
  findIneligibility,
  findNearMiss,
  TO_PILOT,
  ineligibilitySentence,
  type Ineligibility,
} from '#server/orders/seating/rules/ineligibility.ts';

const at = (time: string, day = 20) => Date.parse(`2026-11-${day}T${time}:00Z`);
const MISSION = { id: 'm', startMs: at('19:00'), endMs: at('22:00') };
const NOW = at('19:00', 10);
const VIPER = { aircraftId: 2, aircraftName: 'F-16C Viper', sizeCap: 4 };
const TOMCAT = { aircraftId: 3, aircraftName: 'F-14B Tomcat', sizeCap: 2 };

const window = (from: string, to: string, aircraftId: number | null = null): Presence => ({
  startMs: at(from),
  endMs: at(to),
  aircraftId,
  source: 'template',
  notes: null,
});

const pilotWith = (changes: Partial<SeatingPilot>): SeatingPilot => ({
  id: 'p',
  active: true,
  presences: [window('18:00', '23:00')],
  commitments: [],
  state: 'available',
  levels: new Map(),
  debt: 0,
  reliability: 0.8,
  ...changes,
});

const find = (changes: Partial<SeatingPilot>, question: Partial<Parameters<typeof findIneligibility>[0]> = {}) =>
  findIneligibility({
    pilot: pilotWith(changes),
    mission: MISSION,
    flights: [VIPER, TOMCAT],
    committedTo: [],
    waiting: 0,
    nowMs: NOW,
    ...question,
  });

describe('reasons', () => {
  test.each([
    ['no window at all', [], [['19:00', '22:00']]],
    ['one that comes too late', [window('19:30', '23:00')], [['19:00', '19:30']]],
    ['one that ends too early', [window('18:00', '21:00')], [['21:00', '22:00']]],
    [
      'a hole, whatever the aircraft and the order of the windows',
      [window('20:45', '23:00', 3), window('18:00', '20:15', 2)],
      [['20:15', '20:45']],
    ],
    [
      'holes before, between and after',
      [window('19:15', '20:00'), window('20:30', '21:30')],
      [
        ['19:00', '19:15'],
        ['20:00', '20:30'],
        ['21:30', '22:00'],
      ],
    ],
  ])('%s: the missing parts of the mission', (_rule, presences, holes) => {
    expect(find({ presences })).toEqual({
      reason: 'NOT_AVAILABLE',
      missing: holes.map(([from = '', to = '']) => ({ startMs: at(from), endMs: at(to) })),
    });
  });

  test('a suspended account is not available, without further reasons', () => {
    expect(find({ active: false })).toEqual({ reason: 'NOT_AVAILABLE', missing: [] });
  });

  test('names each aircraft once if windows of different aircraft cover the mission only together', () => {
    const presences = [window('18:00', '20:00', 2), window('20:00', '23:00', 3)];
    expect(find({ presences }, { flights: [VIPER, TOMCAT, VIPER] })).toEqual({
      reason: 'AIRCRAFT',
      aircraft: ['F-16C Viper', 'F-14B Tomcat'],
      isUnlisted: false,
    });
  });

  test('a pilot with a list is told of the aircraft that only the list keeps them out of', () => {
    const levels = new Map([[1, 'expert' as const]]);
    expect(find({ levels })).toEqual({
      reason: 'AIRCRAFT',
      aircraft: ['F-16C Viper', 'F-14B Tomcat'],
      isUnlisted: true,
    });
    const half = [window('18:00', '20:00'), window('20:00', '23:00', 2)];
    expect(find({ levels, presences: half })).toEqual({
      reason: 'AIRCRAFT',
      aircraft: ['F-16C Viper'],
      isUnlisted: true,
    });
    const other = [window('18:00', '23:00', 1)];
    expect(find({ levels, presences: other })).toMatchObject({ reason: 'AIRCRAFT', isUnlisted: false });
    expect(find({ levels: new Map([[3, 'basic']]) })).toEqual({ reason: 'OUTRANKED', seats: 2, waiting: 0 });
    // a time for exactly this aircraft needs no list
    expect(find({ levels, presences: [window('18:00', '23:00', 3)] }).reason).toBe('OUTRANKED');
  });

  test('the earliest overlapping mission is named, and one back to back is not', () => {
    const seat = (name: string, from: string, to: string) => ({ name, startMs: at(from), endMs: at(to) });
    const committedTo = [seat('C', '21:30', '23:00'), seat('A', '17:00', '19:00'), seat('B', '18:00', '20:00')];
    expect(find({ commitments: committedTo }, { committedTo })).toEqual({ reason: 'COMMITTED', missionName: 'B' });
    expect(find({ commitments: committedTo })).toEqual({ reason: 'COMMITTED', missionName: null });
    const before = committedTo.slice(1, 2);
    expect(find({ commitments: before }, { committedTo: before }).reason).toBe('OUTRANKED');
  });

  test.each([
    [24, 'DO_NOT_DISTURB'],
    [24.5, 'OUTRANKED'],
  ])('do not disturb, %f h before: %s', (hours, reason) => {
    expect(find({ state: 'dnd' }, { nowMs: MISSION.startMs - hours * 3_600_000 }).reason).toBe(reason);
  });

  test('a pilot blocked only by other pilots gets the number of fitting seats', () => {
    expect(find({ presences: [window('18:00', '23:00', 3)] }, { waiting: 2 })).toEqual({
      reason: 'OUTRANKED',
      seats: 2,
      waiting: 2,
    });
    expect(find({})).toEqual({ reason: 'OUTRANKED', seats: 6, waiting: 0 });
  });
});

const span = (from: string, to: string, endDay = 20) => ({ startMs: at(from), endMs: at(to, endDay) });
const SENTENCES: readonly (readonly [Ineligibility, string, string])[] = [
  [
    { reason: 'NOT_AVAILABLE', missing: [span('19:00', '22:00')] },
    'You are not available from 1900Z to 2200Z.',
    'Goose is not available from 1900Z to 2200Z.',
  ],
  [
    { reason: 'NOT_AVAILABLE', missing: [span('19:00', '19:30'), span('20:00', '20:30'), span('23:00', '01:00', 21)] },
    'You are not available from 1900Z to 1930Z, from 2000Z to 2030Z, and from 2300Z to 0100Z.',
    'Goose is not available from 1900Z to 1930Z, from 2000Z to 2030Z, and from 2300Z to 0100Z.',
  ],
  [{ reason: 'NOT_AVAILABLE', missing: [] }, 'You are suspended.', 'Goose is suspended.'],
  [{ reason: 'ON_LEAVE', lastDate: '2026-12-05' }, 'You are on leave until Dec 5.', 'Goose is on leave until Dec 5.'],
  [
    { reason: 'AIRCRAFT', aircraft: ['F-14B Tomcat'], isUnlisted: false },
    'You are not available in the F-14B Tomcat for the whole mission.',
    'Goose is not available in the F-14B Tomcat for the whole mission.',
  ],
  [
    { reason: 'AIRCRAFT', aircraft: ['F-14B Tomcat', 'A-10C'], isUnlisted: false },
    'You are not available in the F-14B Tomcat or the A-10C for the whole mission.',
    'Goose is not available in the F-14B Tomcat or the A-10C for the whole mission.',
  ],
  [
    { reason: 'AIRCRAFT', aircraft: ['A', 'B', 'C', 'D', 'E'], isUnlisted: false },
    'You are not available in the A, the B, or 3 others for the whole mission.',
    'Goose is not available in the A, the B, or 3 others for the whole mission.',
  ],
  [
    { reason: 'AIRCRAFT', aircraft: ['F-14B Tomcat', 'A-10C'], isUnlisted: true },
    "You haven't listed the F-14B Tomcat or the A-10C.",
    "Goose hasn't listed the F-14B Tomcat or the A-10C.",
  ],
  [{ reason: 'COMMITTED', missionName: 'Op X' }, 'You are on “Op X” at that time.', 'Goose is on “Op X” at that time.'],
  [
    { reason: 'COMMITTED', missionName: null },
    'You are on another mission at that time.',
    'Goose is on another mission at that time.',
  ],
  [{ reason: 'DO_NOT_DISTURB' }, 'You are on Do Not Disturb.', 'Goose is on Do Not Disturb.'],
  [
    { reason: 'OUTRANKED', seats: 4, waiting: 3 },
    'All 4 seats that fit you are taken; 3 pilots are waiting.',
    'All 4 seats that fit Goose are taken; 3 pilots are waiting.',
  ],
  [
    { reason: 'OUTRANKED', seats: 1, waiting: 1 },
    'The only seat that fits you is taken; 1 pilot is waiting.',
    'The only seat that fits Goose is taken; 1 pilot is waiting.',
  ],
  [
    { reason: 'OUTRANKED', seats: 2, waiting: 0 },
    'Both seats that fit you are taken.',
    'Both seats that fit Goose are taken.',
  ],
];

test.each(SENTENCES)('%j to the pilot and to an admin', (ineligibility, toPilot, toAdmin) => {
  expect(ineligibilitySentence(ineligibility, TO_PILOT)).toBe(toPilot);
  expect(ineligibilitySentence(ineligibility, { to: 'admin', name: 'Goose' })).toBe(toAdmin);
});

describe('a near miss', () => {
  const lacks = (changes: Partial<SeatingPilot>, question: Partial<Parameters<typeof findNearMiss>[0]> = {}) =>
    findNearMiss({
      pilot: pilotWith(changes),
      mission: MISSION,
      flights: [VIPER],
      committedTo: [],
      waiting: 0,
      nowMs: NOW,
      ...question,
    })?.map(({ startMs, endMs }) => [startMs, endMs]) ?? null;
  const short = { startMs: at('21:00'), endMs: at('22:00'), id: 'short' };

  test.each<[string, Partial<SeatingPilot>, [from: string, to: string][] | null]>([
    ['the last hour', { presences: [window('18:00', '21:00')] }, [['21:00', '22:00']]],
    ['a minute more than an hour', { presences: [window('18:00', '20:59')] }, null],
    [
      'both ends, an hour together',
      { presences: [window('19:30', '21:30')] },
      [
        ['19:00', '19:30'],
        ['21:30', '22:00'],
      ],
    ],
    ['both ends, more than an hour together', { presences: [window('19:30', '21:29')] }, null],
    ['nothing', {}, null],
    ['everything', { presences: [] }, null],
    ['the last hour, in another aircraft', { presences: [window('18:00', '21:00', 3)] }, null],
    ['the last hour, and suspended', { presences: [window('18:00', '21:00')], active: false }, null],
    ['the last hour, and committed', { presences: [window('18:00', '21:00')], commitments: [MISSION] }, null],
  ])('%s', (_what, changes, missing) => {
    expect(lacks(changes)).toEqual(missing?.map(([from, to]) => [at(from), at(to)]) ?? null);
  });

  test('is less than half of the mission', () => {
    expect(lacks({ presences: [window('18:00', '21:30')] }, { mission: short })).toBeNull();
    expect(lacks({ presences: [window('18:00', '21:31')] }, { mission: short })).toEqual([[at('21:31'), at('22:00')]]);
  });
});

test('a pilot is present in an aircraft throughout if and only if a window that counts holds each moment', () => {
  const moment = fc.integer({ min: 0, max: 12 });
  const anyWindow = fc
    .record({ startMs: moment, length: moment, aircraftId: fc.constantFrom(null, 2, 3) })
    .map(({ startMs, length, aircraftId }): Presence => {
      return { startMs, endMs: startMs + length, aircraftId, source: 'template', notes: null };
    });
  const anyList = fc.constantFrom<readonly number[]>([], [2], [3], [2, 3]);
  const anyTime = fc.record({ startMs: moment, length: fc.integer({ min: 1, max: 12 }) });
  fc.assert(
    fc.property(fc.array(anyWindow, { maxLength: 6 }), anyList, anyTime, (presences, listed, { startMs, length }) => {
      const pilot = { presences, levels: new Map(listed.map((id) => [id, 'basic' as const])) };
      const isAnyFlown = listed.length === 0 || listed.includes(2);
      const holds = (time: number) =>
        presences.some((one) => {
          const counts = one.aircraftId === 2 || (one.aircraftId === null && isAnyFlown);
          return counts && one.startMs <= time && time < one.endMs;
        });
      const moments = Array.from({ length }, (_, index) => startMs + index);
      expect(isPresentIn(pilot, 2, { startMs, endMs: startMs + length })).toBe(moments.every(holds));
      const held = presentIn(pilot, 2).reduce((sum, one) => sum + one.endMs - one.startMs, 0);
      expect(held).toBe(Array.from({ length: 24 }, (_, index) => index).filter(holds).length);
    }),
    { numRuns: 1_000 },
  );
});
