/** A pilot's answer (RSVP) to a frag order: one transaction that locks the mission, checked again by the constraints. */
import { LockMode } from '@mikro-orm/core';
import { FragOrder, Seat } from '#server/schema/frag-order.ts';
import { Flight } from '#server/schema/mission.ts';
import { named } from '#server/schema/named.ts';
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
import { loadOrder, orderNotFound } from './order-view.ts';
import {
  findLiveOverlap,
  holdSeats,
  isSeatRace,
  listFreeSeats,
  lockMission,
  expireOverdueOrders,
  type LockedMission,
} from '#server/seats/orders.ts';
import { endSharedOffers } from '#server/seats/shared-offers.ts';
import { inTurn } from '#server/seats/mission-turns.ts';
import type { Viewer } from '#server/platform/viewer.ts';
import { enqueueBackfillForFreedPilots, enqueueBackfillForSlower } from '#server/signals/backfill-jobs.ts';
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

export const refusedAnswer = (refusal: RsvpRefusal) => new AppError(refusal, SENTENCES[refusal]);

interface Place {
  flightId: string;
  seatIndex: number;
}

/** An offer to several pilots that none of them holds: it is for its own seat only. */
const isOpenOffer = ({ isSharedOffer, rsvp }: FragOrder): boolean => isSharedOffer && rsvp === 'pending';

/**
 * The seat that an order could take now: its own if free, otherwise one in its flight, otherwise one in the same aircraft
 * on the same side.
 */
async function findSeat(tx: Em, order: FragOrder): Promise<Place | undefined> {
  if (isOpenOffer(order)) {
    const { flight, seatIndex } = order;
    const isTaken = (await tx.count(Seat, { flight: flight.id, seatIndex })) > 0;
    return isTaken ? undefined : { flightId: flight.id, seatIndex };
  }
  const free = await listFreeSeats(tx, order.mission.id);
  const own = free.find((seat) => seat.flightId === order.flight.id && seat.seatIndex === order.seatIndex);
  if (own) return own;
  const flight = await tx.findOneOrFail(Flight, { id: order.flight.id });
  return (
    free.find(({ flightId }) => flightId === order.flight.id) ??
    free.find(({ aircraftId, side }) => aircraftId === flight.aircraft.id && side === flight.side)
  );
}

/** Take a seat; 409 for an overlapping mission, and during a leave. @returns the pilots who had a shared offer of the same seat */
async function takeSeat(tx: Em, mission: LockedMission, order: FragOrder, place: Place, now: Date): Promise<string[]> {
  const pilotId = order.pilot.id;
  const other = await findLiveOverlap(tx, pilotId, mission, now);
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

/** The order that is answered, and true if another pilot took its shared offer, which is final. */
const findAnswered = named('answered_order', (source, { id, pilotId }: { id: string; pilotId: string }) =>
  source
    .selectFrom('frag_order')
    .select(({ and, eb, ref }) => [
      'mission_id as missionId',
      and([ref('is_open_offer'), eb('status_reason', 'is not distinct from', 'superseded')]).as('isTaken'),
    ])
    .where('id', '=', id)
    .where('pilot_id', '=', pilotId)
    .where('status', '<>', 'draft'),
);

/**
 * The mission of the order, before a transaction begins: the pilots who are too late are refused by one read, without
 * queueing for the mission's lock.
 * @throws AppError 404 for an unknown order; 409 for a shared offer that another pilot took first
 */
async function findMissionOf(em: Em, viewer: Viewer, { id, response }: RsvpInput): Promise<string> {
  const [order] = await findAnswered(em, { id, pilotId: viewer.id });
  if (!order) throw orderNotFound();
  if (order.isTaken && response === 'accepted') throw refusedAnswer('SEAT_TAKEN');
  return order.missionId;
}

/**
 * @param missionId of the order, which the viewer has
 * @returns why the answer is refused; the caller throws after the commit, so that expired seats stay freed
 */
export async function answerInside(
  tx: Em,
  viewer: Viewer,
  missionId: string,
  { id, response, seen }: RsvpInput,
  now: Date,
): Promise<RsvpRefusal | null> {
  const mission = await lockMission(tx, missionId);
  if (!mission) throw orderNotFound();
  const expired = await expireOverdueOrders(tx, now, { missionId: mission.id });
  // another mission's transaction may expire this order at the same time, without this mission's lock
  const order = await tx.findOneOrFail(FragOrder, { id, pilot: viewer.id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  const own = isOpenOffer(order) ? null : await tx.findOne(Seat, { order: order.id });

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
    order.acceptedAt = now;
    order.confirmedAt = null;
    order.isLate = false;
    if (place) slower = await takeSeat(tx, mission, order, place, now);
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
  if (slower.length > 0) await enqueueBackfillForSlower(tx, mission.id);
  if (exceptPilotId !== null) await backfill(tx, mission, now, { exceptPilotId });
  return null;
}

/**
 * Record a pilot's answer. Another pilot's order is 404, not 403, so that ids do not leak. Repeating an answer succeeds.
 * 409 and 410 come with the reason.
 */
export async function answer(em: Em, viewer: Viewer, input: RsvpInput, now: Date): Promise<FragOrderDto> {
  const missionId = await findMissionOf(em, viewer, input);
  const work = async (tx: Em) => {
    const refusal = await answerInside(tx, viewer, missionId, input, now);
    // before the commit: an answer that counts must not be refused for want of another connection
    return refusal ?? loadOrder(tx, input.id, now);
  };
  const answered = await inTurn(em, missionId, async ({ hasWaited }) => {
    // somebody who came first may have taken the seat meanwhile
    if (hasWaited) await findMissionOf(em, viewer, input);
    return transact(em, work, isSeatRace);
  });
  if (typeof answered === 'string') throw refusedAnswer(answered);
  return answered;
}
