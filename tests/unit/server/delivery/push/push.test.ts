import { describe, expect, test } from 'vitest';
import {
  changeMessage,
  isPushEndpoint,
  orderMessage,
  pushTiming,
  swapMessage,
} from '#server/delivery/push/rules/push.ts';

const EXTRA = ['https://push.example', 'http://127.0.0.1:9000'];

describe('notifications may go to', () => {
  test.each([
    'https://fcm.googleapis.com/fcm/send/abc:def',
    'https://updates.push.services.mozilla.com/wpush/v2/abc',
    'https://wns2-by3p.notify.windows.com/w/?token=abc',
    'https://web.push.apple.com/QABC',
    'https://push.example/any/path',
    'http://127.0.0.1:9000/push/1',
  ])('%s', (endpoint) => expect(isPushEndpoint(endpoint, EXTRA)).toBe(true));
});

describe('notifications may not go to', () => {
  test.each([
    ['this machine', 'http://127.0.0.1/'],
    ['this machine by https', 'https://localhost/'],
    ['another port of an allowed host', 'http://127.0.0.1:9001/'],
    ['the metadata of a cloud', 'https://169.254.169.254/latest/meta-data'],
    ['the same as a number', 'https://2852039166/latest'],
    ['the same in IPv6', 'https://[::ffff:169.254.169.254]/'],
    ['a host behind a user name', 'https://fcm.googleapis.com@169.254.169.254/'],
    ['a known host with a user name', 'https://user@fcm.googleapis.com/fcm/send/x'],
    ['a host behind a backslash', 'https://evil.example\\@fcm.googleapis.com/'],
    ['a host that ends alike', 'https://evil-push.apple.com.example/'],
    ['a host that ends alike without a dot', 'https://evilnotify.windows.com/'],
    ['a subdomain of the one name', 'https://evil.fcm.googleapis.com/'],
    ['a name with a dot at its end', 'https://fcm.googleapis.com./'],
    ['another port of a known host', 'https://fcm.googleapis.com:8443/'],
    ['a known host by plain http', 'http://fcm.googleapis.com/'],
    ['a file', 'file:///etc/passwd'],
    ['no address', 'fcm.googleapis.com'],
  ])('%s: %s', (_rule, endpoint) => expect(isPushEndpoint(endpoint, EXTRA)).toBe(false));
});

const NEWS = {
  id: '0192c0de-0000-7000-8000-000000000000',
  label: 'FRAG-007',
  missionName: 'Op Iron Hound',
  flightCallsign: 'VIPER 1',
  aircraftName: 'F-16C Viper',
  seatIndex: 1,
  launchMs: Date.UTC(2026, 10, 21, 19, 5),
  startMs: Date.UTC(2026, 10, 21, 18, 30),
  expiresMs: Date.UTC(2026, 10, 20, 21, 30),
  changedMs: null,
};

test('a new order names its seat, launch and time limit', () => {
  expect(orderMessage(NEWS, 'order')).toEqual({
    title: 'FRAG-007: Op Iron Hound',
    body: 'VIPER 1, F-16C Viper, seat 2. Launch Nov 21 1905Z. Answer by Nov 20 2130Z.',
    url: `/orders/${NEWS.id}`,
    tag: `order-${NEWS.id}`,
    orderId: NEWS.id,
    changedAt: null,
  });
});

test('a seat that an edited mission no longer fits says why', () => {
  const turn = {
    statusReason: 'superseded',
    rsvp: 'accepted',
    changes: [{ field: 'seat', from: 'VIPER 1, seat 2', to: null }],
    reasons: ['This mission has changed and no longer fits you.', 'You are not available from 2100Z to 2200Z.'],
  } as const;
  expect(changeMessage(NEWS, turn)).toMatchObject({
    body: 'Changed: You lost VIPER 1, seat 2. You are not available from 2100Z to 2200Z.',
    orderId: null,
  });
});

test('a seat after standby needs no answer, and a mission without a launch time shows its start', () => {
  expect(orderMessage({ ...NEWS, launchMs: null }, 'seat')).toMatchObject({
    body: "You're in: VIPER 1, seat 2 (F-16C Viper). Start Nov 21 1830Z.",
    orderId: null,
  });
});

test.each([
  [
    'proposed',
    'Goose asks to swap seats: your VIPER 1, F-16C Viper, seat 2 for COLT 1, A-10C, seat 1. Answer by Nov 20 2130Z.',
  ],
  ['agreed', 'Goose agreed to swap seats. You have COLT 1, A-10C, seat 1.'],
  ['declined', 'Goose declined to swap seats. You keep VIPER 1, F-16C Viper, seat 2.'],
] as const)('a swap that is %s names both pilots’ seats and can only be answered on the page', (state, body) => {
  const to = { flightCallsign: 'COLT 1', aircraftName: 'A-10C', seatIndex: 0 };
  expect(swapMessage(NEWS, { state, pilotName: 'Goose', from: NEWS, to, expiresMs: NEWS.expiresMs })).toEqual({
    title: 'FRAG-007: Op Iron Hound',
    body,
    url: `/orders/${NEWS.id}`,
    tag: `swap-${NEWS.id}`,
    orderId: null,
    changedAt: null,
  });
});

test.each([
  ['is kept until the deadline', 7_200_000, { ttlSeconds: 7200, urgency: 'normal' }],
  ['wakes the device in the last hour', 3_600_000, { ttlSeconds: 3600, urgency: 'high' }],
  ['is not kept once it is over', -5_000, { ttlSeconds: 0, urgency: 'high' }],
] as const)('a message %s', (_rule, left, expected) => expect(pushTiming(left, 0)).toEqual(expected));
