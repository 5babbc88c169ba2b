/** Backfill after a change to a pilot: offers free seats to the pilot, or passes on the seats of one who is suspended or on leave. */
import { emit } from '#server/signals/emit.ts';
import { countRows, db, fromNow, isOneOf, ms } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { isActivePilot, isExpired, isLeaveWithdrawal, isLiveHold } from '#server/schema/predicates.ts';
import { transact } from '#server/schema/transaction.ts';
import { mayBeOffered } from '#server/orders/rules/backfill.ts';
import { mergeChanges, seatWords } from '#server/orders/seats/rules/order-changes.ts';
import type { LeaveTime } from '#server/accounts/rules/leave.ts';
import { overlaps } from '#server/time/intervals.ts';
import { copy } from '#shared/copy.ts';
import { onLeaveWords } from '#shared/leave.ts';
import { BACKFILL_HOURS } from '#shared/limits.ts';
import { findLeaveTime, listSeatedOnLeave } from './leave-orders.ts';
import type { OrderStatus, OrderStatusReason } from '#shared/vocabulary.ts';
import { backfill, backfillMission } from './backfill.ts';
import { loadFacts } from '#server/orders/seating/candidates.ts';
import { withdrawOrders } from '#server/orders/seats/mission-lock.ts';
import {
  isSeatRace,
  lockMission,
  expireOverdueOrders,
  selectMissions,
  type MissionRow,
} from '#server/orders/seats/orders.ts';
import { hasJob, jobKeyIn } from '#server/signals/jobs.ts';
import { enqueueMissionBackfill, enqueuePilotBackfills } from '#server/signals/work-jobs.ts';

/** Upcoming missions with free seats, counting seats of overdue orders; by start. */
async function listVacancies(em: Em, now: Date) {
  return db(em)
    .selectFrom('mission as m')
    .innerJoin('flight as f', 'f.mission_id', 'm.id')
    .select(({ ref, fn }) => [
      'm.id',
      ms(ref('m.starts_at')).as('startMs'),
      ms(ref('m.ends_at')).as('endMs'),
      fn.agg<number[]>('array_agg', ['f.aircraft_id']).distinct().as('aircraftIds'),
    ])
    .where('m.status', '=', 'scheduled')
    .where('m.starts_at', '>', now)
    .where('f.size_cap', '>', ({ selectFrom }) =>
      selectFrom('seat as s')
        .innerJoin('frag_order as o', 'o.id', 's.order_id')
        .select(countRows().as('held'))
        .whereRef('s.flight_id', '=', 'f.id')
        .where(isLiveHold('o', now)),
    )
    .groupBy('m.id')
    .orderBy('m.starts_at')
    .orderBy('m.id')
    .execute();
}

/** Missions with free seats that this pilot could be offered, leaving other pilots out of account. */
async function listMissionsFor(em: Em, pilotId: string, now: Date): Promise<string[]> {
  const vacancies = await listVacancies(em, now);
  const [first] = vacancies;
  if (!first) return [];
  const [pilot] = await loadFacts(em, {
    range: { startMs: first.startMs, endMs: Math.max(...vacancies.map(({ endMs }) => endMs)) },
    pilotIds: [pilotId],
    now,
  });
  if (!pilot) return [];
  const orders = await db(em)
    .selectFrom('frag_order as o')
    .select((eb) => [
      'o.mission_id as missionId',
      'o.rsvp',
      'o.is_shared_offer as isSharedOffer',
      eb
        .case()
        .when(isExpired('o', now))
        .then(eb.val<OrderStatus>('cancelled'))
        .else(eb.ref('o.status'))
        .end()
        .as('status'),
      eb
        .case()
        .when(isExpired('o', now))
        .then(eb.val<OrderStatusReason>('expired'))
        .else(eb.ref('o.status_reason'))
        .end()
        .as('statusReason'),
    ])
    .where('o.pilot_id', '=', pilotId)
    .where(({ not }) => not(isLeaveWithdrawal('o')))
    .where(
      isOneOf(
        'o.mission_id',
        vacancies.map(({ id }) => id),
      ),
    )
    .execute();
  const ordersOf = Map.groupBy(orders, ({ missionId }) => missionId);
  return vacancies.flatMap((mission) =>
    mayBeOffered(pilot, mission, mission.aircraftIds, ordersOf.get(mission.id) ?? [], now.getTime())
      ? [mission.id]
      : [],
  );
}

/** Missions that have not ended in which this pilot has an issued order that is not declined. */
async function listMissionsOf(em: Em, pilotId: string, now: Date): Promise<MissionRow[]> {
  return selectMissions(em)
    .where('m.status', '=', 'scheduled')
    .where('m.ends_at', '>', now)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('frag_order as o')
          .select('o.id')
          .whereRef('o.mission_id', '=', 'm.id')
          .where('o.pilot_id', '=', pilotId)
          .where('o.status', '=', 'issued')
          .where('o.rsvp', '<>', 'declined'),
      ),
    )
    .orderBy('m.starts_at')
    .orderBy('m.id')
    .execute();
}

/** Selects a pilot's account, with `isActive` false for a suspended one. */
const selectAccount = (em: Em, pilotId: string) =>
  db(em).selectFrom('app_user as u').select(isActivePilot('u').as('isActive')).where('u.id', '=', pilotId);

/** True if the leave takes the pilot out of the mission. One that has launched keeps its pilots: they are in the air. */
const takesOut = (leave: LeaveTime, mission: MissionRow, now: Date): boolean =>
  mission.startMs > now.getTime() && overlaps(leave, mission);

/**
 * Withdraw the orders of a suspended pilot, or of one on leave, in a mission, with the lost seat as a change, and backfill.
 * A pilot who is neither (any more) keeps them.
 */
async function withdrawPilot(tx: Em, missionId: string, pilotId: string, now: Date): Promise<void> {
  const mission = await lockMission(tx, missionId);
  if (!mission) return;
  const account = await selectAccount(tx, pilotId).forShare().executeTakeFirst();
  const leave = account?.isActive ? await findLeaveTime(tx, pilotId) : null;
  if (account?.isActive && !(leave && takesOut(leave, mission, now))) return;
  const reasons = leave ? [copy.onLeaveThen, `You are ${onLeaveWords(leave.lastDate)}.`] : undefined;
  await expireOverdueOrders(tx, now, { missionId });
  const orders = await db(tx)
    .selectFrom('frag_order as o')
    .innerJoin('flight as f', 'f.id', 'o.flight_id')
    .leftJoin('seat as s', 's.order_id', 'o.id')
    .select((eb) => [
      'o.id',
      'o.rsvp',
      'o.changes',
      'f.callsign',
      'o.seat_index as seatIndex',
      eb('s.order_id', 'is not', null).as('holdsSeat'),
    ])
    .where('o.mission_id', '=', missionId)
    .where('o.pilot_id', '=', pilotId)
    .where('o.status', '=', 'issued')
    .where('o.rsvp', '<>', 'declined')
    .forUpdate('o')
    .execute();
  await withdrawOrders(
    tx,
    mission,
    orders.map(({ id, changes, callsign, seatIndex, holdsSeat }) => {
      const lost = { field: 'seat' as const, from: seatWords(callsign, seatIndex), to: null };
      return { orderId: id, changes: mergeChanges(changes ?? [], holdsSeat ? [lost] : []), reasons };
    }),
    now,
  );
  if (orders.some(({ rsvp }) => rsvp === 'standby')) emit(tx, { type: 'queue.changed', missionId });
  await backfill(tx, mission, now);
}

/**
 * Backfill after a pilot's availability, status, aircraft or roles have changed: every upcoming mission with a free seat
 * for this pilot, in a transaction each. A suspended pilot loses all seats in missions that have not ended, and a pilot on
 * leave those in missions ahead that it covers.
 * Safe to run twice, late, or for a deleted account.
 */
export async function backfillForPilot(em: Em, pilotId: string, now: Date): Promise<void> {
  const account = await selectAccount(em, pilotId).executeTakeFirst();
  if (!account) return;
  const leave = await findLeaveTime(em, pilotId);
  const own = account.isActive && !leave ? [] : await listMissionsOf(em, pilotId, now);
  const left = own.filter((mission) => !account.isActive || (leave && takesOut(leave, mission, now)));
  const failures: unknown[] = [];
  // a failure in one mission must not keep the pilot from the others; the job is retried
  const attempt = (work: Promise<void>) => work.catch((error: unknown) => failures.push(error));
  for (const { id } of left) {
    await attempt(transact(em, (tx) => withdrawPilot(tx, id, pilotId, now), isSeatRace));
  }
  const offered = account.isActive ? await listMissionsFor(em, pilotId, now) : [];
  for (const missionId of offered) await attempt(backfillMission(em, missionId, now));
  if (failures.length > 0) throw new AggregateError(failures, 'Backfill failed in some missions');
}

/**
 * Enqueue backfills that have no job: missions with overdue orders, missions whose job has no attempts left, and suspended
 * pilots who were seated at the very moment of their suspension or leave.
 */
export async function enqueueMissedBackfills(em: Em, now: Date): Promise<void> {
  const missions = await db(em)
    .selectFrom('frag_order as o')
    .select('o.mission_id as id')
    .where(isExpired('o', now))
    .union(({ selectFrom }) =>
      selectFrom('mission as m')
        .select('m.id')
        .where('m.status', '=', 'scheduled')
        .where('m.starts_at', '>', now)
        .where(({ not, ref }) => not(hasJob(jobKeyIn('backfill_mission_at', ref('m.id')))))
        .where(({ or, eb, exists }) =>
          or([
            // the last rule is still to begin
            eb('m.starts_at', '>', fromNow(`${BACKFILL_HOURS.shared} hours`)),
            exists(
              eb
                .selectFrom('frag_order as p')
                .select('p.id')
                .whereRef('p.mission_id', '=', 'm.id')
                .where('p.status', '=', 'issued')
                .where('p.rsvp', '=', 'pending'),
            ),
          ]),
        ),
    )
    .execute();
  await enqueueMissionBackfill(
    em,
    missions.map(({ id }) => id),
  );
  const pilots = await db(em)
    .selectFrom('app_user as u')
    .innerJoin('frag_order as o', 'o.pilot_id', 'u.id')
    .innerJoin('mission as m', 'm.id', 'o.mission_id')
    .select('u.id')
    .distinct()
    .where(({ not }) => not(isActivePilot('u')))
    .where('o.status', '=', 'issued')
    .where('o.rsvp', '<>', 'declined')
    .where('m.status', '=', 'scheduled')
    .where('m.ends_at', '>', now)
    .orderBy('u.id')
    .execute();
  await enqueuePilotBackfills(em, [...pilots.map(({ id }) => id), ...(await listSeatedOnLeave(em, now))]);
}
