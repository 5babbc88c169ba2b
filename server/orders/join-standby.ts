/** Joining and leaving a mission's standby queue without having been asked. Queue and backfill are as for standby orders. */
import type { z } from 'zod';
import { emit } from '#server/signals/emit.ts';
import type { Em } from '#server/schema/orm.ts';
import { db } from '#server/schema/database.ts';
import { transact } from '#server/schema/transaction.ts';
import { assessPilot } from '#server/orders/seating/rules/eligibility.ts';
import { findIneligibility, TO_PILOT, ineligibilitySentence } from '#server/orders/seating/rules/ineligibility.ts';
import { loadCandidates } from '#server/orders/seating/candidates.ts';
import { AppError } from '#server/platform/errors.ts';
import type { Viewer } from '#server/platform/viewer.ts';
import { copy } from '#shared/copy.ts';
import type { FragOrderDto } from '#shared/schemas/pilot.ts';
import {
  expireOverdueOrders,
  refuseOverlap,
  isSeatRace,
  issueOrders,
  listFlights,
  listFreeSeats,
  lockMission,
  type LockedMission,
} from '#server/orders/seats/orders.ts';
import { answerInside, refusedAnswer } from './answer.ts';
import { backfill } from './backfill.ts';
import { loadOrder } from './order-view.ts';
import { applyFixes } from './seat-fixes.ts';
import { lockForTaking } from './take-seat.ts';
import type { joinStandbyInput, SeatFixesInput } from '#shared/schemas/seats.ts';

/** The pilot's order for the mission, if any: a live one before a declined one. */
async function findIssued(tx: Em, missionId: string, pilotId: string) {
  return db(tx)
    .selectFrom('frag_order')
    .select(['id', 'rsvp', 'is_shared_offer as isSharedOffer'])
    .where('mission_id', '=', missionId)
    .where('pilot_id', '=', pilotId)
    .where('status', '=', 'issued')
    .orderBy((eb) => eb('rsvp', '=', 'declined'))
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/**
 * The place that the order of a pilot on standby names: the last seat of the first flight that fits.
 * @throws AppError when a fitting seat is free, and when the pilot could not fly the mission, with the reason
 */
async function findFitting(tx: Em, mission: LockedMission, viewer: Viewer, allowed: SeatFixesInput, now: Date) {
  const pilotId = viewer.id;
  await expireOverdueOrders(tx, now, { pilotIds: [pilotId] });
  await refuseOverlap(tx, pilotId, mission, now);
  const flights = await listFlights(tx, mission.id);
  await applyFixes(tx, viewer, mission, { aircraftIds: flights.map(({ aircraftId }) => aircraftId), allowed, now });
  const [pilot] = await loadCandidates(tx, mission, now, [pilotId]);
  if (!pilot?.active) throw new AppError('SUSPENDED');
  const question = { pilot, mission, flights, committedTo: [], waiting: 0, nowMs: now.getTime() };
  const ineligibility = findIneligibility(question);
  const { fitFor } = assessPilot(pilot, mission, now.getTime());
  const fitting = flights.find(({ aircraftId }) => fitFor(aircraftId) !== null);
  if (ineligibility.reason !== 'OUTRANKED' || !fitting)
    throw new AppError('NOT_ELIGIBLE', ineligibilitySentence(ineligibility, TO_PILOT));
  const free = await listFreeSeats(tx, mission.id);
  if (free.some(({ aircraftId }) => fitFor(aircraftId) !== null)) throw new AppError('SEAT_OPEN');
  return { flightId: fitting.flightId, seatIndex: fitting.sizeCap - 1, pilotId, reasons: [copy.joinedStandby] };
}

async function joinInside(
  tx: Em,
  viewer: Viewer,
  missionId: string,
  allowed: SeatFixesInput,
  now: Date,
): Promise<string> {
  const { mission, expired } = await lockForTaking(tx, missionId, now);
  const before = await findIssued(tx, mission.id, viewer.id);
  if (before?.rsvp === 'accepted') throw new AppError('SEAT_HELD_ALREADY');
  // a seat whose order expired just now belongs to those who already wait, which may be this pilot
  if (expired > 0) await backfill(tx, mission, now);
  const own = await findIssued(tx, mission.id, viewer.id);
  if (own?.rsvp === 'accepted' || own?.rsvp === 'standby') return own.id;
  // giving up an offered seat needs no check: the pilot exchanges it for a place in the queue
  const place = own?.rsvp === 'pending' ? null : await findFitting(tx, mission, viewer, allowed, now);
  if (own) {
    const refusal = await answerInside(tx, viewer, mission.id, { id: own.id, response: 'standby' }, now);
    if (refusal) throw refusedAnswer(refusal);
    return own.id;
  }
  const [orderId] = place ? await issueOrders(tx, mission, [place], now, 'join queue') : [];
  if (orderId === undefined) throw new Error('A pilot stands by without an order');
  emit(tx, { type: 'queue.changed', missionId: mission.id });
  return orderId;
}

/**
 * Join the end of a mission's standby queue. Safe to repeat: a pilot who is in the queue keeps the place, or has the seat that
 * came free just now.
 * @throws AppError 404 for an unknown mission (or a draft); 409 when the mission is cancelled or has begun, when the pilot
 *   has a seat in it or in an overlapping mission or is not eligible, and when a fitting seat is free
 */
export async function joinStandby(
  em: Em,
  viewer: Viewer,
  { id, ...allowed }: z.infer<typeof joinStandbyInput>,
  now: Date,
): Promise<FragOrderDto> {
  const join = async (tx: Em) => loadOrder(tx, await joinInside(tx, viewer, id, allowed, now), now);
  return transact(em, join, isSeatRace);
}

/**
 * Leave a mission's standby queue, also while an offer to all who wait is open. Safe to repeat, and for a pilot who is not
 * in it.
 * @throws AppError 404 for an unknown mission (or a draft); 409 when the mission has begun
 */
export async function leaveStandby(em: Em, viewer: Viewer, missionId: string, now: Date): Promise<void> {
  const refusal = await transact(em, async (tx) => {
    const mission = await lockMission(tx, missionId);
    if (!mission || mission.status === 'draft') throw new AppError('MISSION_NOT_FOUND');
    const own = await findIssued(tx, missionId, viewer.id);
    const isWaiting = own?.rsvp === 'standby' || (own?.rsvp === 'pending' && own.isSharedOffer);
    return isWaiting ? answerInside(tx, viewer, mission.id, { id: own.id, response: 'declined' }, now) : null;
  });
  if (refusal) throw refusedAnswer(refusal);
}
