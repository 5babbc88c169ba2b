/** State of a frag order at an instant (pending, accepted, expired, flown …), for the server, the site and Discord. */
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
  /** an admin removed the pilot from the seat */
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
  startMs: number;
  endMs: number;
  expiresMs: number;
}

/** The moments of an order as the API answers it. */
export function momentsOf({ startUtc, endUtc, expiresAt, ...order }: FragOrderDto): OrderMoments {
  const [startMs, endMs, expiresMs] = [Date.parse(startUtc), Date.parse(endUtc), Date.parse(expiresAt)];
  return { ...order, startMs, endMs, expiresMs };
}

/** True when an admin removed the pilot from the seat. */
function isRemoved({ changes }: Pick<OrderMoments, 'changes'>): boolean {
  return changes.some(({ field, to }) => field === 'seat' && to === null);
}

/** The state by the clock, even when the job that stores the expiry has not run yet. */
export function orderStateAt(order: OrderMoments, nowMs: number): OrderState {
  const { status, statusReason, rsvp, startMs, endMs } = order;
  if (status === 'cancelled') {
    if (statusReason !== 'superseded') return statusReason ?? 'mission cancelled';
    if (isRemoved(order)) return 'removed';
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
