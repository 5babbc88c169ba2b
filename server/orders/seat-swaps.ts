/** Two pilots of one mission change places: one asks, the other agrees. Each step is a transaction behind the mission's lock. */
import type { z } from 'zod';
import { newId } from '#server/schema/base.ts';
import type { Em } from '#server/schema/orm.ts';
import { query, sql } from '#server/schema/query.ts';
import { transact } from '#server/schema/transaction.ts';
import { orderExpiryMs } from '#shared/order-state.ts';
import { AppError } from '#server/platform/errors.ts';
import { copy, swappedSentence } from '#shared/copy.ts';
import type { answerSwapInput, proposeSwapInput, SeatSwapDto } from '#shared/schemas/seats.ts';
import type { SwapState } from '#shared/vocabulary.ts';
import { publishLive, publishLiveOrders } from '#server/signals/live-signals.ts';
import { nextChangeAt } from '#server/seats/mission-lock.ts';
import { isSeatRace, lockMission, type LockedMission } from '#server/seats/orders.ts';
import { requireRoom } from '#server/platform/ownership.ts';
import { enqueuePushes } from '#server/signals/push-jobs.ts';
import { filterPartners, loadSwaps, loadSwapSides, ofPilot, presentSwap, type SwapRow } from './swap-view.ts';
import type { Viewer } from '#server/platform/viewer.ts';

/** A mission whose seats pilots may still swap. Nothing is swept: only accepted seats are touched, they do not run out. */
async function lockForSwap(tx: Em, missionId: string, now: Date): Promise<LockedMission> {
  const mission = await lockMission(tx, missionId);
  if (mission?.status !== 'scheduled' || mission.startMs <= now.getTime()) {
    throw new AppError(409, copy.swapNotPossible);
  }
  return mission;
}

/** Both accepted seats of a mission, if their pilots could change places. */
async function requirePair(tx: Em, mission: LockedMission, orderId: string, withOrderId: string, now: Date) {
  const sides = await loadSwapSides(tx, mission.id);
  const own = sides.find((side) => side.orderId === orderId);
  const other = sides.filter((side) => side.orderId === withOrderId);
  const [partner] = own ? await filterPartners(tx, mission, own, other, now) : [];
  if (!own || !partner) throw new AppError(409, copy.swapNotPossible);
  return { own, partner };
}

async function endSwap(tx: Em, id: string, state: SwapState, now: Date): Promise<void> {
  await query(tx, sql`update seat_swap set state = ${state}, answered_at = ${now} where id = ${id}`);
}

/** The swap as it stands after what was done to it. */
async function readSwap(em: Em, viewer: Viewer, id: string, now: Date): Promise<SeatSwapDto> {
  const [row] = await loadSwaps(em, now, sql`w.id = ${id} and ${ofPilot(viewer.id)}`);
  if (!row) throw new AppError(404, copy.swapNotFound);
  return presentSwap(row, viewer);
}

async function proposeInside(
  tx: Em,
  viewer: Viewer,
  { id, withOrderId }: z.infer<typeof proposeSwapInput>,
  now: Date,
): Promise<string> {
  const [order] = await query<{ mission_id: string }>(
    tx,
    sql`select mission_id from frag_order where id = ${id} and pilot_id = ${viewer.id} and status <> 'draft'`,
  );
  if (!order) throw new AppError(404, copy.orderNotFound);
  const mission = await lockForSwap(tx, order.mission_id, now);
  const { own, partner } = await requirePair(tx, mission, id, withOrderId, now);
  for (const earlier of await loadSwaps(tx, now, sql`w.order_id = ${id} and w.state = 'proposed'`)) {
    if (earlier.state === 'proposed') throw new AppError(409, copy.swapOpenAlready);
    await endSwap(tx, earlier.id, 'lapsed', now);
  }
  await requireRoom(tx, 'swaps', sql`seat_swap where order_id = ${id}`);
  const swapId = newId();
  const expiresAt = new Date(orderExpiryMs(now.getTime(), mission.startMs));
  // An acceptance that this one waited for may have begun later: the proposal comes after it all the same.
  await query(
    tx,
    sql`insert into seat_swap (id, mission_id, order_id, with_order_id, flight_id, seat_index, with_flight_id,
                               with_seat_index, state, expires_at, created_at)
        select ${swapId}, ${mission.id}, ${id}, ${withOrderId}, ${own.flightId}, ${own.seatIndex}, ${partner.flightId},
               ${partner.seatIndex}, 'proposed', ${expiresAt}, greatest(${now}, max(accepted_at))
        from frag_order where id in (${id}, ${withOrderId})`,
  );
  await publishLive(tx, ['orders', [own.pilotId, partner.pilotId]]);
  await enqueuePushes(tx, [withOrderId], 'swap');
  return swapId;
}

/**
 * Ask another pilot of the mission to change places. One open question per order.
 * @throws AppError 404 when the order is not the viewer's; 409 when either seat is not accepted, does not fit the other
 *   pilot or the mission has begun, and when the order waits for an answer already
 */
export async function proposeSwap(
  em: Em,
  viewer: Viewer,
  input: z.infer<typeof proposeSwapInput>,
  now: Date,
): Promise<SeatSwapDto> {
  const id = await transact(em, (tx) => proposeInside(tx, viewer, input, now), isSeatRace);
  return readSwap(em, viewer, id, now);
}

/** An open swap behind its mission's lock: 404 unless the viewer is who may end it so, 409 when it is over. */
async function lockSwap(tx: Em, viewer: Viewer, id: string, role: 'asks' | 'is asked', now: Date): Promise<SwapRow> {
  const find = async () => {
    const [row] = await loadSwaps(tx, now, sql`w.id = ${id}`);
    const pilotId = role === 'asks' ? row?.pilotId : row?.withPilotId;
    if (!row || pilotId !== viewer.id) throw new AppError(404, copy.swapNotFound);
    return row;
  };
  await lockMission(tx, (await find()).missionId);
  const swap = await find();
  if (swap.state !== 'proposed') throw new AppError(409, copy.swapOver);
  return swap;
}

/** Each order on the other's seat. Both rows are away for a moment within the transaction, so neither meets the other. */
async function exchange(tx: Em, swap: SwapRow, now: Date): Promise<void> {
  const moves = [
    { id: swap.orderId, ...swap.withPlace, reason: swappedSentence(swap.withPilotName) },
    { id: swap.withOrderId, ...swap.place, reason: swappedSentence(swap.pilotName) },
  ];
  const orders = moves.map(({ id }) => id);
  await query(tx, sql`delete from seat where order_id = any(${orders}::uuid[])`);
  // What an admin changed about the old seat is nothing to its pilot any more.
  await query(
    tx,
    sql`update frag_order o set flight_id = move."flightId", seat_index = move."seatIndex", reasons = array[move.reason],
          changes = null, confirmed_at = null, is_open_offer = false, changed_at = ${nextChangeAt(now)}
        from jsonb_to_recordset(${JSON.stringify(moves)}::jsonb)
               as move (id uuid, "flightId" uuid, "seatIndex" smallint, reason text)
        where o.id = move.id`,
  );
  await query(
    tx,
    sql`insert into seat (flight_id, seat_index, pilot_id, mission_id, order_id, starts_at, ends_at)
        select o.flight_id, o.seat_index, o.pilot_id, m.id, o.id, m.starts_at, m.ends_at
        from frag_order o join mission m on m.id = o.mission_id where o.id = any(${orders}::uuid[])`,
  );
}

/** End what else was asked about these orders. @returns the pilots of those swaps */
async function lapseOthers(tx: Em, swap: SwapRow, now: Date): Promise<string[]> {
  const orders = [swap.orderId, swap.withOrderId];
  const ended = await query<{ pilots: string[] }>(
    tx,
    sql`update seat_swap w set state = 'lapsed', answered_at = ${now} from frag_order o, frag_order q
        where o.id = w.order_id and q.id = w.with_order_id and w.state = 'proposed' and w.id <> ${swap.id}
          and (w.order_id = any(${orders}::uuid[]) or w.with_order_id = any(${orders}::uuid[]))
        returning array[o.pilot_id, q.pilot_id] as pilots`,
  );
  return ended.flatMap(({ pilots }) => pilots);
}

async function answerInside(
  tx: Em,
  viewer: Viewer,
  { id, response }: z.infer<typeof answerSwapInput>,
  now: Date,
): Promise<void> {
  const swap = await lockSwap(tx, viewer, id, 'is asked', now);
  if (response === 'agreed') {
    const mission = await lockForSwap(tx, swap.missionId, now);
    await requirePair(tx, mission, swap.orderId, swap.withOrderId, now);
    await exchange(tx, swap, now);
  }
  await endSwap(tx, id, response, now);
  const others = response === 'agreed' ? await lapseOthers(tx, swap, now) : [];
  if (response === 'agreed') await publishLiveOrders(tx, [swap.pilotId, swap.withPilotId, ...others]);
  else await publishLive(tx, ['orders', [swap.pilotId, swap.withPilotId]]);
  await enqueuePushes(tx, [swap.orderId], 'swapAnswer');
}

/**
 * Agree to a swap, which changes both seats at once and keeps both accepted, or decline it. Either is final.
 * @throws AppError 404 for a swap that the viewer was not asked for; 409 when it is over or not possible any more
 */
export async function answerSwap(
  em: Em,
  viewer: Viewer,
  input: z.infer<typeof answerSwapInput>,
  now: Date,
): Promise<SeatSwapDto> {
  await transact(em, (tx) => answerInside(tx, viewer, input, now), isSeatRace);
  return readSwap(em, viewer, input.id, now);
}

/** Take back one's own question. @throws AppError 404 for any other swap, 409 when it is over */
export async function withdrawSwap(em: Em, viewer: Viewer, id: string, now: Date): Promise<void> {
  await transact(em, async (tx) => {
    const swap = await lockSwap(tx, viewer, id, 'asks', now);
    await endSwap(tx, id, 'withdrawn', now);
    await publishLive(tx, ['orders', [swap.pilotId, swap.withPilotId]]);
  });
}
