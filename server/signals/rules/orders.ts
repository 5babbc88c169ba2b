/** Events of orders and seats. `server/orders/seats/order-writes.ts` emits those that follow from a transition. */
import type { Rsvp } from '#shared/vocabulary.ts';
import { NOTHING, newsOf, type Consequences, type Freed, type LiveChange, type WebhookNote } from './effects.ts';
import type { NewsKind } from './order-news.ts';

/** Orders of one mission that have changed in the same way. */
interface OrdersChanged {
  missionId: string;
  orders: readonly { orderId: string; pilotId: string; rsvp: Rsvp; heldSeat: boolean }[];
}

/** An open proposal to swap seats: who asks, who is asked, and the pilots of other proposals that it ends. */
interface SwapChanged {
  pilotIds: readonly string[];
}

/** Events that a transition of orders emits. */
export interface TransitionEvents {
  /** asks its pilot */
  'order.issued': OrdersChanged;
  /** by its pilot, who stands by without having been asked */
  'order.queued': OrdersChanged;
  'order.answered': OrdersChanged;
  /** from standby to a seat */
  'order.promoted': OrdersChanged;
  /** "Still flying?": yes */
  'order.confirmed': OrdersChanged;
  /** by an admin, to answer or to confirm */
  'order.nudged': OrdersChanged;
  /** of an admin's changes, which may ask again */
  'order.told': OrdersChanged;
  /** by an admin, to another seat */
  'order.moved': OrdersChanged;
  'order.swapped': OrdersChanged;
  'order.expired': OrdersChanged;
  'order.withdrawn': OrdersChanged;
  /** another pilot has the seat, or another order asks this one */
  'order.superseded': OrdersChanged;
  /** back in the queue after a lost offer */
  'order.waits_again': OrdersChanged;
  /** with its mission */
  'order.cancelled': OrdersChanged;
}

export interface OrderEvents extends TransitionEvents {
  /** by an admin, a suspension, a leave, or a change of the mission: their pilots are told */
  'seat.lost': { orderIds: readonly string[] };
  /** pilots have time again */
  'pilots.freed': Freed;
  /** the positions in a standby queue */
  'queue.changed': { missionId: string };
  /** pilots lost a shared offer to somebody who was faster */
  'offer.lost': { missionId: string };
  /** the job need not: this transaction fills the seats */
  'mission.backfilled': { missionId: string };
  /** read or closed by its pilot */
  'notice.closed': { pilotId: string };
  /** @param orderId of the pilot who is asked */
  'swap.proposed': SwapChanged & { orderId: string };
  /** @param orderId of the pilot who asked */
  'swap.answered': SwapChanged & { orderId: string };
  'swap.withdrawn': SwapChanged;
}

const idsOf = ({ orders }: OrdersChanged) => orders.map(({ orderId }) => orderId);
const pilotsOf = ({ orders }: OrdersChanged) => orders.map(({ pilotId }) => pilotId);

/** Pages and messages that show who holds which seat. */
const SHOWN = {
  live: (event: OrdersChanged): LiveChange[] => [['orders', pilotsOf(event)], 'missions'],
  discord: (event: OrdersChanged) => [{ seats: pilotsOf(event) }],
};
const news = (kind: NewsKind) => newsOf(kind, idsOf);
const webhooksOf =
  (...types: ('order.issued' | 'order.answered' | 'order.expired')[]) =>
  ({ missionId, orders }: OrdersChanged): WebhookNote[] =>
    orders.flatMap(({ orderId }) => types.map((type) => ({ type, missionId, orderId })));
const missionChanged = ({ missionId }: { missionId: string }): WebhookNote[] => [
  { type: 'mission.changed', missionId, changes: [] },
];

const SWAP = {
  live: ({ pilotIds }: SwapChanged): LiveChange[] => [['orders', pilotIds]],
  discord: ({ pilotIds }: SwapChanged) => [{ seats: pilotIds }],
};

export const ORDER_CONSEQUENCES: Consequences<OrderEvents> = {
  'order.issued': { ...NOTHING, ...SHOWN, ...news('order'), webhooks: webhooksOf('order.issued') },
  'order.queued': { ...NOTHING, ...SHOWN, webhooks: webhooksOf('order.issued', 'order.answered') },
  'order.answered': { ...NOTHING, ...SHOWN, webhooks: webhooksOf('order.answered') },
  'order.promoted': { ...NOTHING, ...SHOWN, ...news('seat'), webhooks: webhooksOf('order.answered') },
  'order.confirmed': { ...NOTHING, ...SHOWN },
  'order.nudged': { ...NOTHING, ...SHOWN, ...news('nudge') },
  'order.told': { ...NOTHING, ...SHOWN, ...news('change') },
  'order.moved': { ...NOTHING, ...SHOWN, ...news('change'), webhooks: missionChanged },
  'order.swapped': { ...NOTHING, ...SHOWN, webhooks: missionChanged },
  'order.expired': {
    ...NOTHING,
    ...SHOWN,
    webhooks: webhooksOf('order.expired'),
    work: ({ missionId }) => [{ backfillMission: missionId }],
  },
  'order.withdrawn': {
    ...NOTHING,
    ...SHOWN,
    webhooks: (event) => (event.orders.some(({ heldSeat }) => heldSeat) ? missionChanged(event) : null),
  },
  'order.superseded': { ...NOTHING, ...SHOWN },
  'order.waits_again': { ...NOTHING, live: ({ missionId }) => [{ queueOf: missionId }] },
  'order.cancelled': {
    ...NOTHING,
    ...SHOWN,
    // who has declined does not miss it
    ...newsOf('change', ({ orders }: OrdersChanged) =>
      orders.filter(({ rsvp }) => rsvp !== 'declined').map(({ orderId }) => orderId),
    ),
  },
  'seat.lost': {
    ...NOTHING,
    ...newsOf('change', ({ orderIds }: OrderEvents['seat.lost']) => orderIds),
  },
  'pilots.freed': { ...NOTHING, work: (freed) => [{ freed }] },
  'queue.changed': { ...NOTHING, live: ({ missionId }) => [{ queueOf: missionId }] },
  'offer.lost': { ...NOTHING, work: ({ missionId }) => [{ backfillForSlower: missionId }] },
  'mission.backfilled': { ...NOTHING, work: ({ missionId }) => [{ backfilledMission: missionId }] },
  'notice.closed': {
    ...NOTHING,
    live: ({ pilotId }) => [['orders', [pilotId]]],
    discord: ({ pilotId }) => [{ seats: [pilotId] }],
  },
  'swap.proposed': {
    ...NOTHING,
    ...SWAP,
    ...newsOf('swap', ({ orderId }: OrderEvents['swap.proposed']) => [orderId]),
  },
  'swap.answered': {
    ...NOTHING,
    ...SWAP,
    ...newsOf('swapAnswer', ({ orderId }: OrderEvents['swap.answered']) => [orderId]),
  },
  'swap.withdrawn': { ...NOTHING, ...SWAP },
};
