/** Frag orders: how long one waits for an answer, and what it is called. */
import { ORDER_TTL } from '#shared/limits.ts';
import type { MissionRole, OrderStatus, Rsvp } from '#shared/vocabulary.ts';
import { HOUR_MS, MINUTE_MS } from '#server/time/time.ts';

/**
 * When an order issued at `nowMs` runs out: a quarter of the time left until the mission starts, at least 15 min and
 * at most 48 h, but never after the start.
 */
export function orderExpiryMs(nowMs: number, startMs: number): number {
  const share = Math.floor((startMs - nowMs) * ORDER_TTL.shareOfTimeLeft);
  const longest = ORDER_TTL.maxHours * HOUR_MS;
  const shortest = ORDER_TTL.minMinutes * MINUTE_MS;
  return Math.min(nowMs + Math.max(shortest, Math.min(longest, share)), startMs);
}

/** Whether an unanswered order's time is over (from its expiry on). An answered one does not run out. */
export function isExpired(
  order: { readonly status: OrderStatus; readonly rsvp: Rsvp; readonly expiresAtMs: number },
  nowMs: number,
): boolean {
  return order.status === 'issued' && order.rsvp === 'pending' && nowMs >= order.expiresAtMs;
}

/** "CAP, F-16C Viper, seat 1"; `seatIndex` counts from 0, people from 1. */
export function orderTitle(role: MissionRole, aircraftName: string, seatIndex: number): string {
  return `${role}, ${aircraftName}, seat ${seatIndex + 1}`;
}
