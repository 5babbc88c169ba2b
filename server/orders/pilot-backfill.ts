/** Backfill for a changed pilot: free seats ahead are offered, a suspended pilot's are passed on. */
import type { Em } from '#server/schema/orm.ts';
import { isActivePilot, isLiveHold } from '#server/schema/predicates.ts';
import { msOf, query, sql } from '#server/schema/query.ts';
import { transact } from '#server/schema/transaction.ts';
import { mayBeOffered, type PastOrder } from '#server/orders/rules/backfill.ts';
import { mergeChanges } from '#server/seats/rules/order-changes.ts';
import { OPEN_OFFER_HOURS } from '#shared/limits.ts';
import type { OrderChange } from '#shared/schemas/pilot.ts';
import type { Rsvp } from '#shared/vocabulary.ts';
import { publishLiveOrders, publishLiveQueue } from '#server/signals/live-signals.ts';
import { backfill, backfillMission } from './backfill.ts';
import { loadSeatingPilots } from '#server/seating/candidates.ts';
import { seatWords, withdrawOrders } from '#server/seats/mission-lock.ts';
import { isSeatRace, lockMission, scheduleMissionBackfill, expireOverdueOrders } from '#server/seats/orders.ts';
import { hasJob } from '#server/signals/jobs.ts';
import { enqueuePushes } from '#server/signals/push-jobs.ts';
import { enqueueMissionBackfill, enqueuePilotBackfill } from '#server/signals/backfill-jobs.ts';

type Vacancy = { id: string; startMs: number; endMs: number; aircraftIds: number[] };

/** Missions ahead with free seats, those of orders that ran out among them; by start. */
async function listVacancies(em: Em, now: Date): Promise<Vacancy[]> {
  return query<Vacancy>(
    em,
    sql`select m.id, ${msOf('m.starts_at')} as "startMs", ${msOf('m.ends_at')} as "endMs",
               array_agg(distinct f.aircraft_id) as "aircraftIds"
        from mission m join flight f on f.mission_id = m.id
        where m.status = 'scheduled' and m.starts_at > ${now} and f.size_cap > (
          select count(*) from seat s join frag_order o on o.id = s.order_id
          where s.flight_id = f.id and ${isLiveHold('o', now)})
        group by m.id order by m.starts_at, m.id`,
  );
}

/** The missions with free seats of which one might be for this pilot, by what is known of this pilot alone. */
async function listMissionsFor(em: Em, pilotId: string, now: Date): Promise<string[]> {
  const vacancies = await listVacancies(em, now);
  const [first] = vacancies;
  if (!first) return [];
  const [pilot] = await loadSeatingPilots(em, {
    range: { startMs: first.startMs, endMs: Math.max(...vacancies.map(({ endMs }) => endMs)) },
    aircraftIds: [],
    pilotIds: [pilotId],
    now,
  });
  if (!pilot) return [];
  const orders = await query<PastOrder & { missionId: string }>(
    em,
    sql`select mission_id as "missionId", rsvp, is_open_offer as "isOpenOffer",
               case when is_over then 'cancelled' else status end as status,
               case when is_over then 'expired' else status_reason end as "statusReason"
        from frag_order o, lateral (
          select status = 'issued' and rsvp = 'pending' and expires_at <= ${now} as is_over) as clock
        where pilot_id = ${pilotId} and mission_id = any(${vacancies.map(({ id }) => id)}::uuid[])`,
  );
  const ordersOf = Map.groupBy(orders, ({ missionId }) => missionId);
  return vacancies.flatMap((mission) =>
    mayBeOffered(pilot, mission, mission.aircraftIds, ordersOf.get(mission.id) ?? [], now.getTime())
      ? [mission.id]
      : [],
  );
}

/** Missions that are not over in which this pilot has an order that is not declined. */
async function listMissionsOf(em: Em, pilotId: string, now: Date): Promise<string[]> {
  const rows = await query<{ id: string }>(
    em,
    sql`select m.id from mission m where m.status = 'scheduled' and m.ends_at > ${now} and exists (
          select 1 from frag_order o where o.mission_id = m.id and o.pilot_id = ${pilotId}
            and o.status = 'issued' and o.rsvp <> 'declined')
        order by m.starts_at, m.id`,
  );
  return rows.map(({ id }) => id);
}

type HeldOrder = {
  id: string;
  rsvp: Rsvp;
  changes: OrderChange[] | null;
  callsign: string;
  seatIndex: number;
  holdsSeat: boolean;
};

/** Take a suspended pilot out of a mission, which says so on the orders, and look for the next pilot. */
async function withdrawPilot(tx: Em, missionId: string, pilotId: string, now: Date): Promise<void> {
  const mission = await lockMission(tx, missionId);
  if (!mission) return;
  const [account] = await query<{ isActive: boolean }>(
    tx,
    sql`select 'user' = any(roles) as "isActive" from app_user where id = ${pilotId} for share`,
  );
  if (account?.isActive) return;
  await expireOverdueOrders(tx, now, { missionId });
  const orders = await query<HeldOrder>(
    tx,
    sql`select o.id, o.rsvp, o.changes, f.callsign, o.seat_index as "seatIndex", s.order_id is not null as "holdsSeat"
        from frag_order o join flight f on f.id = o.flight_id left join seat s on s.order_id = o.id
        where o.mission_id = ${missionId} and o.pilot_id = ${pilotId} and o.status = 'issued' and o.rsvp <> 'declined'
        for update of o`,
  );
  await withdrawOrders(
    tx,
    orders.map(({ id, changes, callsign, seatIndex, holdsSeat }) => {
      const lost = { field: 'seat' as const, from: seatWords(callsign, seatIndex), to: null };
      return { orderId: id, changes: mergeChanges(changes ?? [], holdsSeat ? [lost] : []) };
    }),
    now,
  );
  const held = orders.filter(({ holdsSeat }) => holdsSeat).map(({ id }) => id);
  await enqueuePushes(tx, held, 'change');
  if (orders.length > 0) await publishLiveOrders(tx, [pilotId]);
  if (orders.some(({ rsvp }) => rsvp === 'standby')) await publishLiveQueue(tx, missionId);
  await backfill(tx, mission, now);
  await scheduleMissionBackfill(tx, missionId);
}

/**
 * A pilot's availability, status, aircraft or roles have changed: missions ahead that have a free seat for this pilot
 * look for their next pilot, a transaction each. A suspended pilot gives up what they have in missions that are not over.
 * Safe to run twice, late, or for an account that is gone.
 */
export async function backfillForPilot(em: Em, pilotId: string, now: Date): Promise<void> {
  const [account] = await query<{ isActive: boolean }>(
    em,
    sql`select 'user' = any(roles) as "isActive" from app_user where id = ${pilotId}`,
  );
  if (!account) return;
  const missions = account.isActive ? await listMissionsFor(em, pilotId, now) : await listMissionsOf(em, pilotId, now);
  const failures: unknown[] = [];
  for (const missionId of missions) {
    const work = account.isActive
      ? backfillMission(em, missionId, now)
      : transact(em, (tx) => withdrawPilot(tx, missionId, pilotId, now), isSeatRace);
    // one mission that is busy must not keep the pilot from the others; the job comes again for it
    await work.catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Some missions could not be looked at');
}

/**
 * Enqueue the backfills that no job will do: missions with overdue orders, or whose job was given up, and suspended pilots
 * who were seated at the very moment of their suspension.
 */
export async function enqueueMissedBackfills(em: Em, now: Date): Promise<void> {
  const missions = await query<{ id: string }>(
    em,
    sql`select mission_id as id from frag_order where status = 'issued' and rsvp = 'pending' and expires_at <= ${now}
        union
        select m.id from mission m where m.status = 'scheduled' and m.starts_at > ${now} and not ${hasJob(sql`'expire:' || m.id::text`)}
          and (m.starts_at > now() + make_interval(hours => ${sql.lit(OPEN_OFFER_HOURS)}) or exists (
            select 1 from frag_order o where o.mission_id = m.id and o.status = 'issued' and o.rsvp = 'pending'))`,
  );
  await enqueueMissionBackfill(
    em,
    missions.map(({ id }) => id),
  );
  const pilots = await query<{ id: string }>(
    em,
    sql`select distinct u.id from app_user u join frag_order o on o.pilot_id = u.id join mission m on m.id = o.mission_id
        where not ${isActivePilot('u')} and o.status = 'issued' and o.rsvp <> 'declined'
          and m.status = 'scheduled' and m.ends_at > ${now}
        order by u.id`,
  );
  for (const { id } of pilots) await enqueuePilotBackfill(em, id);
}
