import { expect, test } from 'vitest';
import { orderState, ordinal, queuePlace } from '#client/features/home/order-state.ts';
import type { FragOrderDto } from '#shared/schemas/pilot.ts';

const NOW = new Date('2026-11-20T12:00:00Z');

const order = (part: Partial<FragOrderDto>): FragOrderDto => ({
  id: '1',
  seq: 7,
  label: 'FRAG-007',
  status: 'issued',
  statusReason: null,
  rsvp: 'pending',
  missionId: '2',
  missionName: 'Op Iron Hound',
  theater: 'Syria',
  startUtc: '2026-11-21T18:00:00.000Z',
  endUtc: '2026-11-21T21:00:00.000Z',
  flightCallsign: 'Viper 1',
  aircraftName: 'F-16C Viper',
  seatIndex: 0,
  role: 'CAP',
  side: 0,
  launchUtc: null,
  title: 'CAP, F-16C Viper, seat 1',
  reasons: [],
  issuedAt: '2026-11-20T11:00:00.000Z',
  expiresAt: '2026-11-20T18:00:00.000Z',
  confirmedAt: null,
  standbyPosition: null,
  ...part,
});

const PAST = { startUtc: '2026-11-20T08:00:00.000Z', endUtc: '2026-11-20T11:00:00.000Z' };
const RUNNING = { startUtc: '2026-11-20T11:00:00.000Z', endUtc: '2026-11-20T14:00:00.000Z' };

test.each<[string, Partial<FragOrderDto>]>([
  ['pending', {}],
  ['expired', { expiresAt: NOW.toISOString() }],
  ['accepted', { rsvp: 'accepted' }],
  ['accepted', { rsvp: 'accepted', ...RUNNING }],
  ['flown', { rsvp: 'accepted', ...PAST }],
  ['standby', { rsvp: 'standby' }],
  ['missed', { rsvp: 'standby', ...RUNNING }],
  ['declined', { rsvp: 'declined' }],
  ['missed', { rsvp: 'declined', ...PAST }],
  ['expired', { status: 'cancelled', statusReason: 'expired' }],
  ['mission cancelled', { status: 'cancelled', statusReason: 'mission cancelled', rsvp: 'accepted' }],
  ['taken', { status: 'cancelled', statusReason: 'superseded' }],
  ['replaced', { status: 'cancelled', statusReason: 'superseded', rsvp: 'standby' }],
])('%s: %o', (state, part) => {
  expect(orderState(order(part), NOW)).toBe(state);
});

test.each([
  [1, '1st'],
  [2, '2nd'],
  [3, '3rd'],
  [4, '4th'],
  [11, '11th'],
  [12, '12th'],
  [13, '13th'],
  [21, '21st'],
  [102, '102nd'],
  [111, '111th'],
])('number %i in line is %s', (count, words) => {
  expect(ordinal(count)).toBe(words);
  expect(queuePlace(order({ rsvp: 'standby', standbyPosition: count }))).toBe(`${words} in line`);
});
