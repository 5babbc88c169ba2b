/** The answers that buttons offer are the answers that the server takes, in every state and on every surface. */
import { expect, test } from 'vitest';
import { openAnswers } from '#client/features/order/order-state.ts';
import { orderCard } from '#server/discord/rules/order-card.ts';
import { decideRsvp } from '#server/orders/rules/rsvp.ts';
import { parseButtonId } from '#shared/discord-button-ids.ts';
import { answersAt } from '#shared/order-answers.ts';
import type { FragOrderDto } from '#shared/schemas/pilot.ts';
import { ORDER_STATUSES, RSVP_RESPONSES, RSVPS, type RsvpResponse } from '#shared/vocabulary.ts';

const ID = '0198c0de-0000-7000-8000-000000000007';
const START = Date.UTC(2026, 10, 20, 19);
const HOUR = 3_600_000;
const RESPONSE_OF: Partial<Record<string, RsvpResponse>> = {
  accept: 'accepted',
  standby: 'standby',
  decline: 'declined',
};

/** The moments on both sides of each bound: expiry, a day before the start, the start and the end. */
const MOMENTS = [
  ['long before', START - 48 * HOUR],
  ['at the expiry', START - 30 * HOUR],
  ['a day before the start', START - 24 * HOUR],
  ['a moment later', START - 24 * HOUR + 1],
  ['just before the start', START - 1],
  ['at the start', START],
  ['after the end', START + 4 * HOUR],
] as const;

const REASONS = {
  draft: [null],
  issued: [null],
  cancelled: [null, 'expired', 'mission cancelled', 'superseded'],
} as const;

const CASES = ORDER_STATUSES.flatMap((status) =>
  REASONS[status].flatMap((statusReason) =>
    RSVPS.flatMap((rsvp) => MOMENTS.map(([when, nowMs]) => ({ status, statusReason, rsvp, when, nowMs }))),
  ),
);

const ORDER: FragOrderDto = {
  id: ID,
  seq: 7,
  label: 'FRAG-007',
  status: 'issued',
  statusReason: null,
  rsvp: 'pending',
  missionId: '2',
  missionName: 'Op Iron Hound',
  theater: 'Syria',
  startUtc: new Date(START).toISOString(),
  endUtc: new Date(START + 3 * HOUR).toISOString(),
  flightCallsign: 'Viper 1',
  aircraftName: 'F-16C Viper',
  seatIndex: 0,
  role: 'CAP',
  side: 0,
  launchUtc: null,
  title: 'CAP, F-16C Viper, seat 1',
  reasons: [],
  issuedAt: new Date(START - 72 * HOUR).toISOString(),
  expiresAt: new Date(START - 30 * HOUR).toISOString(),
  confirmedAt: null,
  standbyPosition: null,
  changes: [],
  changedAt: null,
};

test.each(CASES)('$status ($statusReason), $rsvp, $when', ({ status, statusReason, rsvp, nowMs }) => {
  const dto = { ...ORDER, status, statusReason, rsvp };
  const order = { ...dto, startMs: START, endMs: START + 3 * HOUR, expiresMs: START - 30 * HOUR };

  const taken = RSVP_RESPONSES.filter((response) => {
    const question = { status, statusReason, rsvp, response, startMs: START, expiresMs: START - 30 * HOUR, nowMs };
    return decideRsvp({ ...question, isSharedOffer: false, isUnseen: false, seatFree: true }).kind === 'changed';
  });
  const card = orderCard({ ...order, role: 'CAP', launchMs: null, changedMs: null }, 'https://marshal.example', nowMs);
  const pressable = (card.components ?? [])
    .flatMap(({ components }) => components)
    .flatMap((button) => ('custom_id' in button && button.disabled !== true ? [parseButtonId(button.custom_id)] : []))
    .flatMap((id) => RESPONSE_OF[id?.action ?? ''] ?? []);

  expect(answersAt(order, nowMs), 'the table').toEqual(taken);
  expect(openAnswers(dto, new Date(nowMs)), 'the site').toEqual(taken);
  expect(pressable, 'the card in Discord').toEqual(taken);
});

test('the states of an order differ in their answers', () => {
  const offered = CASES.map(({ nowMs, ...part }) => openAnswers({ ...ORDER, ...part }, new Date(nowMs)).join());
  expect([...new Set(offered)].toSorted()).toEqual([
    '',
    'accepted,declined',
    'accepted,standby',
    'accepted,standby,declined',
    'declined',
    'standby,declined',
  ]);
});
