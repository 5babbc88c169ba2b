import { expect, test } from 'vitest';
import { changeWords } from '#client/features/order/order-changes.ts';
import { orderState, ordinal, queuePlace, stateSentence } from '#client/features/order/order-state.ts';
import type { FragOrderDto, OrderChange } from '#shared/schemas/pilot.ts';

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
  isPractice: false,
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
  asksConfirmation: false,
  standbyPosition: null,
  changes: [],
  changedAt: null,
  ...part,
});

const MOVED_START: OrderChange = { field: 'start', from: 'Nov 21 1900Z', to: 'Nov 21 2000Z' };
const MOVED_SEAT: OrderChange = { field: 'seat', from: 'Viper 1, seat 2', to: 'Viper 1, seat 1' };
const REMOVED: OrderChange = { field: 'seat', from: 'Viper 1, seat 2', to: null };
const NEW_RADIO: OrderChange = { field: 'radio', from: null, to: '251.000' };

const ON_LEAVE = ['This mission falls in your leave.', 'You are on leave until Dec 5.'];

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
  ['removed', { status: 'cancelled', statusReason: 'superseded', rsvp: 'accepted', changes: [REMOVED] }],
  ['removed', { status: 'cancelled', statusReason: 'superseded', changes: [MOVED_START, REMOVED] }],
  ['taken', { status: 'cancelled', statusReason: 'superseded', changes: [MOVED_START, MOVED_SEAT] }],
  ['removed', { status: 'cancelled', statusReason: 'superseded', rsvp: 'standby', reasons: ON_LEAVE }],
  ['mission cancelled', { status: 'cancelled', statusReason: 'mission cancelled', changes: [REMOVED] }],
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

test.each<[string, OrderChange[], Partial<FragOrderDto>]>([
  ['The mission changed. Please answer again.', [MOVED_START], {}],
  ['The mission changed. Please answer again.', [NEW_RADIO, { field: 'role', from: 'CAP', to: 'SEAD' }], {}],
  ['This order needs your answer.', [], {}],
  ['This order needs your answer.', [NEW_RADIO, MOVED_SEAT], {}],
  ["This seat is yours. Confirm once you're sure.", [NEW_RADIO], { rsvp: 'accepted' }],
  [
    'An admin removed you from this mission.',
    [REMOVED],
    { rsvp: 'accepted', status: 'cancelled', statusReason: 'superseded' },
  ],
  [
    'This mission falls in your leave. You are on leave until Dec 5.',
    [],
    { rsvp: 'standby', status: 'cancelled', statusReason: 'superseded', reasons: ON_LEAVE },
  ],
  [
    'This mission falls in your leave. You are on leave until Dec 5. Your seat was released.',
    [REMOVED],
    { rsvp: 'accepted', status: 'cancelled', statusReason: 'superseded', reasons: ON_LEAVE },
  ],
])('%s %j', (sentence, changes, part) => {
  const changed = order({ ...part, changes });
  expect(stateSentence(changed, orderState(changed, NOW))).toBe(sentence);
});

test.each<[OrderChange, string]>([
  [MOVED_START, 'Start Nov 21 1900Z > Nov 21 2000Z'],
  [NEW_RADIO, 'Radio none > 251.000'],
  [{ field: 'notes', from: 'Two\nlines', to: null }, 'Notes Two lines > none'],
  [{ field: 'notes', from: '✈'.repeat(81), to: '✈'.repeat(81) }, `Notes ${'✈'.repeat(79)}… > ${'✈'.repeat(81)}`],
  [REMOVED, 'Seat Viper 1, seat 2 > removed'],
])('%j reads "%s"', (change, words) => {
  const { field, from, to } = changeWords(change);
  expect(`${field} ${from} > ${to}`).toBe(words);
});
