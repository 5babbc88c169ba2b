/** Loads the content of a kneeboard card: one accepted order, its package and the pilots in it. */
import type { Em } from '#server/schema/orm.ts';
import { selectOrders, presentMissions } from '#server/orders/order-view.ts';
import { AppError } from '#server/platform/errors.ts';
import type { Viewer } from '#server/platform/viewer.ts';
import { copy } from '#shared/copy.ts';
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
  if (!order) throw new AppError('ORDER_NOT_FOUND', copy.orderNotFound);
  if (order.status !== 'issued' || order.rsvp !== 'accepted')
    throw new AppError('ORDER_NOT_ACCEPTED', copy.kneeboardNotAccepted);
  return describeKneeboard(order, viewer.timeZone, new URL(publicUrl).host);
}
