/** Expiry of unanswered frag orders: the time limit of an order, and the check that it has passed. */
import { ORDER_TTL } from './limits.ts';
import type { OrderStatus, Rsvp } from './vocabulary.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * The expiry of an order issued at `nowMs`: after a quarter of the time until the mission starts, at least 15 min and at
 * most 48 h, but never later than the start.
 */
export function orderExpiryMs(nowMs: number, startMs: number): number {
  const share = Math.floor((startMs - nowMs) * ORDER_TTL.shareOfTimeLeft);
  const longest = ORDER_TTL.maxHours * HOUR_MS;
  const shortest = ORDER_TTL.minMinutes * MINUTE_MS;
  return Math.min(nowMs + Math.max(shortest, Math.min(longest, share)), startMs);
}

/** True for an unanswered order past its expiry, even before the job that cancels it has run. */
export function isExpired(order: { status: OrderStatus; rsvp: Rsvp; expiresMs: number }, nowMs: number): boolean {
  return order.status === 'issued' && order.rsvp === 'pending' && order.expiresMs <= nowMs;
}
