/** Backfill: offers free seats to the next pilots, in the transaction that freed them. */
import { emit } from '#server/signals/emit.ts';
import { db, isOneOf, ms } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { isLeaveWithdrawal } from '#server/schema/predicates.ts';
import { queuePlace } from '#server/orders/seats/standby-queue.ts';
import { transact } from '#server/schema/transaction.ts';
import {
  backfillMode,
  decideBackfill,
  isAnswered,
  type BackfillOffer,
  type BackfillMode,
} from '#server/orders/rules/backfill.ts';
import { loadEligible } from '#server/orders/seating/candidates.ts';
import {
  isSeatRace,
  issueOrders,
  listFreeSeats,
  lockMission,
  scheduleMissionBackfill,
  expireOverdueOrders,
  type LockedMission,
} from '#server/orders/seats/orders.ts';
import { changesElsewhere } from '#server/orders/seats/rules/order-changes.ts';
import { changeOrders } from '#server/orders/seats/order-writes.ts';
import { cancelMissionBackfillJob } from '#server/signals/work-jobs.ts';

/** The orders of the mission that count, in the order of the standby queue: an order that a leave withdrew is no answer. */
async function loadHistory(tx: Em, missionId: string) {
  return db(tx)
    .selectFrom('frag_order')
    .select(({ ref }) => [
      'id',
      'pilot_id as pilotId',
      'status',
      'status_reason as statusReason',
      'rsvp',
      'is_shared_offer as isSharedOffer',
      'flight_id as flightId',
      'seat_index as seatIndex',
      ms(ref('gave_up_at')).as('gaveUpMs'),
    ])
    .where('mission_id', '=', missionId)
    .where(({ not }) => not(isLeaveWithdrawal('frag_order')))
    .orderBy(queuePlace('frag_order'))
    .execute();
}

type HistoryRow = Awaited<ReturnType<typeof loadHistory>>[number];

/** The seat that a standby pilot gave up, unless another pilot has held it since or another backfill rule applies now. */
function findGivenUp(order: HistoryRow, startMs: number, mode: BackfillMode) {
  if (order.gaveUpMs === null) return undefined;
  return backfillMode(startMs, order.gaveUpMs) === mode ? order : undefined;
}

/** Seat standby pilots without asking, which applies more than a day before the start. @returns their orders */
async function promote(
  tx: Em,
  mission: LockedMission,
  offers: readonly (BackfillOffer & { orderId: string })[],
  now: Date,
): Promise<void> {
  if (offers.length === 0) return;
  const orders = await db(tx)
    .selectFrom('frag_order as o')
    .innerJoin('mission as m', 'm.id', 'o.mission_id')
    .select(['o.id', 'o.flight_id as flightId', 'o.changes', 'm.notes as missionNotes'])
    .where(
      isOneOf(
        'o.id',
        offers.map(({ orderId }) => orderId),
      ),
    )
    .execute();
  const promoted = offers.flatMap(({ orderId, flightId, seatIndex, reasons }) => {
    const order = orders.find(({ id }) => id === orderId);
    if (!order) return [];
    const changes = order.changes ?? [];
    const kept = order.flightId === flightId ? changes : changesElsewhere(changes, order.missionNotes);
    return [
      { id: orderId, flight_id: flightId, seat_index: seatIndex, reasons, changes: kept.length === 0 ? null : kept },
    ];
  });
  await changeOrders(tx, mission, 'promote', promoted, now);
}

/** Pilots who are looking for a flight, also those whose time has run out. */
async function listReady(tx: Em): Promise<string[]> {
  const ready = await db(tx).selectFrom('pilot_status').select('user_id as id').where('state', '=', 'now').execute();
  return ready.map(({ id }) => id);
}

/**
 * Offer the mission's free seats until no seat or no candidate is left, and schedule the mission's next backfill. The
 * caller has locked the mission and expired its overdue orders.
 * @param exceptPilotId the pilot whose answer freed a seat, who is not offered it again right away
 * @returns the offers
 */
export async function backfill(
  tx: Em,
  mission: LockedMission,
  now: Date,
  { exceptPilotId = null }: { exceptPilotId?: string | null } = {},
): Promise<BackfillOffer[]> {
  await cancelMissionBackfillJob(tx, mission.id);
  emit(tx, { type: 'mission.backfilled', missionId: mission.id });
  const { offers, queue } = await decideOffers(tx, mission, now, {
    exceptPilotIds: exceptPilotId ? [exceptPilotId] : [],
  });
  await makeOffers(tx, mission, offers, queue, now);
  await scheduleMissionBackfill(tx, mission.id);
  return offers;
}

/**
 * The offers that `backfill` would make if these pilots took these seats. Changes nothing.
 * @param taken seats that count as taken, and their pilots, who are not asked
 */
export async function foreseeBackfill(
  tx: Em,
  mission: LockedMission,
  now: Date,
  taken: readonly { flightId: string; seatIndex: number; pilotId: string }[],
): Promise<BackfillOffer[]> {
  return (await decideOffers(tx, mission, now, { taken })).offers;
}

interface Limits {
  /** not seated from standby */
  exceptPilotIds?: readonly string[];
  taken?: readonly { flightId: string; seatIndex: number; pilotId: string }[];
}

/** The offers for the free seats of a mission, and the orders on standby by pilot. */
async function decideOffers(
  tx: Em,
  mission: LockedMission,
  now: Date,
  { exceptPilotIds = [], taken = [] }: Limits,
): Promise<{ offers: BackfillOffer[]; queue: ReadonlyMap<string, HistoryRow> }> {
  const nothing = { offers: [], queue: new Map<string, HistoryRow>() };
  const mode = backfillMode(mission.startMs, now.getTime());
  if (mission.status !== 'scheduled' || mode === 'closed') return nothing;
  const isTaken = (seat: { flightId: string; seatIndex: number }) =>
    taken.some(({ flightId, seatIndex }) => flightId === seat.flightId && seatIndex === seat.seatIndex);
  const seats = (await listFreeSeats(tx, mission.id)).filter((seat) => !isTaken(seat));
  if (seats.length === 0) return nothing;

  const history = await loadHistory(tx, mission.id);
  const seated = taken.map(({ pilotId }) => pilotId);
  const answered = new Set([
    ...seated,
    ...history.flatMap((order) => (isAnswered(order, mode) ? [order.pilotId] : [])),
  ]);
  const unasked = new Set([...seated, ...exceptPilotIds]);
  const queue = new Map(
    history.flatMap((order) =>
      order.status === 'issued' && order.rsvp === 'standby' && !unasked.has(order.pilotId)
        ? [[order.pilotId, order]]
        : [],
    ),
  );

  // in the last two hours only they are asked, and they are few among all pilots
  const asked = mode === 'shared' ? [...queue.keys(), ...(await listReady(tx))] : undefined;
  const aircraftIds = [...new Set(seats.map(({ aircraftId }) => aircraftId))];
  const eligible = await loadEligible(tx, mission, aircraftIds, now, asked);
  const pilots = new Map(eligible.map((pilot) => [pilot.id, pilot]));
  const { offers } = decideBackfill({
    seats: seats.map((seat) => ({ ...seat, flightSize: seat.sizeCap })),
    mission,
    nowMs: now.getTime(),
    standby: [...queue.values()].flatMap((order) => {
      const pilot = pilots.get(order.pilotId);
      return pilot ? [{ ...pilot, gaveUp: findGivenUp(order, mission.startMs, mode) }] : [];
    }),
    candidates: [...pilots.values()].filter(({ id }) => !answered.has(id)),
  });
  return { offers, queue };
}

async function makeOffers(
  tx: Em,
  mission: LockedMission,
  offers: readonly BackfillOffer[],
  queue: ReadonlyMap<string, HistoryRow>,
  now: Date,
): Promise<void> {
  if (offers.length === 0) return;
  await expireOverdueOrders(tx, now, { pilotIds: offers.map(({ pilotId }) => pilotId) });
  const fromQueue = offers.flatMap((offer) => {
    const orderId = queue.get(offer.pilotId)?.id;
    return orderId === undefined ? [] : [{ ...offer, orderId }];
  });
  const promoted = fromQueue.filter(({ kind }) => kind === 'seat');
  await promote(tx, mission, promoted, now);
  const superseded = fromQueue.filter(({ kind }) => kind !== 'seat').map(({ orderId }) => ({ id: orderId }));
  await changeOrders(tx, mission, 'supersede', superseded, now);
  if (fromQueue.length > 0) emit(tx, { type: 'queue.changed', missionId: mission.id });
  const ofKind = (kind: BackfillOffer['kind']) => offers.filter((offer) => offer.kind === kind);
  await issueOrders(tx, mission, ofKind('order'), now);
  await issueOrders(tx, mission, ofKind('shared'), now, 'offer');
}

/**
 * Expire a mission's overdue orders and offer its free seats, in one transaction. Safe to run twice, late, or for a
 * deleted mission.
 */
export async function backfillMission(em: Em, missionId: string, now: Date): Promise<void> {
  await transact(
    em,
    async (tx) => {
      const mission = await lockMission(tx, missionId);
      if (!mission) return;
      await expireOverdueOrders(tx, now, { missionId });
      await backfill(tx, mission, now);
    },
    isSeatRace,
  );
}
