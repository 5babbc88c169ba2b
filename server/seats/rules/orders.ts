/** Frag orders: expiry and title. */
import type { MissionRole, OrderStatus, Rsvp } from '#shared/vocabulary.ts';

/** True for an unanswered order from its expiry on. Answered orders do not expire. */
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
