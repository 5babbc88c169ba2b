/** State of a frag order at an instant (pending, accepted, expired, flown …), for the server, the site and Discord. */
import { copy } from './copy.ts';
import { isExpired } from './order-expiry.ts';
import type { FragOrderDto, OrderChange } from './schemas/pilot.ts';
import type { OrderStatus, OrderStatusReason, Rsvp } from './vocabulary.ts';

export type OrderState =
  | 'pending'
  | 'accepted'
  | 'standby'
  | 'declined'
  | 'expired'
  | 'mission cancelled'
  /** an admin removed the pilot from the seat or edited the mission so that the pilot no longer fits, or a leave covers it */
  | 'removed'
  /** another pilot accepted a shared offer first */
  | 'taken'
  /** a standby order that a newer order replaced */
  | 'replaced'
  /** still on standby or declined when the mission started */
  | 'missed'
  /** accepted, and the mission is over */
  | 'flown';

/** Fields of an order that determine its state; instants are epoch milliseconds. */
export interface OrderMoments {
  status: OrderStatus;
  statusReason: OrderStatusReason | null;
  rsvp: Rsvp;
  changes: readonly OrderChange[];
  reasons: readonly string[];
  startMs: number;
  endMs: number;
  expiresMs: number;
}

/** The moments of an order as the API answers it. */
export function momentsOf({ startUtc, endUtc, expiresAt, ...order }: FragOrderDto): OrderMoments {
  const [startMs, endMs, expiresMs] = [Date.parse(startUtc), Date.parse(endUtc), Date.parse(expiresAt)];
  return { ...order, startMs, endMs, expiresMs };
}

/** True when the pilot lost the seat that the order held. */
export function lostSeat({ changes }: Pick<OrderMoments, 'changes'>): boolean {
  return changes.some(({ field, to }) => field === 'seat' && to === null);
}

/** The first reason of an order that was withdrawn because its pilot cannot fly the mission. */
const WITHDRAWN_BECAUSE: ReadonlySet<string> = new Set([copy.noLongerFits, copy.onLeaveThen]);

/**
 * Why a pilot no longer fits an edited mission or is on leave, from the reasons of the withdrawn order.
 * @returns null for an order that was not withdrawn for that
 */
export function misfitReason({ reasons }: { reasons: readonly string[] }): string | null {
  const others = reasons.filter((reason) => !WITHDRAWN_BECAUSE.has(reason));
  return others.length === reasons.length ? null : others.join(' ');
}

/** The sentence of a withdrawn order: an admin removed the pilot, the edited mission does not fit them, or they are on leave. */
export function removedSentence(order: Pick<FragOrderDto, 'reasons' | 'changes'>): string {
  if (misfitReason(order) === null) return 'An admin removed you from this mission.';
  return [...order.reasons, ...(lostSeat(order) ? ['Your seat was released.'] : [])].join(' ');
}

/** The state by the clock, even when the job that stores the expiry has not run yet. */
export function orderStateAt(order: OrderMoments, nowMs: number): OrderState {
  const { status, statusReason, rsvp, startMs, endMs } = order;
  if (status === 'cancelled') {
    if (statusReason !== 'superseded') return statusReason ?? 'mission cancelled';
    if (lostSeat(order) || misfitReason(order) !== null) return 'removed';
    return rsvp === 'standby' ? 'replaced' : 'taken';
  }
  if (isExpired(order, nowMs)) return 'expired';
  switch (rsvp) {
    case 'pending':
      return rsvp;
    case 'accepted':
      return endMs <= nowMs ? 'flown' : 'accepted';
    case 'standby':
    case 'declined':
      return startMs <= nowMs ? 'missed' : rsvp;
  }
}
