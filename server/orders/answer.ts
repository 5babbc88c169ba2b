/** A pilot's answer to a frag order: one transaction behind the mission's lock, checked again by the constraints. */
import { LockMode } from '@mikro-orm/core';
import { sql } from 'kysely';
import { db } from '#server/schema/database.ts';
import { FragOrder, Seat } from '#server/schema/frag-order.ts';
import { Flight } from '#server/schema/mission.ts';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import { decideRsvp, type RsvpRefusal } from '#server/orders/rules/rsvp.ts';
import { AppError } from '#server/platform/errors.ts';
import type { RefusalCode } from '#shared/refusals.ts';
import { copy, overlapSentence } from '#shared/copy.ts';
import type { FragOrderDto, RsvpInput } from '#shared/schemas/pilot.ts';
import { publishLiveOrders, publishLiveQueue } from '#server/signals/live-signals.ts';
import { backfill } from './backfill.ts';
import { selectOrders, presentOrder } from './order-view.ts';
import {
  endOpenOffers,
  findOverlap,
  holdSeats,
  isSeatRace,
  listFreeSeats,
  lockMission,
  scheduleMissionBackfill,
  expireOverdueOrders,
  type LockedMission,
} from '#server/seats/orders.ts';
import type { Viewer } from '#server/platform/viewer.ts';
import { enqueueBackfillForFreedPilots } from '#server/signals/backfill-jobs.ts';

const REFUSALS: Record<RsvpRefusal | 'CHANGED', readonly [RefusalCode, string]> = {
  GONE_EXPIRED: ['ORDER_EXPIRED', copy.orderExpired],
  GONE_CANCELLED: ['ORDER_CANCELLED', copy.orderCancelled],
  NO_SEAT: ['NO_SEAT_FREE', copy.noSeatFree],
  SEAT_TAKEN: ['SEAT_TAKEN', copy.seatTaken],
  STARTED: ['MISSION_STARTED', copy.missionStarted],
  STANDBY_TOO_LATE: ['STANDBY_TOO_LATE', copy.standbyTooLate],
  NOT_POSSIBLE: ['ANSWER_NOT_POSSIBLE', copy.answerNotPossible],
  CHANGED: ['CHANGED', copy.orderChangedMeanwhile],
};

interface Place {
  flightId: string;
  seatIndex: number;
}

/**
 * The seat an order could take now: its own if free, else one of its flight, else one in the same aircraft on the same
 * side. An open offer is for its own seat only.
 */
async function findSeat(tx: Em, order: FragOrder): Promise<Place | undefined> {
  const free = await listFreeSeats(tx, order.mission.id);
  const isOwn = (seat: Place) => seat.flightId === order.flight.id && seat.seatIndex === order.seatIndex;
  const own = free.find(isOwn);
  if (own || (order.isOpenOffer && order.rsvp === 'pending')) return own;
  const flight = await tx.findOneOrFail(Flight, { id: order.flight.id });
  return (
    free.find(({ flightId }) => flightId === order.flight.id) ??
    free.find(({ aircraftId, side }) => aircraftId === flight.aircraft.id && side === flight.side)
  );
}

/** Take a seat, or say in words why not. @returns the pilots to whom it was on offer as well */
async function takeSeat(tx: Em, mission: LockedMission, order: FragOrder, place: Place, now: Date): Promise<string[]> {
  const pilotId = order.pilot.id;
  await expireOverdueOrders(tx, now, { pilotIds: [pilotId] });
  const other = await findOverlap(tx, pilotId, mission);
  if (other !== undefined) throw new AppError('OVERLAP', overlapSentence(other));
  order.flight = tx.getReference(Flight, place.flightId);
  order.seatIndex = place.seatIndex;
  await holdSeats(tx, mission, [{ orderId: order.id, ...place, pilotId }]);
  await tx.flush();
  return endOpenOffers(tx, mission.id, place);
}

/** Whether an admin has changed the order since the state that was read, and no answer has taken note of it. */
function isUnseen({ changes, changedAt }: FragOrder, seen: RsvpInput['seen']): boolean {
  if (seen === undefined || !changes) return false;
  return (seen === null ? null : Date.parse(seen)) !== (changedAt?.getTime() ?? null);
}

/** What the transaction found; a refusal is thrown after the commit, so that expired seats stay freed. */
type Outcome = { refused: RsvpRefusal | 'CHANGED' | null };

async function answerInside(tx: Em, viewer: Viewer, { id, response, seen }: RsvpInput, now: Date): Promise<Outcome> {
  const found = await db(tx)
    .selectFrom('frag_order')
    .select([
      'mission_id as missionId',
      sql<boolean>`is_open_offer and status_reason is not distinct from 'superseded'`.as('isTaken'),
    ])
    .where('id', '=', id)
    .where('pilot_id', '=', viewer.id)
    .where('status', '<>', 'draft')
    .executeTakeFirst();
  if (!found) throw new AppError('ORDER_NOT_FOUND', copy.orderNotFound);
  // Final, so the many who come second need not queue for the mission's lock to hear it.
  if (found.isTaken && response === 'accepted') return { refused: 'SEAT_TAKEN' };
  const mission = await lockMission(tx, found.missionId);
  if (!mission) throw new AppError('ORDER_NOT_FOUND', copy.orderNotFound);
  const expired = await expireOverdueOrders(tx, now, { missionId: mission.id });
  // another mission that seats this pilot may end the order at the same moment, and does not hold this mission's lock
  const order = await tx.findOneOrFail(FragOrder, { id, pilot: viewer.id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  const own = await tx.findOne(Seat, { order: order.id });

  const needsSeat = response === 'accepted' && order.status === 'issued' && !own;
  const place = needsSeat ? await findSeat(tx, order) : undefined;
  const decision = decideRsvp({
    status: order.status,
    statusReason: order.statusReason ?? null,
    rsvp: order.rsvp,
    expiresAtMs: order.expiresAt.getTime(),
    startMs: mission.startMs,
    nowMs: now.getTime(),
    seatFree: own !== null || place !== undefined,
    isOpenOffer: order.rsvp === 'pending' && !own,
    response,
  });
  if (decision.kind === 'refused') {
    const lostRace = order.isOpenOffer && order.statusReason === 'superseded' && response === 'accepted';
    if (expired > 0) await backfillSeat(tx, mission, now, null);
    return { refused: lostRace ? 'SEAT_TAKEN' : decision.code };
  }
  if (response === 'accepted' && isUnseen(order, seen)) {
    if (expired > 0) await backfillSeat(tx, mission, now, null);
    return { refused: 'CHANGED' };
  }
  // Any answer takes note of what an admin changed before it; nothing of that is left to read.
  order.changes = null;
  if (decision.kind === 'unchanged') return { refused: null };
  if (decision.kind === 'confirmed') {
    order.confirmedAt ??= now;
    await publishLiveOrders(tx, [viewer.id]);
    return { refused: null };
  }
  const isInQueue = order.rsvp === 'standby' || decision.to === 'standby';
  order.rsvp = decision.to;
  order.answeredAt = now;
  order.readAt ??= now;
  let slower: string[] = [];
  if (decision.to === 'accepted') {
    if (place) slower = await takeSeat(tx, mission, order, place, now);
    order.acceptedAt = now;
    order.confirmedAt = null;
    order.isLate = false;
  } else if (own) {
    tx.remove(own);
    order.gaveUpAt = now;
    // who moves between the queue and declined afterwards has given the seat back late all the same
    order.isLate = decision.late;
    await enqueueBackfillForFreedPilots(tx, [{ missionId: mission.id, pilotId: viewer.id }], now);
  }
  await tx.flush();
  await publishLiveOrders(tx, [viewer.id, ...slower]);
  if (isInQueue) await publishLiveQueue(tx, mission.id);
  if (own && decision.to !== 'accepted') await backfillSeat(tx, mission, now, viewer.id);
  // who was slower may fit another seat that is still free
  else if (slower.length > 0) await backfillSeat(tx, mission, now, null);
  return { refused: null };
}

/** After a seat came free: look for its next pilot, and wake the job for the next expiry. */
async function backfillSeat(tx: Em, mission: LockedMission, now: Date, exceptPilotId: string | null): Promise<void> {
  await backfill(tx, mission, now, { exceptPilotId });
  await scheduleMissionBackfill(tx, mission.id);
}

/**
 * Record a pilot's answer. Another pilot's order is not found, never forbidden: ids must not leak.
 * The same answer again is a success. 409 and 410 carry the sentence that says why.
 */
export async function answer(em: Em, viewer: Viewer, input: RsvpInput, now: Date): Promise<FragOrderDto> {
  const { refused } = await transact(em, (tx) => answerInside(tx, viewer, input, now), isSeatRace);
  if (refused) throw new AppError(...REFUSALS[refused]);
  const row = await selectOrders(em).where('o.id', '=', input.id).executeTakeFirst();
  if (!row) throw new AppError('ORDER_NOT_FOUND', copy.orderNotFound);
  return presentOrder(row, now);
}
