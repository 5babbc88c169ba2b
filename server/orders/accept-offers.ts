/**
 * Accepting shared offers of a mission together: answers that wait for its lock take their seats in one transaction, because
 * each alone would lock the mission, read and publish for itself. All other answers are given by `answer.ts`.
 */
import type { ExpressionBuilder } from 'kysely';
import { emit } from '#server/signals/emit.ts';
import { type Database, isOneOf, ms } from '#server/schema/database.ts';
import { named } from '#server/schema/named.ts';
import type { Em } from '#server/schema/orm.ts';
import { isExpired, overlapsRow } from '#server/schema/predicates.ts';
import { decideRsvp } from '#server/orders/rules/rsvp.ts';
import { lockMission, type LockedMission } from '#server/orders/seats/orders.ts';
import { endSharedOffers } from '#server/orders/seats/shared-offers.ts';
import { changeOrders } from '#server/orders/seats/order-writes.ts';
import { keepAnswers, type KeyedCaller } from '#server/platform/idempotency.ts';
import type { FragOrderDto, RsvpInput } from '#shared/schemas/pilot.ts';
import { loadOrders } from './order-view.ts';

/** Name of answers among the calls that take an Idempotency-Key. */
export const ANSWER_KEYS = 'rsvp';

/** A shared offer that its pilot accepts. */
export interface AcceptedOffer {
  orderId: string;
  pilotId: string;
  flightId: string;
  seatIndex: number;
  /** the request, if it has an Idempotency-Key */
  caller: KeyedCaller | undefined;
  input: RsvpInput;
}

type Joined = Database & { o: Database['frag_order']; m: Database['mission'] };

/** True if the offer cannot simply be accepted: it was changed, its seat is taken, its pilot is busy or on leave, or orders are overdue. */
const isInTheWay =
  (now: Date) =>
  ({ eb, or, exists, selectFrom }: ExpressionBuilder<Joined, 'o' | 'm'>) =>
    or([
      eb('o.changes', 'is not', null),
      exists(
        selectFrom('seat as s')
          .select('s.order_id')
          .whereRef('s.flight_id', '=', 'o.flight_id')
          .whereRef('s.seat_index', '=', 'o.seat_index'),
      ),
      exists(
        selectFrom('seat as s')
          .select('s.order_id')
          .whereRef('s.pilot_id', '=', 'o.pilot_id')
          .where(overlapsRow('s', 'm')),
      ),
      exists(selectFrom('leave as l').select('l.user_id').whereRef('l.user_id', '=', 'o.pilot_id')),
      exists(
        selectFrom('frag_order as late')
          .select('late.id')
          .whereRef('late.mission_id', '=', 'm.id')
          .where(isExpired('late', now)),
      ),
    ]);

const lockOffers = named('offers_to_accept', (source, { ids, now }: { ids: readonly string[]; now: Date }) =>
  source
    .selectFrom('frag_order as o')
    .innerJoin('mission as m', 'm.id', 'o.mission_id')
    .select((eb) => [
      'o.id as orderId',
      'o.pilot_id as pilotId',
      'o.flight_id as flightId',
      'o.seat_index as seatIndex',
      'o.status',
      'o.status_reason as statusReason',
      'o.rsvp',
      'o.is_shared_offer as isSharedOffer',
      ms(eb.ref('o.expires_at')).as('expiresMs'),
      isInTheWay(now)(eb).as('isInTheWay'),
    ])
    .where(isOneOf('o.id', ids))
    .orderBy('o.id')
    .forUpdate('o'),
);

/** Those of the offers that can be accepted without anything else to do or to say. */
async function findPlain(
  tx: Em,
  mission: LockedMission,
  offers: readonly AcceptedOffer[],
  now: Date,
): Promise<AcceptedOffer[]> {
  const ids = offers.map(({ orderId }) => orderId);
  const found = new Map((await lockOffers(tx, { ids, now })).map((order) => [order.orderId, order]));
  return offers.filter(({ orderId, pilotId, flightId, seatIndex }) => {
    const order = found.get(orderId);
    if (order?.isInTheWay !== false || !order.isSharedOffer || order.rsvp !== 'pending') return false;
    const isSame = order.pilotId === pilotId && order.flightId === flightId && order.seatIndex === seatIndex;
    const question = { ...order, isUnseen: false, startMs: mission.startMs, nowMs: now.getTime(), seatFree: true };
    return isSame && decideRsvp({ ...question, response: 'accepted' }).kind === 'changed';
  });
}

/**
 * Accept offers of different seats of one mission, in one transaction.
 * @returns the accepted orders as their pilots see them, by id; an offer that is missing has not been touched
 */
export async function acceptOffers(
  tx: Em,
  missionId: string,
  offers: readonly AcceptedOffer[],
  now: Date,
): Promise<Map<string, FragOrderDto>> {
  const mission = await lockMission(tx, missionId);
  const plain = mission ? await findPlain(tx, mission, offers, now) : [];
  if (!mission || plain.length === 0) return new Map();
  const taken = plain.map(({ orderId, flightId, seatIndex }) => ({
    id: orderId,
    flight_id: flightId,
    seat_index: seatIndex,
  }));
  await changeOrders(tx, mission, 'accept free seat', taken, now);
  if (await endSharedOffers(tx, mission, plain, now)) emit(tx, { type: 'offer.lost', missionId });
  const ids = plain.map(({ orderId }) => orderId);
  const answers = new Map((await loadOrders(tx, ids, now)).map((order) => [order.id, order]));
  await keepAnswers(
    tx,
    ANSWER_KEYS,
    plain.map(({ orderId, caller, input }) => ({ caller, request: input, answer: answers.get(orderId) })),
  );
  return answers;
}
