/** Frag orders and the seats they hold: lock, expire, issue. Every seat transaction starts with `lockMission`. */
import { sql, type InferResult, type Kysely, type RawBuilder } from 'kysely';
import { jsonBuildObject } from 'kysely/helpers/postgres';
import { newId } from '#server/schema/base.ts';
import { db, isOneOf, ms, type Database } from '#server/schema/database.ts';
import { violatedConstraint } from '#server/schema/failures.ts';
import { FragOrder, Seat } from '#server/schema/frag-order.ts';
import { Flight, Mission } from '#server/schema/mission.ts';
import { named } from '#server/schema/named.ts';
import type { Em } from '#server/schema/orm.ts';
import { isExpired } from '#server/schema/predicates.ts';
import { User } from '#server/schema/user.ts';
import { orderExpiryMs } from '#shared/order-expiry.ts';
import { BACKFILL_HOURS } from '#shared/limits.ts';
import { publishLiveOrders } from '#server/signals/live-signals.ts';
import { recordWilling } from '#server/pilots/fairness.ts';
import { addJob, jobKey } from '#server/signals/jobs.ts';
import { enqueueOrderNews } from '#server/signals/order-news.ts';
import { enqueueBackfillForFreedPilots, enqueueMissionBackfill } from '#server/signals/backfill-jobs.ts';
import { noteOrders } from '#server/signals/webhook-events.ts';

/**
 * True if another transaction took the pilot or seat first: a constraint failed, and a retry will see that transaction.
 * Different missions share no lock, so this is how races between them are resolved.
 */
export function isSeatRace(error: unknown): boolean {
  return ['seat_no_overlap', 'seat_pkey', 'seat_one_per_mission'].includes(violatedConstraint(error) ?? '');
}

/** Selects missions `m` with the columns that seating needs, times in epoch milliseconds; the caller adds the condition. */
export const selectMissions = (em: Em) => selectMissionsFrom(db(em));

const selectMissionsFrom = (source: Kysely<Database>) =>
  source
    .selectFrom('mission as m')
    .select(({ ref }) => [
      'm.id',
      'm.name',
      'm.status',
      ms(ref('m.starts_at')).as('startMs'),
      ms(ref('m.ends_at')).as('endMs'),
    ]);

/** A mission that was read without a lock. */
export type MissionRow = InferResult<ReturnType<typeof selectMissions>>[number];

declare const locked: unique symbol;
/** A mission whose row this transaction has locked: only functions that lock return it. */
export type LockedMission = MissionRow & { readonly [locked]: true };

export interface SeatHolder {
  flightId: string;
  seatIndex: number;
  pilotId: string;
  reasons: string[];
}

const selectLocked = named('locked_mission', (source, { missionId }: { missionId: string }) =>
  selectMissionsFrom(source).where('m.id', '=', missionId).forUpdate(),
);

/** Lock a mission's row, which every change to its seats does first; null for an unknown mission. */
export async function lockMission(tx: Em, missionId: string): Promise<LockedMission | null> {
  const [mission] = await selectLocked(tx, { missionId });
  return mission === undefined ? null : (mission as LockedMission);
}

/** Expires overdue orders, which the condition names, and frees their seats. */
const expireWhere = (source: Kysely<Database>, now: Date, condition: RawBuilder<boolean>) =>
  source
    .with('expired', (cte) =>
      cte
        .updateTable('frag_order as o')
        .set({ status: 'cancelled', status_reason: 'expired' })
        .where(isExpired('o', now))
        .where(condition)
        .returning(['o.id', 'o.pilot_id as pilotId', 'o.mission_id as missionId']),
    )
    .with('freed', (cte) =>
      cte
        .deleteFrom('seat')
        .where('order_id', 'in', (eb) => eb.selectFrom('expired').select('expired.id'))
        .returning('order_id'),
    )
    .selectFrom('expired')
    .select((eb) => [
      'id',
      'pilotId',
      'missionId',
      eb('id', 'in', eb.selectFrom('freed').select('freed.order_id')).as('heldSeat'),
    ]);

type InMissions = { missionIds: readonly string[]; now: Date };
const findOverdue = named('overdue_in_missions', (source, { missionIds, now }: InMissions) =>
  source
    .selectFrom('frag_order as o')
    .select('o.id')
    .where(isExpired('o', now))
    .where(isOneOf('o.mission_id', missionIds))
    .limit(1),
);
const expireInMissions = named('expire_in_missions', (source, { missionIds, now }: InMissions) =>
  expireWhere(source, now, isOneOf('o.mission_id', missionIds)),
);

/**
 * Expire overdue pending orders, in one mission or of some pilots in any mission, and free their seats. Load orders and
 * seats after this, never before: it changes rows without the entity manager. A job fills the freed seats, unless this
 * transaction's own backfill does, and another looks for seats in other missions for their pilots.
 * @returns the number of expired orders
 */
export async function expireOverdueOrders(
  tx: Em,
  now: Date,
  where: { missionId: string } | { pilotIds: readonly string[] },
): Promise<number> {
  const pilotIds = 'pilotIds' in where ? where.pilotIds : [];
  const inMission = 'missionId' in where ? { missionIds: [where.missionId], now } : null;
  // mostly there are none, and a statement that writes runs its triggers even so
  if (inMission && (await findOverdue(tx, inMission)).length === 0) return 0;
  const expired = await (inMission
    ? expireInMissions(tx, inMission)
    : expireWhere(db(tx), now, isOneOf('o.pilot_id', pilotIds)).execute());
  await enqueueMissionBackfill(
    tx,
    expired.map(({ missionId }) => missionId),
  );
  const freed = expired.filter(({ heldSeat }) => heldSeat);
  await enqueueBackfillForFreedPilots(
    tx,
    freed.map(({ missionId, pilotId }) => ({ missionId, pilotId })),
    now,
  );
  await publishLiveOrders(
    tx,
    expired.map(({ pilotId }) => pilotId),
  );
  for (const { id, missionId } of expired) noteOrders(tx, 'order.expired', missionId, [id]);
  return expired.length;
}

/** The flights of a mission in board order, with their numbers of seats. */
export async function listFlights(tx: Em, missionId: string) {
  return db(tx)
    .selectFrom('flight as f')
    .innerJoin('aircraft as a', 'a.id', 'f.aircraft_id')
    .innerJoin('package as p', 'p.id', 'f.package_id')
    .select([
      'f.id as flightId',
      'f.size_cap as sizeCap',
      'f.aircraft_id as aircraftId',
      'a.name as aircraftName',
      'f.role',
      'f.side',
    ])
    .where('f.mission_id', '=', missionId)
    .orderBy('p.sort_order')
    .orderBy('f.sort_order')
    .orderBy('f.id')
    .execute();
}

/** Free seats in board order. Expire overdue orders first. */
export async function listFreeSeats(tx: Em, missionId: string) {
  const held = await db(tx)
    .selectFrom('seat')
    .select(['flight_id', 'seat_index'])
    .where('mission_id', '=', missionId)
    .execute();
  const taken = new Set(held.map((seat) => `${seat.flight_id}:${seat.seat_index}`));
  const flights = await listFlights(tx, missionId);
  return flights.flatMap((flight) =>
    Array.from({ length: flight.sizeCap }, (_, seatIndex) => ({ ...flight, seatIndex })).filter(
      ({ flightId, seatIndex }) => !taken.has(`${flightId}:${seatIndex}`),
    ),
  );
}

interface SeatedOrder extends Omit<SeatHolder, 'reasons'> {
  orderId: string;
}

/**
 * Record that seats have new holders: a pilot who gave up one of them and is on standby may be offered it again from now
 * on. Part of every transaction that puts an order on a seat.
 */
export async function passOn(tx: Em, holders: readonly Omit<SeatHolder, 'reasons'>[]): Promise<void> {
  if (holders.length === 0) return;
  const seats = holders.map(({ flightId, seatIndex, pilotId }) => ({
    flight: flightId,
    seatIndex,
    pilot: { $ne: pilotId },
  }));
  await tx.nativeUpdate(FragOrder, { gaveUpAt: { $ne: null }, $or: seats }, { gaveUpAt: null });
}

/** Put orders on seats. Constraints refuse a second holder, a second seat in the mission and overlapping missions. */
export async function holdSeats(tx: Em, mission: LockedMission, orders: readonly SeatedOrder[]): Promise<void> {
  await passOn(tx, orders);
  for (const { orderId, flightId, seatIndex, pilotId } of orders) {
    tx.create(Seat, {
      flight: tx.getReference(Flight, flightId),
      seatIndex,
      pilot: tx.getReference(User, pilotId),
      mission: tx.getReference(Mission, mission.id),
      order: tx.getReference(FragOrder, orderId),
      startsAt: new Date(mission.startMs),
      endsAt: new Date(mission.endMs),
    });
  }
}

type HeldSeat = SeatedOrder & { missionId: string; startsAt: Date; endsAt: Date };

const insertSeat = named(
  'hold_seat',
  (source, { orderId, missionId, flightId, seatIndex, pilotId, startsAt, endsAt }: HeldSeat) =>
    source
      .with('passed_on', (cte) =>
        cte
          .updateTable('frag_order')
          .set({ gave_up_at: null })
          .where('flight_id', '=', flightId)
          .where('seat_index', '=', seatIndex)
          .where('gave_up_at', 'is not', null)
          .where('pilot_id', '<>', pilotId),
      )
      .insertInto('seat')
      .values({
        order_id: orderId,
        mission_id: missionId,
        flight_id: flightId,
        seat_index: seatIndex,
        pilot_id: pilotId,
        starts_at: startsAt,
        ends_at: endsAt,
      }),
);

/** Put one order on a seat, as `holdSeats` does it with many, in one statement. */
export async function holdSeat(tx: Em, mission: LockedMission, order: SeatedOrder): Promise<void> {
  const { id: missionId, startMs, endMs } = mission;
  await insertSeat(tx, { ...order, missionId, startsAt: new Date(startMs), endsAt: new Date(endMs) });
}

/**
 * Issue one order per holder, and record their pilots as willing.
 * @param isSharedOffer the orders hold no seat: the first one to be accepted takes it
 * @param isStandby the orders hold no seat and ask nothing: their pilots join the standby queue of their own accord
 * @returns their ids, in the order of the holders
 */
export async function issueOrders(
  tx: Em,
  mission: LockedMission,
  holders: readonly SeatHolder[],
  now: Date,
  { isSharedOffer = false, isStandby = false } = {},
): Promise<string[]> {
  if (holders.length === 0) return [];
  const expiresAt = new Date(orderExpiryMs(now.getTime(), mission.startMs));
  const orders = holders.map((holder) =>
    tx.create(FragOrder, {
      id: newId(),
      mission: tx.getReference(Mission, mission.id),
      flight: tx.getReference(Flight, holder.flightId),
      seatIndex: holder.seatIndex,
      pilot: tx.getReference(User, holder.pilotId),
      status: 'issued',
      rsvp: isStandby ? 'standby' : 'pending',
      isSharedOffer,
      reasons: holder.reasons,
      issuedAt: now,
      expiresAt,
      ...(isStandby ? { answeredAt: now, readAt: now } : {}),
    }),
  );
  await tx.flush();
  await recordWilling(
    tx,
    mission.id,
    holders.map(({ pilotId }) => pilotId),
  );
  await publishLiveOrders(
    tx,
    holders.map(({ pilotId }) => pilotId),
  );
  const ids = orders.map(({ id }) => id);
  noteOrders(tx, 'order.issued', mission.id, ids);
  if (!isStandby) await enqueueOrderNews(tx, ids, 'order');
  if (isSharedOffer || isStandby) return ids;
  await holdSeats(
    tx,
    mission,
    holders.flatMap((holder, index) => {
      const order = orders[index];
      return order ? [{ orderId: order.id, ...holder }] : [];
    }),
  );
  await tx.flush();
  return ids;
}

type OtherMission = { pilotId: string; missionId: string; startsAt: Date; endsAt: Date };

const findOther = named('overlap', (source, { pilotId, missionId, startsAt, endsAt }: OtherMission) =>
  source
    .selectFrom('seat as s')
    .innerJoin('mission as m', 'm.id', 's.mission_id')
    .select('m.name')
    .where('s.pilot_id', '=', pilotId)
    .where('s.mission_id', '<>', missionId)
    .where('s.starts_at', '<', endsAt)
    .where('s.ends_at', '>', startsAt)
    .limit(1),
);

/** The name of an overlapping mission in which the pilot holds a seat, if any. Expire the pilot's overdue orders first. */
export async function findOverlap(tx: Em, pilotId: string, mission: LockedMission): Promise<string | undefined> {
  const { id: missionId, startMs, endMs } = mission;
  const [other] = await findOther(tx, { pilotId, missionId, startsAt: new Date(startMs), endsAt: new Date(endMs) });
  return other?.name;
}

/** The same, after the pilot's overdue orders have expired, for which there is nothing to do when nothing overlaps. */
export async function findLiveOverlap(
  tx: Em,
  pilotId: string,
  mission: LockedMission,
  now: Date,
): Promise<string | undefined> {
  const other = await findOverlap(tx, pilotId, mission);
  if (other === undefined) return undefined;
  await expireOverdueOrders(tx, now, { pilotIds: [pilotId] });
  return findOverlap(tx, pilotId, mission);
}

/** The instant from which a backfill rule applies: just after `hours` before the start. */
const ruleBegins = (hours: number) =>
  sql<Date>`starts_at - make_interval(hours => ${sql.lit(hours)}) + interval '1 ms'`;

/**
 * Schedule the mission's next backfill, for when its next pending order expires or another backfill rule begins to apply
 * (`BACKFILL_HOURS`). Part of the seat transaction, so that neither commits without the other. A job that is
 * already due, or is being retried, is not postponed: it may have work that the caller has not done.
 */
export async function scheduleMissionBackfill(tx: Em, missionId: string): Promise<void> {
  const key = jobKey('backfillMissionAt', missionId);
  const pending = db(tx)
    .selectFrom('frag_order')
    .select('expires_at as at')
    .where('mission_id', '=', missionId)
    .where('status', '=', 'issued')
    .where('rsvp', '=', 'pending');
  const rule = (hours: number) =>
    db(tx)
      .selectFrom('mission')
      .select(ruleBegins(hours).as('at'))
      .where('id', '=', missionId)
      .where('status', '=', 'scheduled')
      .where(ruleBegins(hours), '>', ({ fn }) => fn<Date>('now'));
  const moments = Object.values(BACKFILL_HOURS).reduce((union, hours) => union.unionAll(rule(hours)), pending);
  await db(tx)
    .selectFrom(({ selectFrom }) =>
      selectFrom(moments.as('moment'))
        .select(({ fn }) => fn.min('moment.at').as('at'))
        .as('next'),
    )
    .select(({ ref, cast, val }) =>
      addJob('backfill_mission', {
        payload: jsonBuildObject({ missionId: cast<string>(val(missionId), 'text') }),
        key: val(key),
        runAt: ref('next.at'),
      }).as('job'),
    )
    .where('next.at', 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('graphile_worker.jobs')
            .where('key', '=', key)
            .where('locked_at', 'is', null)
            .whereRef('attempts', '<', 'max_attempts')
            .where(({ or, eb, fn }) => or([eb('attempts', '>', 0), eb('run_at', '<=', fn<Date>('now'))])),
        ),
      ),
    )
    .execute();
}
