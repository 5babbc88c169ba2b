/** Loads the content of kneeboard cards: of one accepted order, or of all flights of a mission. */
import type { Em } from '#server/schema/orm.ts';
import { selectOrders, presentMissions } from '#server/orders/order-view.ts';
import { AppError } from '#server/platform/errors.ts';
import type { Viewer } from '#server/platform/viewer.ts';
import { describeKneeboard, type KneeboardCard } from '#shared/kneeboard-content.ts';

/**
 * The content of the card for an accepted order of the viewer.
 * @param publicUrl for the host name at the foot
 * @throws AppError 404 for an order that is not the viewer's, 409 for one that is not accepted
 */
export async function loadKneeboard(
  em: Em,
  viewer: Viewer,
  id: string,
  publicUrl: string,
  now: Date,
): Promise<KneeboardCard> {
  const rows = await selectOrders(em)
    .where('o.id', '=', id)
    .where('o.pilot_id', '=', viewer.id)
    .where('o.status', '<>', 'draft')
    .execute();
  const [order] = await presentMissions(em, viewer, rows, now);
  if (!order) throw new AppError('ORDER_NOT_FOUND');
  if (order.status !== 'issued' || order.rsvp !== 'accepted') throw new AppError('ORDER_NOT_ACCEPTED');
  return describeKneeboard(order, viewer.timeZone, new URL(publicUrl).host);
}

/**
 * A card for each flight of a mission with an accepted pilot, that of its first seat, by the callsign of the flight.
 * @param admin sees both sides
 */
export async function loadFlightKneeboards(
  em: Em,
  admin: Viewer,
  missionId: string,
  publicUrl: string,
  now: Date,
): Promise<Map<string, KneeboardCard>> {
  const rows = await selectOrders(em)
    .where('o.mission_id', '=', missionId)
    .where('o.status', '=', 'issued')
    .where('o.rsvp', '=', 'accepted')
    .execute();
  const orders = await presentMissions(em, admin, rows, now);
  const cards = new Map<string, KneeboardCard>();
  for (const order of orders.toSorted((a, b) => a.seatIndex - b.seatIndex)) {
    if (cards.has(order.flightCallsign)) continue;
    cards.set(order.flightCallsign, describeKneeboard(order, admin.timeZone, new URL(publicUrl).host));
  }
  return cards;
}
