/** Seat swaps between two pilots of a mission: one proposes, the other agrees. Each step locks the mission. */
import type { z } from 'zod';
import { emit } from '#server/signals/emit.ts';
import { newId } from '#server/schema/base.ts';
import { db, isOneOf } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import { orderExpiryMs } from '#shared/order-expiry.ts';
import { AppError } from '#server/platform/errors.ts';
import { swappedSentence } from '#shared/copy.ts';
import type { answerSwapInput, proposeSwapInput, SeatSwapDto } from '#shared/schemas/seats.ts';
import type { SwapState } from '#shared/vocabulary.ts';
import { isSeatRace, lockMission, type LockedMission } from '#server/orders/seats/orders.ts';
import { changeOrders } from '#server/orders/seats/order-writes.ts';
import { type KeyedCaller, onceFor } from '#server/platform/idempotency.ts';
import { requireRoom } from '#server/platform/ownership.ts';
import { filterPartners, loadSwapSides } from './swap-partners.ts';
import { ofPilot, presentSwap, selectSwaps, type SwapRow } from './swap-view.ts';
import type { Viewer } from '#server/platform/viewer.ts';

/** Lock a mission whose seats can still be swapped. Overdue orders don't matter here: only accepted seats are swapped. */
async function lockForSwap(tx: Em, missionId: string, now: Date): Promise<LockedMission> {
  const mission = await lockMission(tx, missionId);
  if (mission?.status !== 'scheduled' || mission.startMs <= now.getTime()) {
    throw new AppError('SWAP_NOT_POSSIBLE');
  }
  return mission;
}

/** Both accepted seats, if their pilots can swap; otherwise 409. */
async function requirePair(tx: Em, mission: LockedMission, orderId: string, withOrderId: string, now: Date) {
  const sides = await loadSwapSides(tx, mission.id);
  const own = sides.find((side) => side.orderId === orderId);
  const other = sides.filter((side) => side.orderId === withOrderId);
  const [partner] = own ? await filterPartners(tx, mission, own, other, now) : [];
  if (!own || !partner) throw new AppError('SWAP_NOT_POSSIBLE');
  return { own, partner };
}

async function endSwap(tx: Em, id: string, state: SwapState, now: Date): Promise<void> {
  await db(tx).updateTable('seat_swap').set({ state, answered_at: now }).where('id', '=', id).execute();
}

/** The current state of a swap, for the API. */
async function readSwap(em: Em, viewer: Viewer, id: string, now: Date): Promise<SeatSwapDto> {
  const row = await selectSwaps(em, now).where('w.id', '=', id).where(ofPilot(viewer.id)).executeTakeFirst();
  if (!row) throw new AppError('SWAP_NOT_FOUND');
  return presentSwap(row, viewer);
}

async function proposeInside(
  tx: Em,
  viewer: Viewer,
  { id, withOrderId }: z.infer<typeof proposeSwapInput>,
  now: Date,
): Promise<string> {
  const order = await db(tx)
    .selectFrom('frag_order')
    .select('mission_id as missionId')
    .where('id', '=', id)
    .where('pilot_id', '=', viewer.id)
    .where('status', '<>', 'draft')
    .executeTakeFirst();
  if (!order) throw new AppError('ORDER_NOT_FOUND');
  const mission = await lockForSwap(tx, order.missionId, now);
  const { own, partner } = await requirePair(tx, mission, id, withOrderId, now);
  const proposed = await selectSwaps(tx, now).where('w.order_id', '=', id).where('w.state', '=', 'proposed').execute();
  for (const earlier of proposed) {
    if (earlier.state === 'proposed') throw new AppError('SWAP_OPEN_ALREADY');
    await endSwap(tx, earlier.id, 'lapsed', now);
  }
  await requireRoom('swaps', db(tx).selectFrom('seat_swap').where('order_id', '=', id));
  const swapId = newId();
  const expiresAt = new Date(orderExpiryMs(now.getTime(), mission.startMs));
  // The lock may have waited for an acceptance with a later timestamp: the proposal must still come after it.
  await db(tx)
    .insertInto('seat_swap')
    .values(({ selectFrom }) => ({
      id: swapId,
      mission_id: mission.id,
      order_id: id,
      with_order_id: withOrderId,
      flight_id: own.flightId,
      seat_index: own.seatIndex,
      with_flight_id: partner.flightId,
      with_seat_index: partner.seatIndex,
      state: 'proposed',
      expires_at: expiresAt,
      created_at: selectFrom('frag_order')
        .select(({ fn, cast, val }) =>
          fn<Date>('greatest', [cast(val(now), 'timestamptz'), fn.max('accepted_at')]).as('at'),
        )
        .where(isOneOf('id', [id, withOrderId])),
    }))
    .execute();
  emit(tx, { type: 'swap.proposed', pilotIds: [own.pilotId, partner.pilotId], orderId: withOrderId });
  return swapId;
}

/**
 * Ask another pilot of the mission to swap seats. One open proposal per order. A repeated request gets the swap as it is now.
 * @param caller for a request with an Idempotency-Key
 * @throws AppError 404 for another pilot's order; 409 when either seat is not accepted or does not fit the other pilot,
 *   when the mission has begun, and when the order already has an open proposal
 */
export async function proposeSwap(
  em: Em,
  viewer: Viewer,
  input: z.infer<typeof proposeSwapInput>,
  now: Date,
  caller?: KeyedCaller,
): Promise<SeatSwapDto> {
  const propose = (tx: Em) => onceFor(tx, caller, 'swap', input, () => proposeInside(tx, viewer, input, now));
  const id = await transact(em, propose, isSeatRace);
  return readSwap(em, viewer, id, now);
}

/** Lock the mission of an open swap. 404 unless the viewer has the given role in it, 409 when it is over. */
async function lockSwap(tx: Em, viewer: Viewer, id: string, role: 'asks' | 'is asked', now: Date): Promise<SwapRow> {
  const find = async () => {
    const row = await selectSwaps(tx, now).where('w.id', '=', id).executeTakeFirst();
    const pilotId = role === 'asks' ? row?.pilotId : row?.withPilotId;
    if (!row || pilotId !== viewer.id) throw new AppError('SWAP_NOT_FOUND');
    return row;
  };
  await lockMission(tx, (await find()).missionId);
  const swap = await find();
  if (swap.state !== 'proposed') throw new AppError('SWAP_OVER');
  return swap;
}

/** Exchange the seats of both orders. */
async function exchange(tx: Em, mission: LockedMission, swap: SwapRow, now: Date): Promise<void> {
  const moved = (id: string, { flightId, seatIndex }: SwapRow['place'], partner: string) => ({
    id,
    flight_id: flightId,
    seat_index: seatIndex,
    reasons: [swappedSentence(partner)],
  });
  const orders = [
    moved(swap.orderId, swap.withPlace, swap.withPilotName),
    moved(swap.withOrderId, swap.place, swap.pilotName),
  ];
  await changeOrders(tx, mission, 'swap', orders, now);
}

/** End all other open swaps of these orders. @returns the pilots of those swaps */
async function lapseOthers(tx: Em, swap: SwapRow, now: Date): Promise<string[]> {
  const orders = [swap.orderId, swap.withOrderId];
  const ended = await db(tx)
    .updateTable('seat_swap as w')
    .from(['frag_order as o', 'frag_order as q'])
    .set({ state: 'lapsed', answered_at: now })
    .whereRef('o.id', '=', 'w.order_id')
    .whereRef('q.id', '=', 'w.with_order_id')
    .where('w.state', '=', 'proposed')
    .where('w.id', '<>', swap.id)
    .where(({ or }) => or([isOneOf('w.order_id', orders), isOneOf('w.with_order_id', orders)]))
    .returning(['o.pilot_id as pilotId', 'q.pilot_id as withPilotId'])
    .execute();
  return ended.flatMap(({ pilotId, withPilotId }) => [pilotId, withPilotId]);
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
    await exchange(tx, mission, swap, now);
  }
  await endSwap(tx, id, response, now);
  const others = response === 'agreed' ? await lapseOthers(tx, swap, now) : [];
  const pilotIds = [swap.pilotId, swap.withPilotId, ...others];
  emit(tx, { type: 'swap.answered', pilotIds, orderId: swap.orderId });
}

/**
 * Agree to a swap, which exchanges both seats and keeps both orders accepted, or decline it. Either is final.
 * @throws AppError 404 for a swap that is not proposed to the viewer; 409 when it is over or no longer possible
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

/** Withdraw the viewer's own proposal. @throws AppError 404 for any other swap, 409 when it is over */
export async function withdrawSwap(em: Em, viewer: Viewer, id: string, now: Date): Promise<void> {
  await transact(em, async (tx) => {
    const swap = await lockSwap(tx, viewer, id, 'asks', now);
    await endSwap(tx, id, 'withdrawn', now);
    emit(tx, { type: 'swap.withdrawn', pilotIds: [swap.pilotId, swap.withPilotId] });
  });
}
