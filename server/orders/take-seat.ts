/** Taking an open seat: one transaction that locks the mission, checked again by the constraints. */
import type { z } from 'zod';
import { emit } from '#server/signals/emit.ts';
import { db } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { isLiveHold } from '#server/schema/predicates.ts';
import { transact } from '#server/schema/transaction.ts';
import type { EligibilityFacts } from '#server/orders/seating/rules/eligibility.ts';
import { findIneligibility, TO_PILOT, ineligibilitySentence } from '#server/orders/seating/rules/ineligibility.ts';
import { AppError } from '#server/platform/errors.ts';
import { type KeyedCaller, onceFor } from '#server/platform/idempotency.ts';
import { copy } from '#shared/copy.ts';
import type { FragOrderDto } from '#shared/schemas/pilot.ts';
import type { takeSeatInput } from '#shared/schemas/seats.ts';
import { backfill } from './backfill.ts';
import { loadCandidates } from '#server/orders/seating/candidates.ts';
import { loadOrder } from './order-view.ts';
import { applyFixes, lockWithOffers, withdrawOffers } from './seat-fixes.ts';
import {
  refuseOverlap,
  isSeatRace,
  issueOrders,
  lockMission,
  expireOverdueOrders,
  type LockedMission,
} from '#server/orders/seats/orders.ts';
import { endSharedOffers } from '#server/orders/seats/shared-offers.ts';
import { changeOrders } from '#server/orders/seats/order-writes.ts';
import { findSeat } from '#server/orders/seating/seat-candidates.ts';
import type { Viewer } from '#server/platform/viewer.ts';

type Input = z.infer<typeof takeSeatInput>;
type Seat = Awaited<ReturnType<typeof findSeat>>;

/**
 * True if another pilot holds the seat, the mission has not begun and the viewer has no seat in it. Checked before
 * locking, so that the pilots who are too late are refused without queueing for the mission's lock.
 */
async function isTaken(tx: Em, viewer: Viewer, { missionId, flightId, seatIndex }: Input, now: Date): Promise<boolean> {
  const holder = await db(tx)
    .selectFrom('seat as s')
    .innerJoin('frag_order as o', 'o.id', 's.order_id')
    .innerJoin('mission as m', 'm.id', 's.mission_id')
    .select('s.order_id')
    .where('s.mission_id', '=', missionId)
    .where('s.flight_id', '=', flightId)
    .where('s.seat_index', '=', seatIndex)
    .where(isLiveHold('o', now))
    .where('m.status', '=', 'scheduled')
    .where('m.starts_at', '>', now)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('seat as own')
            .select('own.order_id')
            .whereRef('own.mission_id', '=', 's.mission_id')
            .where('own.pilot_id', '=', viewer.id),
        ),
      ),
    )
    .executeTakeFirst();
  return holder !== undefined;
}

/** Lock a scheduled mission that has not begun, and expire its overdue orders. */
export async function lockForTaking(tx: Em, missionId: string, now: Date) {
  const mission = await lockMission(tx, missionId);
  if (!mission || mission.status === 'draft') throw new AppError('MISSION_NOT_FOUND');
  if (mission.status === 'cancelled') throw new AppError('MISSION_FINAL', copy.missionNotOpen);
  if (mission.startMs <= now.getTime()) throw new AppError('MISSION_STARTED');
  return { mission, expired: await expireOverdueOrders(tx, now, { missionId }) };
}

const questionOf = (pilot: EligibilityFacts, mission: LockedMission, seat: Seat, now: Date) => ({
  pilot,
  mission,
  flights: [{ ...seat, sizeCap: seat.flightSize }],
  committedTo: [],
  waiting: 0,
  nowMs: now.getTime(),
});

/** Refuse a seat that is taken, and a pilot who is not eligible for it, with the reason. */
async function requireFitting(tx: Em, mission: LockedMission, seat: Seat, pilotId: string, now: Date): Promise<void> {
  const holders = await db(tx)
    .selectFrom('seat')
    .select('pilot_id as holderId')
    .where('mission_id', '=', mission.id)
    .where(({ or, and, eb }) =>
      or([
        eb('pilot_id', '=', pilotId),
        and([eb('flight_id', '=', seat.flightId), eb('seat_index', '=', seat.seatIndex)]),
      ]),
    )
    .execute();
  if (holders.some(({ holderId }) => holderId === pilotId)) throw new AppError('SEAT_HELD_ALREADY');
  if (holders.length > 0) throw new AppError('SEAT_TAKEN');
  await refuseOverlap(tx, pilotId, mission, now);
  const [pilot] = await loadCandidates(tx, mission, now, [pilotId]);
  if (!pilot?.active) throw new AppError('SUSPENDED');
  const ineligibility = findIneligibility(questionOf(pilot, mission, seat, now));
  // `OUTRANKED` does not apply: the seat is free.
  if (ineligibility.reason !== 'OUTRANKED')
    throw new AppError('NOT_ELIGIBLE', ineligibilitySentence(ineligibility, TO_PILOT));
}

/**
 * Put the pilot's order on the seat: an existing one without a seat (standby, declined, or a shared offer), or else a new
 * one.
 */
async function bindOrder(tx: Em, mission: LockedMission, seat: Seat, pilotId: string, now: Date) {
  const place = { flightId: seat.flightId, seatIndex: seat.seatIndex, pilotId };
  const waiting = await db(tx)
    .selectFrom('frag_order')
    .select(['id', 'rsvp'])
    .where('mission_id', '=', mission.id)
    .where('pilot_id', '=', pilotId)
    .where('status', '=', 'issued')
    .orderBy((eb) => eb('rsvp', '=', 'declined'))
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  const reasons = [copy.tookOpenSeat];
  if (waiting) {
    const taken = { id: waiting.id, flight_id: seat.flightId, seat_index: seat.seatIndex, reasons };
    await changeOrders(tx, mission, 'take seat', [taken], now);
    return { orderId: waiting.id, wasInQueue: waiting.rsvp === 'standby' };
  }
  const [issued] = await issueOrders(tx, mission, [{ ...place, reasons }], now);
  if (issued === undefined) throw new Error('A seat was taken without an order');
  await changeOrders(tx, mission, 'accept', [{ id: issued }], now);
  return { orderId: issued, wasInQueue: false };
}

async function hasQueue(tx: Em, missionId: string): Promise<boolean> {
  const waiting = await db(tx)
    .selectFrom('frag_order')
    .select('id')
    .where('mission_id', '=', missionId)
    .where('status', '=', 'issued')
    .where('rsvp', '=', 'standby')
    .limit(1)
    .executeTakeFirst();
  return waiting !== undefined;
}

/** The order by which the pilot holds a seat in the mission. */
async function findHeld(tx: Em, missionId: string, pilotId: string): Promise<string | undefined> {
  const held = db(tx).selectFrom('seat').select('order_id as orderId');
  const own = held.where('mission_id', '=', missionId).where('pilot_id', '=', pilotId);
  return (await own.executeTakeFirst())?.orderId;
}

async function takeInside(tx: Em, viewer: Viewer, input: Input, now: Date): Promise<string> {
  if (await isTaken(tx, viewer, input, now)) throw new AppError('SEAT_TAKEN');
  const offers = await lockWithOffers(tx, viewer, input.missionId, now);
  const { mission, expired } = await lockForTaking(tx, input.missionId, now);
  // Seats of orders that expired just now belong to the standby queue: the job that passes them on may only be late.
  const passesOn = expired > 0 && (await hasQueue(tx, mission.id));
  if (passesOn && (await findHeld(tx, mission.id, viewer.id)) === undefined) {
    await backfill(tx, mission, now);
    const passedOn = await findHeld(tx, mission.id, viewer.id);
    if (passedOn !== undefined) return passedOn;
  }
  const seat = await findSeat(tx, { ...input, id: mission.id });
  await expireOverdueOrders(tx, now, { pilotIds: [viewer.id] });
  await withdrawOffers(tx, viewer, offers, now);
  await applyFixes(tx, viewer, mission, { aircraftIds: [seat.aircraftId], allowed: input, now });
  await requireFitting(tx, mission, seat, viewer.id, now);
  const { orderId, wasInQueue } = await bindOrder(tx, mission, seat, viewer.id, now);
  if (await endSharedOffers(tx, mission, [seat], now)) emit(tx, { type: 'offer.lost', missionId: mission.id });
  if (wasInQueue) emit(tx, { type: 'queue.changed', missionId: mission.id });
  if (expired > 0 && !passesOn) await backfill(tx, mission, now);
  return orderId;
}

/**
 * Take a fitting free seat without having been asked: the order is accepted at once, and shared offers of the seat end. A
 * repeated request gets the order as it is now. A pilot on standby, to whom an expired order passes a seat in this moment, gets
 * this seat.
 * Pending offers at the same time are declined. Where the input allows it, the pilot's availability, aircraft list, leave and
 * status are changed so that the seat fits. All of it happens in one transaction.
 * @param caller for a request with an Idempotency-Key
 * @throws AppError 404 for an unknown mission (or a draft), flight or seat; 409 when the mission is cancelled or has
 *   begun, when the seat is taken, and when the pilot has a seat in it or in an overlapping mission or is not eligible;
 *   403 when the pilot has been suspended
 */
export async function takeOpenSeat(
  em: Em,
  viewer: Viewer,
  input: Input,
  now: Date,
  caller?: KeyedCaller,
): Promise<FragOrderDto> {
  const take = async (tx: Em) => {
    const orderId = await onceFor(tx, caller, 'seat', input, () => takeInside(tx, viewer, input, now));
    return loadOrder(tx, orderId, now);
  };
  return transact(em, take, isSeatRace);
}
