/**
 * The fairness ledger, and the track records behind reliability, summed up from orders. Raw: as SQL, the chains of
 * materialized queries with groups and filters read like the definitions below; a list of pilots is one parameter.
 *
 * The ledger says what the community owes each pilot, in seats. It is computed from facts that are stored anyway (willing
 * pilots, held seats, how orders ended), so it cannot drift from them:
 *
 * - Every scheduled mission of the last 90 days counts, and every one ahead: otherwise several missions issued in a row
 *   would all seat the same pilots. Drafts, cancelled missions and practice missions do not count.
 * - All willing pilots are owed equal shares of a mission's taken seats; a pilot who took a seat has received one.
 * - A pilot has taken a seat by holding one now, by giving back an accepted one late, or by letting the offer of one
 *   expire.
 * - A seat that is given back 24 h or more before the start costs nothing. Neither does an expired offer that was issued
 *   at shorter notice than that, nor an expired shared offer, which held no seat.
 */
import { isOneOf } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { isExpired } from '#server/schema/predicates.ts';
import { query, sql } from '#server/schema/query.ts';
import { STEPS_PER_SEAT } from '#server/accounts/pilots/rules/ledger-entries.ts';
import { DAY_MS } from '#server/time/time.ts';
import { LATE_CANCEL_HOURS, LEDGER_DAYS, RELIABILITY } from '#shared/limits.ts';

/** Outcomes are weighted in whole billionths of a mission, so that sums do not depend on the order of the rows. */
export const STEPS_PER_MISSION = 1_000_000_000;

/** Record pilots as willing to fly the mission; existing records stay. */
export async function insertWilling(tx: Em, missionId: string, pilotIds: readonly string[]): Promise<void> {
  await query(
    tx,
    sql`insert into willing_pilot (mission_id, pilot_id)
        select ${missionId}::uuid, pilot_id from unnest(${[...pilotIds]}::uuid[]) as pilot_id
        on conflict do nothing`,
  );
}

/** A condition on `pilot_id`. */
const among = (pilotIds: readonly string[] | undefined) =>
  pilotIds === undefined ? sql.lit(true) : isOneOf('pilot_id', pilotIds);

/**
 * The debts of all pilots with entries in the ledger, in steps of a seat, and the seats they have taken. `offset 0` makes the
 * planner look up the orders of each mission that counts, and their seats: it would read every order ever made, and their number
 * only grows. Pilots have entries only for missions that they were willing to fly.
 * @param pilotIds only these; undefined for everybody
 */
export async function sumDebts(
  em: Em,
  now: Date,
  pilotIds?: readonly string[],
): Promise<{ pilotId: string; steps: number; seats: number }[]> {
  const oldest = new Date(now.getTime() - LEDGER_DAYS * DAY_MS);
  const notice = sql.lit(`${LATE_CANCEL_HOURS} hours`);
  return query(
    em,
    sql`with counted as materialized (
          select id, starts_at from mission where status = 'scheduled' and not is_practice and starts_at >= ${oldest}
            and id in (select mission_id from willing_pilot where ${among(pilotIds)})),
        fate as (
          select c.id as mission_id, o.*
          from counted c cross join lateral (
            select o.pilot_id, o.is_late, o.is_shared_offer,
                   (select true from seat s where s.order_id = o.id) is not null as holds_seat,
                   o.status_reason is not distinct from 'expired'
                     or ${isExpired('o', now)} as ran_out,
                   c.starts_at - greatest(o.issued_at, o.changed_at) >= ${notice}::interval as came_early
            from frag_order o where o.mission_id = c.id offset 0) o),
        took as materialized (
          select distinct f.mission_id, f.pilot_id
          from fate f
          where case when f.ran_out then f.came_early and not f.is_shared_offer else f.holds_seat or f.is_late end
            and exists (
              select from willing_pilot w where w.mission_id = f.mission_id and w.pilot_id = f.pilot_id offset 0)),
        taken as (select mission_id, count(*) as pilots from took group by mission_id),
        share as materialized (
          select t.mission_id,
                 round(t.pilots * ${sql.lit(STEPS_PER_SEAT)}::numeric
                       / (select count(*) from willing_pilot w where w.mission_id = t.mission_id))::int as steps
          from taken t),
        entry as (
          select w.pilot_id, s.steps, 0 as seats from share s join willing_pilot w on w.mission_id = s.mission_id
          union all select pilot_id, -${sql.lit(STEPS_PER_SEAT)}, 1 from took)
        select pilot_id as "pilotId", sum(steps)::float8 as steps, sum(seats)::int as seats from entry where ${among(pilotIds)} group by pilot_id`,
  );
}

interface OutcomeSums {
  pilotId: string;
  /** weights of missions flown, in steps of a mission */
  flown: number;
  /** weights of all missions except excused ones, in steps of a mission */
  all: number;
  attended: number;
  noShows: number;
  excused: number;
  lateCancels: number;
  /** true if no outcome counts: the pilot has excused ones only */
  isNew: boolean;
}

/** Every outcome but an excused one counts towards reliability. */
const counts = sql`attendance is distinct from 'excused'`;

/**
 * Order outcomes per pilot, summed up, for pilots with a track record.
 * @param pilotIds only these; undefined for everybody
 */
export async function sumOutcomes(em: Em, now: Date, pilotIds?: readonly string[]): Promise<OutcomeSums[]> {
  return query(
    em,
    sql`with outcome as (
          select o.pilot_id, o.attendance, o.is_late,
                 greatest(0, (${now}::timestamptz at time zone 'UTC')::date - (m.starts_at at time zone 'UTC')::date) as age
          from frag_order o join mission m on m.id = o.mission_id
          where m.status = 'scheduled' and not m.is_practice and (o.attendance is not null or o.is_late)
            and ${among(pilotIds)}),
        weighed as (
          select *, round(${sql.lit(STEPS_PER_MISSION)} * power(0.5::float8, age / ${sql.lit(RELIABILITY.halfLifeDays)}::float8))::bigint as weight
          from outcome)
        select pilot_id as "pilotId",
               coalesce(sum(weight) filter (where attendance = 'attended'), 0)::float8 as flown,
               coalesce(sum(weight) filter (where ${counts}), 0)::float8 as "all",
               (count(*) filter (where attendance = 'attended'))::int as attended,
               (count(*) filter (where attendance = 'no_show'))::int as "noShows",
               (count(*) filter (where attendance = 'excused'))::int as excused,
               (count(*) filter (where attendance is null))::int as "lateCancels",
               count(*) filter (where ${counts}) = 0 as "isNew"
        from weighed group by pilot_id`,
  );
}
