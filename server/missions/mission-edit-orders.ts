/** The effect of a mission edit on its orders: frees lost seats, asks pilots again, informs the others. */
import { db, isOneOf } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import type { Interval } from '#server/time/intervals.ts';
import type { EditFlight, EditPackage, PlannedPackageEdit } from '#server/missions/rules/edit-flights.ts';
import {
  changesBetween,
  changesElsewhere,
  mergeChanges,
  missionChanges,
  packageChanges,
  planChanges,
  seatWords,
  timeChanges,
} from '#server/orders/seats/rules/order-changes.ts';
import { orderExpiryMs } from '#shared/order-expiry.ts';
import { asksAgain, isMaterial } from '#shared/order-changes.ts';
import { PLAN_ONLY_CHANGES } from '#shared/mission-fields.ts';
import type { MissionValues } from '#shared/schemas/mission-edit.ts';
import type { OrderChange } from '#shared/schemas/pilot.ts';
import { emit } from '#server/signals/emit.ts';
import { flightWords } from './mission-edit-audit.ts';
import { withdrawOrders } from '#server/orders/seats/mission-lock.ts';
import { changeOrders, retimeSeats } from '#server/orders/seats/order-writes.ts';
import type { LockedMission, MissionRow } from '#server/orders/seats/orders.ts';
import { endSharedOffers } from '#server/orders/seats/shared-offers.ts';

export interface EditEffect {
  /** the mission before the edit, except for its new name */
  mission: MissionRow;
  times: Interval;
  /** once the mission has started, pilots are informed of changes but not asked again */
  isUnderWay: boolean;
  fields: { from: MissionValues; to: MissionValues };
  before: readonly EditFlight[];
  after: readonly EditFlight[];
  packages: { from: readonly EditPackage[]; to: readonly PlannedPackageEdit[] };
}

const loadLiveOrders = (tx: Em, missionId: string) =>
  db(tx)
    .selectFrom('frag_order as o')
    .leftJoin('seat as s', 's.order_id', 'o.id')
    .select((eb) => [
      'o.id',
      'o.pilot_id as pilotId',
      'o.rsvp',
      'o.flight_id as flightId',
      'o.seat_index as seatIndex',
      'o.is_shared_offer as isSharedOffer',
      eb('s.order_id', 'is not', null).$castTo<boolean>().as('holdsSeat'),
      'o.changes',
      'o.reasons',
    ])
    .where('o.mission_id', '=', missionId)
    .where('o.status', '=', 'issued')
    .where('o.rsvp', '<>', 'declined')
    .orderBy('o.seq')
    .execute();

export type LiveOrder = Awaited<ReturnType<typeof loadLiveOrders>>[number];

/** The changes that an edit makes to each order, as its pilot reads them: without a seat, nothing of the side's plan. */
function newsOf({ mission, times, fields, before, after, packages }: EditEffect): (order: LiveOrder) => OrderChange[] {
  const afterOf = new Map(after.map((flight) => [flight.id, flight]));
  const ofMission: OrderChange[] = [...timeChanges(mission, times), ...missionChanges(fields.from, fields.to)];
  const ofFlight = new Map(
    before.map((flight): [string | null, OrderChange[]] => {
      const next = afterOf.get(flight.id);
      if (!next) return [flight.id, []];
      const [from, to] = [packages.from, packages.to].map((list) => list.find(({ id }) => id === flight.packageId));
      return [
        flight.id,
        [
          ...changesBetween(flightWords(flight), flightWords(next)),
          ...planChanges(flight, next),
          ...(from && to ? packageChanges(from, to) : []),
        ],
      ];
    }),
  );
  return ({ flightId, holdsSeat }) =>
    joinNotes([...ofMission, ...(ofFlight.get(flightId) ?? [])]).filter(
      ({ field }) => holdsSeat || !PLAN_ONLY_CHANGES.includes(field),
    );
}

/** Tests if the edit takes away an order's seat: its flight is removed, or has fewer seats. */
function seatGone({ after }: EditEffect): (order: LiveOrder) => boolean {
  const sizeOf = new Map(after.map(({ id, sizeCap }) => [id, sizeCap]));
  return ({ flightId, seatIndex }) => seatIndex >= (sizeOf.get(flightId) ?? 0);
}

/**
 * True if an edit asks an order's pilot again. A launch that moves a little several times counts from the one that the pilot
 * agreed to.
 */
function asksPilot(order: LiveOrder, news: readonly OrderChange[], when?: { isUnderWay: boolean }): boolean {
  const sinceAnswer = mergeChanges(order.changes ?? [], news);
  const concerned = sinceAnswer.filter(({ field }) => news.some((change) => change.field === field));
  return asksAgain(order, [...news, ...concerned], when);
}

/** The orders that keep their seat and are asked again, and under way all whose mission has new times. */
export async function listAskedOrders(em: Em, effect: EditEffect): Promise<LiveOrder[]> {
  const { mission, times, isUnderWay } = effect;
  const [news, isGone] = [newsOf(effect), seatGone(effect)];
  const isMoved = timeChanges(mission, times).length > 0;
  return (await loadLiveOrders(em, mission.id)).filter((order) => {
    // the shared offers of a mission that moves end
    if (isGone(order) || (!order.holdsSeat && isMoved)) return false;
    return isUnderWay ? isMoved && order.holdsSeat : asksPilot(order, news(order));
  });
}

/** An order that the edit withdraws because its pilot no longer fits, with the reasons for its pilot. */
export interface LostFit {
  order: LiveOrder;
  reasons: string[];
}

/**
 * Free the seats that the edit takes away: those of removed flights, those beyond a flight's new size, and those of pilots
 * who no longer fit. Called before the mission is changed, while flights have their old names.
 * @returns the number of freed seats
 */
export async function freeLostSeats(
  tx: Em,
  mission: LockedMission,
  effect: EditEffect,
  misfits: readonly LostFit[],
  now: Date,
): Promise<number> {
  const { times, before } = effect;
  const orders = await loadLiveOrders(tx, mission.id);
  const held = orders.filter(({ holdsSeat }) => holdsSeat);
  const moved = timeChanges(effect.mission, times);
  const callsignOf = new Map(before.map(({ id, callsign }) => [id, callsign]));
  const [news, isGone] = [newsOf(effect), seatGone(effect)];
  const reasonsOf = new Map(misfits.map(({ order, reasons }) => [order.id, reasons]));
  const lost = orders.filter((order) => (order.holdsSeat && isGone(order)) || reasonsOf.has(order.id));
  await withdrawOrders(
    tx,
    mission,
    lost.map((order) => {
      const from = seatWords(callsignOf.get(order.flightId) ?? '', order.seatIndex);
      const why = isGone(order) ? [] : news(order).filter(isMaterial);
      return {
        orderId: order.id,
        changes: mergeChanges(order.changes ?? [], [...why, { field: 'seat', from, to: null }]),
        reasons: reasonsOf.get(order.id),
      };
    }),
    now,
  );
  // pilots who keep their seat are free at the old time
  if (moved.length > 0) {
    const { id: missionId, startMs, endMs } = mission;
    emit(tx, { type: 'pilots.freed', missionId, pilotIds: held.map(({ pilotId }) => pilotId), startMs, endMs, now });
  }
  // Shared offers only apply in the last hours before the start: after a change of times the seats are offered again.
  const isOver = (order: LiveOrder) => isGone(order) || moved.length > 0;
  const offered = orders.filter((order) => !order.holdsSeat && order.rsvp === 'pending' && isOver(order));
  await endSharedOffers(tx, mission, offered, now);
  return lost.filter(({ holdsSeat }) => holdsSeat).length;
}

/**
 * Record the changes in every live order. Called after the mission is changed.
 * @param reasonsOf by order id: the reasons for the seat after the edit, for the orders that are asked again
 * @returns the number of orders that have to be answered (again), and of those whose pilots were only informed
 */
export async function tellOrders(
  tx: Em,
  effect: EditEffect,
  reasonsOf: ReadonlyMap<string, string[]>,
  now: Date,
): Promise<{ askedAgain: number; told: number }> {
  const { mission, times, isUnderWay } = effect;
  await retimeSeats(tx, mission, times);
  const newsFor = newsOf(effect);
  const concerned = (await loadLiveOrders(tx, mission.id)).flatMap((order) => {
    const news = newsFor(order);
    if (news.length === 0) return [];
    const isAsked = asksPilot(order, news, { isUnderWay });
    const reasons = (isAsked ? reasonsOf.get(order.id) : undefined) ?? order.reasons;
    return [{ order, asks: isAsked, reasons, changes: mergeChanges(order.changes ?? [], news) }];
  });
  if (concerned.length === 0) return { askedAgain: 0, told: 0 };
  const rows = concerned.map(({ order, ...change }) => ({ id: order.id, ...change }));
  const expiresAt = new Date(orderExpiryMs(now.getTime(), times.startMs));
  await changeOrders(tx, mission, 'tell', rows, now);
  const asked = rows.filter(({ asks }) => asks).map(({ id }) => ({ id, expires_at: expiresAt }));
  await changeOrders(tx, mission, 'ask again', asked, now);
  return { askedAgain: asked.length, told: rows.length - asked.length };
}

/** Joins the changes to the mission's and the flight's notes into one, as pilots see them. */
function joinNotes(changes: readonly OrderChange[]): OrderChange[] {
  const notes = changes.filter(({ field }) => field === 'notes');
  if (notes.length < 2) return [...changes];
  const words = (of: 'from' | 'to') => notes.flatMap((change) => change[of] ?? []).join('\n') || null;
  return [
    ...changes.filter(({ field }) => field !== 'notes'),
    { field: 'notes', from: words('from'), to: words('to') },
  ];
}

/**
 * Move the orders of flights that are about to be deleted, and whose seats have been freed, to the most similar flight: with
 * their own flight they would be deleted too. They forget a seat that their pilot gave up, which was in that flight; those on
 * standby keep the changes of the mission only.
 */
export async function moveOrders(
  tx: Em,
  mission: { id: string },
  flightIds: readonly string[],
  now: Date,
): Promise<void> {
  if (flightIds.length === 0) return;
  const orders = await db(tx)
    .selectFrom('frag_order as o')
    .innerJoin('mission as m', 'm.id', 'o.mission_id')
    .innerJoinLateral(
      (similar) =>
        similar
          .selectFrom('flight as k')
          .innerJoin('flight as f', (join) => join.onRef('f.id', '=', 'o.flight_id'))
          .select('k.id as flightId')
          .where('k.mission_id', '=', mission.id)
          .where(({ not }) => not(isOneOf('k.id', flightIds)))
          .orderBy((eb) => eb('k.aircraft_id', '=', eb.ref('f.aircraft_id')), 'desc')
          .orderBy((eb) => eb('k.role', '=', eb.ref('f.role')), 'desc')
          .orderBy((eb) => eb('k.side', '=', eb.ref('f.side')), 'desc')
          .orderBy((eb) => eb('k.package_id', '=', eb.ref('f.package_id')), 'desc')
          .orderBy('k.sort_order')
          .orderBy('k.id')
          .limit(1)
          .as('to'),
      (join) => join.onTrue(),
    )
    .select(['o.id', 'o.rsvp', 'o.changes', 'm.notes as missionNotes', 'to.flightId'])
    .where(isOneOf('o.flight_id', flightIds))
    .execute();
  const moved = orders.map(({ id, rsvp, changes, missionNotes, flightId }) => ({
    id,
    flight_id: flightId,
    changes: rsvp === 'standby' && changes !== null ? changesElsewhere(changes, missionNotes) : changes,
  }));
  await changeOrders(tx, mission, 'change flight', moved, now);
}
