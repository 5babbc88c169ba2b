/** News of a frag order that needs a new message: Discord does not notify of edits. */
import { copy } from '#shared/copy.ts';
import { isMaterial } from '#shared/order-changes.ts';
import { type OrderMoments, orderStateAt } from '#shared/order-state.ts';

export interface RingFacts extends OrderMoments {
  acceptedMs: number | null;
  /** the pilot has opened the order since it last changed */
  isRead: boolean;
}

/**
 * Identifies the last thing that happened to an order without its pilot: asked again, seated from standby, moved, called
 * off, removed. A new one gets a new message; the pilot's own answers and small edits do not.
 */
export function ringOf(order: RingFacts, nowMs: number): string | null {
  const { rsvp, changes, reasons, expiresMs, acceptedMs, isRead } = order;
  const moved = changes.findLast(({ field, to }) => field === 'seat' && to !== null);
  switch (orderStateAt(order, nowMs)) {
    case 'pending':
      // whatever asks again also sets a new time limit
      return moved || changes.some(isMaterial) ? `asked again until ${expiresMs}` : null;
    case 'accepted':
      if (moved) return `moved to ${moved.to}`;
      return reasons.includes(copy.wasOnStandby) && !isRead ? `seated at ${acceptedMs}` : null;
    case 'mission cancelled':
      return rsvp === 'declined' ? null : 'mission cancelled';
    case 'removed':
      // a leave is the pilot's own doing
      return reasons.includes(copy.onLeaveThen) ? null : 'removed';
    case 'standby':
    case 'declined':
    case 'expired':
    case 'taken':
    case 'replaced':
    case 'missed':
    case 'flown':
      return null;
  }
}
