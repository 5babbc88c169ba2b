/** The buttons offer exactly the answers that the server accepts, in every state and on every surface. */
import { expect, test } from 'vitest';
import { openAnswers } from '#client/features/order/order-state.ts';
import { orderCard } from '#server/discord/rules/order-card.ts';
import { decideRsvp } from '#server/orders/rules/rsvp.ts';
import { englishTexts } from '#shared/discord-texts/catalogue.ts';
import { parseButtonId } from '#shared/discord-button-ids.ts';
import { answersAt } from '#shared/order-answers.ts';
import { momentsOf } from '#shared/order-state.ts';
import { ORDER_STATUSES, RSVP_RESPONSES, RSVPS, type RsvpResponse } from '#shared/vocabulary.ts';
import { SAMPLE_ORDER, SAMPLE_START } from '#tests/harness/sample-order.ts';

const START = SAMPLE_START;
const HOUR = 3_600_000;
const EXPIRES = START - 30 * HOUR;
const RESPONSE_OF: Partial<Record<string, RsvpResponse>> = {
  accept: 'accepted',
  standby: 'standby',
  decline: 'declined',
};

/** The moments before and after each limit: expiry, a day before the start, the start and the end. */
const MOMENTS = [
  ['long before', START - 48 * HOUR],
  ['at the expiry', EXPIRES],
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

test.each(CASES)('$status ($statusReason), $rsvp, $when', ({ status, statusReason, rsvp, nowMs }) => {
  const order = { ...SAMPLE_ORDER, status, statusReason, rsvp, expiresAt: new Date(EXPIRES).toISOString() };

  const taken = RSVP_RESPONSES.filter((response) => {
    const question = { status, statusReason, rsvp, response, startMs: START, expiresMs: EXPIRES, nowMs };
    return decideRsvp({ ...question, isSharedOffer: false, isUnseen: false, seatFree: true }).kind === 'changed';
  });
  const card = orderCard(order, 'https://marshal.example', nowMs, englishTexts);
  const pressable = (card.components ?? [])
    .flatMap(({ components }) => components)
    .flatMap((button) => ('custom_id' in button && button.disabled !== true ? [parseButtonId(button.custom_id)] : []))
    .flatMap((id) => RESPONSE_OF[id?.action ?? ''] ?? []);

  expect(answersAt(momentsOf(order), nowMs), 'the table').toEqual(taken);
  expect(openAnswers(order, new Date(nowMs)), 'the site').toEqual(taken);
  expect(pressable, 'the card in Discord').toEqual(taken);
});

test('the states of an order differ in their answers', () => {
  const offered = CASES.map(({ nowMs, ...part }) =>
    openAnswers({ ...SAMPLE_ORDER, expiresAt: new Date(EXPIRES).toISOString(), ...part }, new Date(nowMs)).join(),
  );
  expect([...new Set(offered)].toSorted()).toEqual([
    '',
    'accepted,declined',
    'accepted,standby',
    'accepted,standby,declined',
    'declined',
    'standby,declined',
  ]);
});
