/** Expiry of an order, by the same rule on the server and in the demo. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { makeSampleOrders } from '#client/features/demo/sample-home.ts';
import { isExpired, orderExpiryMs } from '#shared/order-expiry.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const NOW = Date.UTC(2026, 6, 1, 12);

describe('an order is pending for a quarter of the time left', () => {
  test.each([
    ['a week ahead: 42 h', 168, 42],
    ['far ahead: 48 h at most', 1000, 48],
    ['a day ahead: 6 h', 24, 6],
    ['half an hour ahead: 15 min at least', 0.5, 0.25],
    ['ten minutes ahead: to the start', 1 / 6, 1 / 6],
    ['at the start: not at all', 0, 0],
    ['after the start: it is over already', -1, -1],
  ])('%s', (_rule, hoursLeft, hours) => {
    expect(orderExpiryMs(NOW, NOW + hoursLeft * HOUR_MS) - NOW).toBeCloseTo(hours * HOUR_MS, 3);
  });

  test('never past the start, and long enough to answer unless the start is soon', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 90 * 24 * HOUR_MS }), (leftMs) => {
        const expiry = orderExpiryMs(NOW, NOW + leftMs);
        expect(Number.isInteger(expiry)).toBe(true);
        expect(expiry).toBeGreaterThan(NOW);
        expect(expiry).toBeLessThanOrEqual(NOW + leftMs);
        expect(expiry - NOW).toBeGreaterThanOrEqual(Math.min(leftMs, 15 * MINUTE_MS));
        expect(expiry - NOW).toBeLessThanOrEqual(48 * HOUR_MS);
      }),
    );
  });
});

test('the demo shows the expiry that the server would give its orders', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 366 * 24 * 60 }), (minutes) => {
      for (const { order } of makeSampleOrders(new Date(NOW + minutes * MINUTE_MS), 'Europe/Berlin')) {
        const expiry = orderExpiryMs(Date.parse(order.issuedAt), Date.parse(order.startUtc));
        expect(Date.parse(order.expiresAt)).toBe(expiry);
      }
    }),
  );
});

test.each([
  ['issued', 'pending', NOW, true],
  ['issued', 'pending', NOW + 1, false],
  ['issued', 'accepted', NOW - 1, false],
  ['cancelled', 'pending', NOW - 1, false],
] as const)('%s and %s, expiry at %d: expired is %s', (status, rsvp, expiresMs, expired) => {
  expect(isExpired({ status, rsvp, expiresMs }, NOW)).toBe(expired);
});
