/** A pilot's answer (RSVP) to a frag order: one transaction that locks the mission, checked again by the constraints. */
import { LockMode } from '@mikro-orm/core';
import { db } from '#server/schema/database.ts';
import { FragOrder, Seat } from '#server/schema/frag-order.ts';
import { Flight } from '#server/schema/mission.ts';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import { decideRsvp, type RsvpRefusal } from '#server/orders/rules/rsvp.ts';
import { AppError } from '#server/platform/errors.ts';
import { copy, overlapSentence } from '#shared/copy.ts';
import type { FragOrderDto, RsvpInput } from '#shared/schemas/pilot.ts';
import { publishLiveOrders, publishLiveQueue } from '#server/signals/live-signals.ts';
import { overlaps } from '#server/time/intervals.ts';
import { onLeaveWords } from '#shared/leave.ts';
import { backfill } from './backfill.ts';
import { findLeaveTime } from './leave-orders.ts';
import { selectOrders, presentOrder } from './order-view.ts';
import {
  endSharedOffers,
  findOverlap,
  holdSeats,
  isSeatRace,
  listFreeSeats,
  lockMission,
  expireOverdueOrders,
  type LockedMission,
} from '#server/seats/orders.ts';
import type { Viewer } from '#server/platform/viewer.ts';
import { enqueueBackfillForFreedPilots } from '#server/signals/backfill-jobs.ts';
import { noteOrders } from '#server/signals/webhook-events.ts';

const SENTENCES: Record<RsvpRefusal, string> = {
  ORDER_EXPIRED: copy.orderExpired,
  ORDER_CANCELLED: copy.orderCancelled,
  NO_SEAT_FREE: copy.noSeatFree,
  SEAT_TAKEN: copy.seatTaken,
  MISSION_STARTED: copy.missionStarted,
  STANDBY_TOO_LATE: copy.standbyTooLate,
  ANSWER_NOT_POSSIBLE: copy.answerNotPossible,
  CHANGED: copy.orderChangedMeanwhile,
};

interface Place {
  flightId: string;
  seatIndex: number;
}

/**
 * The seat that an order could take now: its own if free, otherwise one in its flight, otherwise one in the same aircraft
 * on the same side. A shared offer is for its own seat only.
 */
async function findSeat(tx: Em, order: FragOrder): Promise<Place | undefined> {
  const free = await listFreeSeats(tx, order.mission.id);
  const own = free.find((seat) => seat.flightId === order.flight.id && seat.seatIndex === order.seatIndex);
  if (own || (order.isSharedOffer && order.rsvp === 'pending')) return own;
  const flight = await tx.findOneOrFail(Flight, { id: order.flight.id });
  return (
    free.find(({ flightId }) => flightId === order.flight.id) ??
    free.find(({ aircraftId, side }) => aircraftId === flight.aircraft.id && side === flight.side)
  );
}

/** Take a seat; 409 for an overlapping mission, and during a leave. @returns the pilots who had a shared offer of the same seat */
async function takeSeat(tx: Em, mission: LockedMission, order: FragOrder, place: Place, now: Date): Promise<string[]> {
  const pilotId = order.pilot.id;
  await expireOverdueOrders(tx, now, { pilotIds: [pilotId] });
  const other = await findOverlap(tx, pilotId, mission);
  if (other !== undefined) throw new AppError('OVERLAP', overlapSentence(other));
  const leave = await findLeaveTime(tx, pilotId);
  if (leave && overlaps(leave, mission)) throw new AppError('ON_LEAVE', `You are ${onLeaveWords(leave.lastDate)}.`);
  order.flight = tx.getReference(Flight, place.flightId);
  order.seatIndex = place.seatIndex;
  await holdSeats(tx, mission, [{ orderId: order.id, ...place, pilotId }]);
  await tx.flush();
  return endSharedOffers(tx, mission.id, place);
}

/** True if an admin has changed the order since the version that the pilot saw, and no answer has acknowledged it. */
function isUnseen({ changes, changedAt }: FragOrder, seen: RsvpInput['seen']): boolean {
  if (seen === undefined || !changes) return false;
  return (seen === null ? null : Date.parse(seen)) !== (changedAt?.getTime() ?? null);
}

/** @returns why the answer is refused; the caller throws after the commit, so that expired seats stay freed */
export async function answerInside(
  tx: Em,
  viewer: Viewer,
  { id, response, seen }: RsvpInput,
  now: Date,
): Promise<RsvpRefusal | null> {
  const found = await db(tx)
    .selectFrom('frag_order')
    .select(({ and, eb, ref }) => [
      'mission_id as missionId',
      and([ref('is_open_offer'), eb('status_reason', 'is not distinct from', 'superseded')]).as('isTaken'),
    ])
    .where('id', '=', id)
    .where('pilot_id', '=', viewer.id)
    .where('status', '<>', 'draft')
    .executeTakeFirst();
  // This is final, so the pilots who are too late are refused without queueing for the mission's lock.
  if (found?.isTaken && response === 'accepted') return 'SEAT_TAKEN';
  const mission = found && (await lockMission(tx, found.missionId));
  if (!mission) throw new AppError('ORDER_NOT_FOUND', copy.orderNotFound);
  const expired = await expireOverdueOrders(tx, now, { missionId: mission.id });
  // another mission's transaction may expire this order at the same time, without this mission's lock
  const order = await tx.findOneOrFail(FragOrder, { id, pilot: viewer.id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  const own = await tx.findOne(Seat, { order: order.id });

  const needsSeat = response === 'accepted' && order.status === 'issued' && !own;
  const place = needsSeat ? await findSeat(tx, order) : undefined;
  const decision = decideRsvp({
    status: order.status,
    statusReason: order.statusReason ?? null,
    rsvp: order.rsvp,
    isSharedOffer: order.isSharedOffer,
    isUnseen: isUnseen(order, seen),
    expiresMs: order.expiresAt.getTime(),
    startMs: mission.startMs,
    nowMs: now.getTime(),
    seatFree: own !== null || place !== undefined,
    response,
  });
  if (decision.kind === 'refused') {
    if (expired > 0) await backfill(tx, mission, now);
    return decision.code;
  }
  // Any answer acknowledges the admin's earlier changes.
  order.changes = null;
  if (decision.kind !== 'changed') {
    if (decision.kind === 'confirmed') {
      order.confirmedAt ??= now;
      await publishLiveOrders(tx, [viewer.id]);
    }
    return null;
  }
  const isInQueue = order.rsvp === 'standby' || decision.to === 'standby';
  order.rsvp = decision.to;
  order.answeredAt = now;
  order.readAt ??= now;
  let slower: string[] = [];
  let exceptPilotId: string | null = null;
  if (decision.to === 'accepted') {
    if (place) slower = await takeSeat(tx, mission, order, place, now);
    order.acceptedAt = now;
    order.confirmedAt = null;
    order.isLate = false;
  } else if (own) {
    tx.remove(own);
    exceptPilotId = viewer.id;
    order.gaveUpAt = now;
    // stays set when the pilot later moves between standby and declined: the seat was still given back late
    order.isLate = decision.late;
    await enqueueBackfillForFreedPilots(tx, [{ missionId: mission.id, pilotId: viewer.id }], now);
  }
  await tx.flush();
  noteOrders(tx, 'order.answered', mission.id, [order.id]);
  await publishLiveOrders(tx, [viewer.id, ...slower]);
  if (isInQueue) await publishLiveQueue(tx, mission.id);
  // the pilots who were too slow may fit another free seat
  if (exceptPilotId !== null || slower.length > 0) await backfill(tx, mission, now, { exceptPilotId });
  return null;
}

export const refusedAnswer = (refusal: RsvpRefusal) => new AppError(refusal, SENTENCES[refusal]);

/**
 * Record a pilot's answer. Another pilot's order is 404, not 403, so that ids do not leak. Repeating an answer succeeds.
 * 409 and 410 come with the reason.
 */
export async function answer(em: Em, viewer: Viewer, input: RsvpInput, now: Date): Promise<FragOrderDto> {
  const refusal = await transact(em, (tx) => answerInside(tx, viewer, input, now), isSeatRace);
  if (refusal) throw refusedAnswer(refusal);
  const row = await selectOrders(em)
    .where('o.id', '=', input.id)
    .executeTakeFirstOrThrow(() => new AppError('ORDER_NOT_FOUND', copy.orderNotFound));
  return presentOrder(row, now);
}
