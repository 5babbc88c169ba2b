import { describe, expect, test } from 'vitest';
import {
  changesBetween,
  changeWords,
  instantWords,
  mergeChanges,
  timeChanges,
} from '#server/orders/seats/rules/order-changes.ts';
import { isMaterial } from '#shared/order-changes.ts';
import type { OrderChange } from '#shared/schemas/pilot.ts';

const FLIGHT = {
  callsign: 'Viper 1',
  aircraft: 'F-16C Viper',
  role: 'CAP',
  side: 0,
  radio: '251.000 AM',
  notes: null,
} as const;

test.each([
  ['a date and a time of one digit', Date.UTC(2027, 0, 3, 4, 5), 'Jan 3 0405Z'],
  ['the last minute of a year', Date.UTC(2026, 11, 31, 23, 59), 'Dec 31 2359Z'],
])('an instant in words: %s', (_rule, ms, words) => expect(instantWords(ms)).toBe(words));

test('changes of a flight are described, material ones first', () => {
  const after = {
    ...FLIGHT,
    side: 1,
    aircraft: 'A-10C',
    role: 'CAS',
    callsign: 'Hawg 1',
    radio: null,
    notes: 'Low',
  } as const;
  const changes = changesBetween(FLIGHT, after);
  expect(changes).toEqual([
    { field: 'side', from: 'Blue', to: 'Red' },
    { field: 'aircraft', from: 'F-16C Viper', to: 'A-10C' },
    { field: 'role', from: 'CAP', to: 'CAS' },
    { field: 'callsign', from: 'Viper 1', to: 'Hawg 1' },
    { field: 'radio', from: '251.000 AM', to: null },
    { field: 'notes', from: null, to: 'Low' },
  ]);
  expect(changes.map(isMaterial)).toEqual([true, true, true, false, false, false]);
  expect(changesBetween(FLIGHT, FLIGHT)).toEqual([]);
});

test('a moved start and a longer mission are shown in Zulu', () => {
  const [start, end] = [Date.UTC(2026, 10, 21, 19, 5), Date.UTC(2026, 10, 21, 22)];
  expect(timeChanges({ startMs: start, endMs: end }, { startMs: start + 3_600_000, endMs: end })).toEqual([
    { field: 'start', from: 'Nov 21 1905Z', to: 'Nov 21 2005Z' },
  ]);
});

describe('a later change', () => {
  const radio = (from: string | null, to: string | null): OrderChange => ({ field: 'radio', from, to });
  test.each<[string, OrderChange[], OrderChange[], OrderChange[]]>([
    ['of the same keeps the oldest value', [radio('1', '2')], [radio('2', '3')], [radio('1', '3')]],
    ['back to where it was leaves nothing', [radio('1', '2')], [radio('2', '1')], []],
    [
      'of something else joins',
      [radio('1', '2')],
      [{ field: 'notes', from: null, to: 'Low' }],
      [radio('1', '2'), { field: 'notes', from: null, to: 'Low' }],
    ],
    ['from nothing to something and back leaves nothing', [radio(null, '2')], [radio('2', null)], []],
  ])('%s', (_rule, earlier, later, merged) => expect(mergeChanges(earlier, later)).toEqual(merged));
});

test.each<[OrderChange, string]>([
  [{ field: 'start', from: 'Nov 21 1905Z', to: 'Nov 21 2005Z' }, 'Start Nov 21 1905Z to Nov 21 2005Z.'],
  [{ field: 'radio', from: null, to: '251.000 AM' }, 'Radio none to 251.000 AM.'],
  [{ field: 'seat', from: 'Viper 1, seat 2', to: null }, 'You lost Viper 1, seat 2.'],
  [{ field: 'notes', from: null, to: `Bring\n${'x'.repeat(100)}` }, `Notes none to Bring ${'x'.repeat(73)}…`],
])('%o reads: %s', (change, words) => expect(changeWords(change)).toBe(words));
