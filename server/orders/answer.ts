/** A pilot's answer (RSVP) to a frag order: one transaction that locks the mission, checked again by the constraints. */
import type { ExpressionBuilder } from 'kysely';
import { emit } from '#server/signals/emit.ts';
import { db, isOneOf, ms, type Database } from '#server/schema/database.ts';
import { named } from '#server/schema/named.ts';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import { decideRsvp, type RsvpRefusal } from '#server/orders/rules/rsvp.ts';
import { AppError } from '#server/platform/errors.ts';
import { type KeyedCaller, onceFor } from '#server/platform/idempotency.ts';
import { copy } from '#shared/copy.ts';
import type { FragOrderDto, RsvpInput } from '#shared/schemas/pilot.ts';
import { overlaps } from '#server/time/intervals.ts';
import { onLeaveWords } from '#shared/leave.ts';
import { acceptOffers, ANSWER_KEYS, type AcceptedOffer } from './accept-offers.ts';
import { backfill } from './backfill.ts';
import { findLeaveTime } from './leave-orders.ts';
import { loadOrder, orderNotFound } from './order-view.ts';
import {
  refuseOverlap,
  isSeatRace,
  listFreeSeats,
  lockMission,
  expireOverdueOrders,
  type LockedMission,
} from '#server/orders/seats/orders.ts';
import { endSharedOffers } from '#server/orders/seats/shared-offers.ts';
import { inTurn } from '#server/orders/seats/mission-turns.ts';
import { changeOrders } from '#server/orders/seats/order-writes.ts';
import type { Viewer } from '#server/platform/viewer.ts';

export const refusedAnswer = (refusal: RsvpRefusal) =>
  refusal === 'CHANGED' ? new AppError(refusal, copy.orderChangedMeanwhile) : new AppError(refusal);

interface Place {
  flightId: string;
  seatIndex: number;
}

/** The order that is answered, locked: another mission's transaction may expire it without this mission's lock. */
const lockOrder = named('order_to_answer', (source, { id, pilotId }: { id: string; pilotId: string }) =>
  source
    .selectFrom('frag_order as o')
    .select(({ eb, ref, exists, selectFrom }) => [
      'o.id',
      'o.flight_id as flightId',
      'o.seat_index as seatIndex',
      'o.status',
      'o.status_reason as statusReason',
      'o.rsvp',
      'o.is_shared_offer as isSharedOffer',
      eb('o.changes', 'is not', null).as('isChanged'),
      ms(ref('o.changed_at')).as('changedMs'),
      ms(ref('o.expires_at')).as('expiresMs'),
      exists(selectFrom('seat as own').select('own.order_id').whereRef('own.order_id', '=', 'o.id')).as('holdsSeat'),
      exists(
        selectFrom('seat as same')
          .select('same.order_id')
          .whereRef('same.flight_id', '=', 'o.flight_id')
          .whereRef('same.seat_index', '=', 'o.seat_index'),
      ).as('isSeatTaken'),
    ])
    .where('o.id', '=', id)
    .where('o.pilot_id', '=', pilotId)
    .forUpdate('o'),
);

type AnsweredOrder = Awaited<ReturnType<typeof lockOrder>>[number];

/**
 * The seat that an order could take now: its own if free, otherwise one in its flight, otherwise one in the same aircraft
 * on the same side. An offer to several pilots that none of them holds is for its own seat only.
 */
async function findSeat(tx: Em, missionId: string, order: AnsweredOrder): Promise<Place | undefined> {
  const { flightId, seatIndex, isSharedOffer, rsvp, isSeatTaken } = order;
  if (isSharedOffer && rsvp === 'pending') return isSeatTaken ? undefined : { flightId, seatIndex };
  const free = await listFreeSeats(tx, missionId);
  const own = free.find((seat) => seat.flightId === flightId && seat.seatIndex === seatIndex);
  if (own) return own;
  const flight = await db(tx)
    .selectFrom('flight')
    .select(['aircraft_id as aircraftId', 'side'])
    .where('id', '=', flightId)
    .executeTakeFirstOrThrow();
  return (
    free.find((seat) => seat.flightId === flightId) ??
    free.find(({ aircraftId, side }) => aircraftId === flight.aircraftId && side === flight.side)
  );
}

/** Refuse a seat at the time of another mission, and during a leave. */
async function requireTime(tx: Em, mission: LockedMission, pilotId: string, now: Date): Promise<void> {
  await refuseOverlap(tx, pilotId, mission, now);
  const leave = await findLeaveTime(tx, pilotId);
  if (leave && overlaps(leave, mission)) throw new AppError('ON_LEAVE', `You are ${onLeaveWords(leave.lastDate)}.`);
}

/** True if an admin has changed the order since the version that the pilot saw, and no answer has acknowledged it. */
function isUnseen({ isChanged, changedMs }: AnsweredOrder, seen: RsvpInput['seen']): boolean {
  if (seen === undefined || !isChanged) return false;
  return (seen === null ? null : Date.parse(seen)) !== changedMs;
}

/** Another pilot took the shared offer, which is final. */
const isTaken = ({ and, eb }: ExpressionBuilder<Database, 'frag_order'>) =>
  and([eb('is_shared_offer', '=', true), eb('status_reason', 'is not distinct from', 'superseded')]);

/** Those of these orders whose shared offer another pilot took. */
const listTaken = named('taken_offers', (source, { ids }: { ids: readonly string[] }) =>
  source.selectFrom('frag_order').select('id').where(isOneOf('id', ids)).where(isTaken),
);

/** The order that is answered and its seat, and whether it is a shared offer: one that another pilot took, or none did. */
const findAnswered = named('answered_order', (source, { id, pilotId }: { id: string; pilotId: string }) =>
  source
    .selectFrom('frag_order')
    .select((eb) => [
      'mission_id as missionId',
      'flight_id as flightId',
      'seat_index as seatIndex',
      isTaken(eb).as('isTaken'),
      eb.and([eb('is_shared_offer', '=', true), eb('status', '=', 'issued'), eb('rsvp', '=', 'pending')]).as('isOffer'),
    ])
    .where('id', '=', id)
    .where('pilot_id', '=', pilotId)
    .where('status', '<>', 'draft'),
);

/**
 * The order before a transaction begins: the pilots who are too late are refused by one read, without queueing for the
 * mission's lock.
 * @throws AppError 404 for an unknown order; 409 for a shared offer that another pilot took first
 */
async function findOrder(em: Em, viewer: Viewer, { id, response }: RsvpInput) {
  const [order] = await findAnswered(em, { id, pilotId: viewer.id });
  if (!order) throw orderNotFound();
  if (order.isTaken && response === 'accepted') throw refusedAnswer('SEAT_TAKEN');
  return order;
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
  const [order] = await lockOrder(tx, { id, pilotId: viewer.id });
  if (!order) throw orderNotFound();
  const holdsSeat = order.holdsSeat === true;
  const needsSeat = response === 'accepted' && order.status === 'issued' && !holdsSeat;
  const place = needsSeat ? await findSeat(tx, mission.id, order) : undefined;
  const decision = decideRsvp({
    ...order,
    isUnseen: isUnseen(order, seen),
    startMs: mission.startMs,
    nowMs: now.getTime(),
    seatFree: holdsSeat || place !== undefined,
    response,
  });
  if (decision.kind === 'refused') {
    if (expired > 0) await backfill(tx, mission, now);
    return decision.code;
  }
  if (decision.kind !== 'changed') {
    const isConfirmed = decision.kind === 'confirmed';
    if (isConfirmed || order.isChanged)
      await changeOrders(tx, mission, isConfirmed ? 'confirm' : 'acknowledge', [{ id }], now);
    return null;
  }
  const { to, late } = decision;
  const givesUp = to !== 'accepted' && holdsSeat;
  if (place) {
    await requireTime(tx, mission, viewer.id, now);
    const taken = { id, flight_id: place.flightId, seat_index: place.seatIndex };
    await changeOrders(tx, mission, 'accept free seat', [taken], now);
    if (await endSharedOffers(tx, mission, [place], now)) emit(tx, { type: 'offer.lost', missionId: mission.id });
  } else if (to === 'accepted') await changeOrders(tx, mission, 'accept', [{ id }], now);
  else if (givesUp) await changeOrders(tx, mission, 'give up seat', [{ id, rsvp: to, is_late: late }], now);
  else await changeOrders(tx, mission, 'step aside', [{ id, rsvp: to }], now);
  if (order.rsvp === 'standby' || to === 'standby') emit(tx, { type: 'queue.changed', missionId: mission.id });
  if (givesUp) await backfill(tx, mission, now, { exceptPilotId: viewer.id });
  return null;
}

/**
 * Record a pilot's answer. Another pilot's order is 404, not 403, so that ids do not leak. Repeating an answer succeeds.
 * 409 and 410 come with the reason.
 * @param caller for a request with an Idempotency-Key: its repeat gets the first outcome again, even after a later answer
 */
export async function answer(
  em: Em,
  viewer: Viewer,
  input: RsvpInput,
  now: Date,
  caller?: KeyedCaller,
): Promise<FragOrderDto> {
  const { missionId, flightId, seatIndex, isOffer } = await findOrder(em, viewer, input);
  const work = async (tx: Em): Promise<FragOrderDto | RsvpRefusal> => {
    // before the lock of the key, as in `acceptOffers`
    if (typeof caller?.key === 'string') await lockMission(tx, missionId);
    return onceFor(tx, caller, ANSWER_KEYS, input, async () => {
      const refusal = await answerInside(tx, viewer, missionId, input, now);
      // before the commit: an answer that counts must not be refused for want of another connection
      return refusal ?? loadOrder(tx, input.id, now);
    });
  };
  const isAcceptedOffer = isOffer === true && input.response === 'accepted';
  const turn = {
    offer: isAcceptedOffer ? { orderId: input.id, pilotId: viewer.id, flightId, seatIndex, caller, input } : null,
    listLate: async (ids: readonly string[]) => (await listTaken(em, { ids })).map(({ id }) => id),
    refusal: () => refusedAnswer('SEAT_TAKEN'),
    together: (offers: readonly AcceptedOffer[]) =>
      transact(em, (tx) => acceptOffers(tx, missionId, offers, new Date()), isSeatRace),
  };
  const answered = await inTurn<AcceptedOffer, FragOrderDto | RsvpRefusal>(em, missionId, turn, () =>
    transact(em, work, isSeatRace),
  );
  if (typeof answered === 'string') throw refusedAnswer(answered);
  return answered;
}
