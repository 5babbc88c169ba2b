/** A mission's orders grouped by state, and the seat holders, for admins. */
import { formatExpiry } from '#client/lib/time.ts';
import { REMINDERS } from '#shared/reminders.ts';
import { isExpired } from '#shared/order-expiry.ts';
import type { MissionOrderDto } from '#shared/schemas/mission-admin.ts';

export type OrderGroup = 'accepted' | 'pending' | 'standby' | 'declined' | 'closed';

export const ORDER_GROUPS: readonly { group: OrderGroup; title: string }[] = [
  { group: 'accepted', title: 'Accepted' },
  { group: 'pending', title: 'Pending' },
  { group: 'standby', title: 'Standby' },
  { group: 'declined', title: 'Declined' },
  { group: 'closed', title: 'Expired or cancelled' },
];

/** The group of an order; a pending one past its expiry counts as closed. */
export function groupOf(order: MissionOrderDto, now: Date): OrderGroup {
  const expired = isExpired({ ...order, expiresMs: Date.parse(order.expiresAt) }, now.getTime());
  return order.status === 'cancelled' || expired ? 'closed' : order.rsvp;
}

/** Orders by group, including empty groups. Standby orders are in queue order. */
export function groupOrders(orders: readonly MissionOrderDto[], now: Date): Record<OrderGroup, MissionOrderDto[]> {
  const groups: Record<OrderGroup, MissionOrderDto[]> = {
    accepted: [],
    pending: [],
    standby: [],
    declined: [],
    closed: [],
  };
  for (const order of orders) {
    groups[groupOf(order, now)].push(order);
  }
  const place = ({ standbyPosition }: MissionOrderDto): number => standbyPosition ?? Number.MAX_SAFE_INTEGER;
  groups.standby.sort((a, b) => place(a) - place(b));
  return groups;
}

/** True if the pilot has been asked "Still flying?" for the present start. */
const wasAsked = ({ reminders }: MissionOrderDto): boolean =>
  reminders.some(({ leadMinutes }) => leadMinutes <= REMINDERS.askMinutes);

/** Text about an order's state within its group. */
export function orderWords(order: MissionOrderDto, now: Date): string {
  switch (groupOf(order, now)) {
    case 'accepted':
      return order.confirmedAt !== null ? 'confirmed' : wasAsked(order) ? 'not confirmed yet' : 'accepted';
    case 'pending':
      return formatExpiry(order.expiresAt, now);
    case 'standby':
      return order.standbyPosition === null ? 'on standby' : `place ${order.standbyPosition}`;
    case 'declined':
      return order.isLate ? 'less than 24 h before the start' : 'declined';
    case 'closed':
      return order.status === 'cancelled' ? closedWords(order) : 'expired';
  }
}

function closedWords({ statusReason, rsvp }: MissionOrderDto): string {
  switch (statusReason) {
    case 'expired':
      return 'expired';
    case 'mission cancelled':
      return 'mission cancelled';
    case 'superseded':
      return rsvp === 'standby' ? 'replaced by a newer order' : 'superseded';
    case null:
      return 'cancelled';
  }
}

/** Current orders that hold a seat, keyed by `flightId/seatIndex`. */
export function holdersBySeat(orders: readonly MissionOrderDto[], now: Date): Map<string, MissionOrderDto> {
  return new Map(
    orders
      .filter((order) => order.holdsSeat && ['accepted', 'pending'].includes(groupOf(order, now)))
      .map((order) => [seatKey(order.flightId, order.seatIndex), order]),
  );
}

export function seatKey(flightId: string, seatIndex: number): string {
  return `${flightId}/${seatIndex}`;
}
