/** Assigning and removing pilots by an admin, who can override level and availability but not overlapping missions. */
import type { z } from 'zod';
import { db } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { isActivePilot, nameForAdmins } from '#server/schema/predicates.ts';
import { transact } from '#server/schema/transaction.ts';
import { mergeChanges, movedChanges, seatWords, type FlightWords } from '#server/orders/seats/rules/order-changes.ts';
import { orderExpiryMs } from '#shared/order-expiry.ts';
import { judgeCandidate } from '#server/orders/seating/rules/one-mission/seat-candidate.ts';
import type { SeatingSeat } from '#server/orders/seating/rules/eligibility.ts';
import { AppError } from '#server/platform/errors.ts';
import { copy, pilotOverlapSentence, seatHeldSentence } from '#shared/copy.ts';
import { asksAgain } from '#shared/order-changes.ts';
import type { assignedPilot, assignPilotInput, removePilotInput } from '#shared/schemas/mission-admin.ts';
import { emit } from '#server/signals/emit.ts';
import { backfill } from '#server/orders/backfill.ts';
import { loadCandidates } from '#server/orders/seating/candidates.ts';
import { lockForWork, withdrawOrders } from '#server/orders/seats/mission-lock.ts';
import {
  refuseOverlap,
  isSeatRace,
  issueOrders,
  scheduleMissionBackfill,
  expireOverdueOrders,
  type LockedMission,
} from '#server/orders/seats/orders.ts';
import { changeOrders } from '#server/orders/seats/order-writes.ts';
import { endSharedOffers } from '#server/orders/seats/shared-offers.ts';
import { findSeat } from '#server/orders/seating/seat-candidates.ts';
import { requireStaying } from '#server/accounts/users.ts';
import { requireRoom } from '#server/platform/ownership.ts';
import type { Viewer } from '#server/platform/viewer.ts';

/** Issued orders of a mission for this seat or of this pilot, including declined ones. */
async function loadOrdersAt(
  tx: Em,
  missionId: string,
  { flightId, seatIndex, userId }: { flightId: string; seatIndex: number; userId: string | null },
) {
  const rows = await db(tx)
    .selectFrom('frag_order as o')
    .innerJoin('app_user as u', 'u.id', 'o.pilot_id')
    .innerJoin('flight as f', 'f.id', 'o.flight_id')
    .innerJoin('aircraft as a', 'a.id', 'f.aircraft_id')
    .leftJoin('seat as s', 's.order_id', 'o.id')
    .select((eb) => [
      'o.id',
      'o.pilot_id as pilotId',
      nameForAdmins('u').as('pilotName'),
      'o.rsvp',
      'o.changes',
      'o.flight_id as flightId',
      'o.seat_index as seatIndex',
      eb('s.order_id', 'is not', null).$castTo<boolean>().as('holdsSeat'),
      'f.callsign',
      'a.name as aircraft',
      'f.role',
      'f.side',
      'f.radio_freq as radio',
    ])
    .where('o.mission_id', '=', missionId)
    .where('o.status', '=', 'issued')
    .where(({ and, eb, or }) =>
      or([
        ...(userId === null ? [] : [eb('o.pilot_id', '=', userId)]),
        and([eb('s.flight_id', '=', flightId), eb('s.seat_index', '=', seatIndex)]),
      ]),
    )
    .execute();
  return rows.map(({ callsign, aircraft, role, side, radio, ...order }) => ({
    ...order,
    words: { callsign, aircraft, role, side, radio, notes: null },
  }));
}

type LiveOrder = Awaited<ReturnType<typeof loadOrdersAt>>[number];

/** An active pilot by id: 404 for an unknown or erased account, 409 for one that is being deleted or suspended. */
async function requireAssignable(tx: Em, userId: string): Promise<{ name: string }> {
  const user = await db(tx)
    .selectFrom('app_user as u')
    .select([
      nameForAdmins('u').as('name'),
      isActivePilot('u').as('isActive'),
      'u.erased_at as erasedAt',
      'u.deletion_due_at as deletionDueAt',
    ])
    .where('u.id', '=', userId)
    .forShare()
    .executeTakeFirst();
  if (!user) throw new AppError('USER_NOT_FOUND');
  requireStaying(user);
  if (!user.isActive) throw new AppError('PILOT_SUSPENDED');
  return user;
}

/** The warnings for the admin, and the reasons of the order for the pilot. */
async function judge(
  tx: Em,
  mission: LockedMission,
  seat: SeatingSeat,
  pilot: { id: string; name: string },
  now: Date,
): Promise<{ warnings: string[]; reasons: string[] }> {
  const [candidate] = await loadCandidates(tx, mission, now, [pilot.id]);
  if (!candidate) return { warnings: [], reasons: [copy.assignedByAdmin] };
  const { warnings, isListed, reason } = judgeCandidate(candidate, pilot.name, seat, mission, now.getTime());
  if (reason === 'ON_LEAVE') throw new AppError('PILOT_ON_LEAVE', warnings[0] ?? copy.pilotOnLeave);
  return { warnings, reasons: [copy.assignedByAdmin, ...(isListed ? [] : [copy.aircraftUnlisted])] };
}

/** What orders show of a flight, and the notes of its mission. */
async function wordsOf(tx: Em, flightId: string): Promise<{ words: FlightWords; missionNotes: string | null }> {
  const row = await db(tx)
    .selectFrom('flight as f')
    .innerJoin('aircraft as a', 'a.id', 'f.aircraft_id')
    .innerJoin('mission as m', 'm.id', 'f.mission_id')
    .select([
      'f.callsign',
      'a.name as aircraft',
      'f.role',
      'f.side',
      'f.radio_freq as radio',
      'm.notes as missionNotes',
    ])
    .where('f.id', '=', flightId)
    .executeTakeFirst();
  if (!row) throw new AppError('FLIGHT_NOT_FOUND');
  const { missionNotes, ...words } = row;
  return { words: { ...words, notes: null }, missionNotes };
}

/** Move an order to another seat. Its pilot is asked (again) if side, aircraft or role differ or the order is pending. */
async function moveOrder(
  tx: Em,
  mission: LockedMission,
  order: LiveOrder,
  seat: SeatingSeat,
  reasons: string[],
  now: Date,
): Promise<void> {
  const { words, missionNotes } = await wordsOf(tx, seat.flightId);
  const { news, changes } = movedChanges(order.changes ?? [], { from: order, to: { ...seat, words }, missionNotes });
  const asks = order.rsvp === 'pending' || asksAgain(order, news);
  const moved = { id: order.id, flight_id: seat.flightId, seat_index: seat.seatIndex, reasons, changes };
  if (asks) {
    const expiresAt = new Date(orderExpiryMs(now.getTime(), mission.startMs));
    await changeOrders(tx, mission, 'move and ask again', [{ ...moved, expires_at: expiresAt }], now);
  } else await changeOrders(tx, mission, 'move', [moved], now);
}

/** The withdrawal of the holder's order, with the lost seat added to its changes. */
function takeBack({ id, changes }: LiveOrder, place: string) {
  return { orderId: id, changes: mergeChanges(changes ?? [], [{ field: 'seat', from: place, to: null }]) };
}

/** True if the holder is the pilot whom the admin saw on the seat, or if the request names no holder. */
const isSeen = ({ pilotId }: LiveOrder, holderId: string | undefined) => holderId === undefined || holderId === pilotId;

async function assignInside(
  tx: Em,
  viewer: Viewer,
  { replace = false, ...input }: z.infer<typeof assignPilotInput>,
  now: Date,
): Promise<z.infer<typeof assignedPilot>> {
  const { mission, status, expired } = await lockForWork(tx, input.id, now);
  if (status === 'draft') throw new AppError('MISSION_IS_DRAFT');
  if (status === 'launched') throw new AppError('MISSION_STARTED');
  const seat = await findSeat(tx, input);
  const pilot = { id: input.userId, ...(await requireAssignable(tx, input.userId)) };
  await expireOverdueOrders(tx, now, { pilotIds: [pilot.id] });

  const orders = await loadOrdersAt(tx, mission.id, input);
  const isHere = (order: LiveOrder) =>
    order.holdsSeat && order.flightId === seat.flightId && order.seatIndex === seat.seatIndex;
  const holder = orders.find((order) => isHere(order) && order.pilotId !== pilot.id);
  const own = orders.filter((order) => order.pilotId === pilot.id);
  const held = own.find(({ holdsSeat }) => holdsSeat);
  const { warnings, reasons } = await judge(tx, mission, seat, pilot, now);
  if (held && isHere(held)) return { orderId: held.id, warnings };
  await refuseOverlap(tx, pilot.id, mission, now, (name) => pilotOverlapSentence(pilot.name, name));
  if (holder && !(replace && isSeen(holder, input.holderId))) {
    throw new AppError('SEAT_TAKEN', seatHeldSentence(holder.pilotName));
  }

  const place = seatWords(seat.callsign, seat.seatIndex);
  const superseded = own.filter(({ holdsSeat }) => !holdsSeat);
  await withdrawOrders(
    tx,
    mission,
    [
      ...(holder ? [takeBack(holder, place)] : []),
      ...superseded.map(({ id, changes }) => ({ orderId: id, changes: changes ?? [] })),
    ],
    now,
  );
  const isFaster = await endSharedOffers(tx, mission, [seat], now);
  let orderId = held?.id;
  if (held) await moveOrder(tx, mission, held, seat, reasons, now);
  else {
    const had = db(tx).selectFrom('frag_order').where('mission_id', '=', mission.id).where('pilot_id', '=', pilot.id);
    await requireRoom('orders', had);
    const [issued] = await issueOrders(
      tx,
      mission,
      [{ flightId: seat.flightId, seatIndex: seat.seatIndex, pilotId: pilot.id, reasons }],
      now,
    );
    orderId = issued;
  }
  if (orderId === undefined) throw new Error('An assignment made no order');
  emit(tx, {
    type: 'pilot.assigned',
    by: viewer,
    mission,
    pilot: pilot.name,
    userId: pilot.id,
    seat: place,
    replaced: holder ? { id: holder.pilotId, name: holder.pilotName } : null,
  });
  if (superseded.some(({ rsvp }) => rsvp === 'standby')) emit(tx, { type: 'queue.changed', missionId: mission.id });
  // the pilots who lost a shared offer may fit another free seat
  if (held || expired > 0 || isFaster) await backfill(tx, mission, now);
  else await scheduleMissionBackfill(tx, mission.id);
  return { orderId, warnings };
}

/**
 * Assign a pilot to a seat: with a new pending order, or by moving the order that holds the pilot's seat. With `replace`
 * the current holder loses the seat.
 * @returns warnings about what the admin has overridden, as sentences
 * @throws AppError 404 for an unknown mission, flight, seat or user; 409 when the seat is taken, when the pilot is
 *   suspended, flies elsewhere or is on leave at that time, and when the mission is a draft, under way or over
 */
export function assignPilot(
  em: Em,
  viewer: Viewer,
  input: z.infer<typeof assignPilotInput>,
  now: Date,
): Promise<z.infer<typeof assignedPilot>> {
  return transact(em, (tx) => assignInside(tx, viewer, input, now), isSeatRace);
}

/**
 * Remove a pilot from a seat and backfill it. The pilot is notified, and not asked again for this mission.
 * @throws AppError 404 for an unknown mission, flight or seat; 409 when the seat is free or held by somebody else, and
 *   when the mission has started
 */
export async function removePilot(
  em: Em,
  viewer: Viewer,
  input: z.infer<typeof removePilotInput>,
  now: Date,
): Promise<void> {
  const work = async (tx: Em) => {
    const { mission, status } = await lockForWork(tx, input.id, now);
    if (status === 'launched') throw new AppError('MISSION_STARTED');
    const seat = await findSeat(tx, input);
    const [holder] = await loadOrdersAt(tx, mission.id, { ...seat, userId: null });
    if (!holder) throw new AppError('SEAT_EMPTY');
    if (!isSeen(holder, input.holderId)) throw new AppError('SEAT_TAKEN', seatHeldSentence(holder.pilotName));
    const place = seatWords(seat.callsign, seat.seatIndex);
    await withdrawOrders(tx, mission, [takeBack(holder, place)], now);
    const { pilotName: pilot, pilotId: userId } = holder;
    emit(tx, { type: 'pilot.removed', by: viewer, mission, pilot, userId, seat: place });
    await backfill(tx, mission, now, { exceptPilotId: holder.pilotId });
  };
  await transact(em, work, isSeatRace);
}
