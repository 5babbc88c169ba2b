/** News of a frag order that needs a new message: Discord does not notify of edits. */
import type { RingingKind } from '#server/signals/rules/order-news.ts';
import { copy } from '#shared/copy.ts';
import { isMaterial } from '#shared/order-changes.ts';
import { type OrderMoments, type OrderState, orderStateAt } from '#shared/order-state.ts';

export interface RingFacts extends OrderMoments {
  acceptedMs: number | null;
  changedMs: number | null;
  nudgedMs: number | null;
  /** the pilot has opened the order since it last changed */
  isRead: boolean;
}

const seatAfterMove = ({ changes }: RingFacts) =>
  changes.findLast(({ field, to }) => field === 'seat' && to !== null)?.to ?? null;

/** For each kind of news, what identifies the last of it, as the order's state tells; null: there is none. The first row wins. */
const RINGS: Record<RingingKind, (order: RingFacts, state: OrderState) => string | null> = {
  // newer than whatever else the order tells, or else that comes first
  nudge: ({ nudgedMs, changedMs, acceptedMs }, state) =>
    nudgedMs !== null &&
    nudgedMs > Math.max(changedMs ?? 0, acceptedMs ?? 0) &&
    (state === 'pending' || state === 'accepted')
      ? `nudged at ${nudgedMs}`
      : null,
  change: (order, state) => {
    const { rsvp, changes, reasons, expiresMs } = order;
    const movedTo = seatAfterMove(order);
    switch (state) {
      case 'pending':
        // whatever asks again also sets a new time limit
        return movedTo !== null || changes.some(isMaterial) ? `asked again until ${expiresMs}` : null;
      case 'accepted':
        return movedTo === null ? null : `moved to ${movedTo}`;
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
  },
  seat: ({ reasons, acceptedMs, isRead }, state) =>
    state === 'accepted' && reasons.includes(copy.wasOnStandby) && !isRead ? `seated at ${acceptedMs}` : null,
};

/**
 * Identifies the last thing that happened to an order without its pilot: asked again, seated from standby, moved, called
 * off, removed. A new one gets a new message; the pilot's own answers and small edits do not.
 */
export function ringOf(order: RingFacts, nowMs: number): string | null {
  const state = orderStateAt(order, nowMs);
  return Object.values(RINGS).reduce<string | null>((found, ring) => found ?? ring(order, state), null);
}
