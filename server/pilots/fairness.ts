/**
 * What the matchmaking knows of pilots' past: the fairness ledger (server/pilots/rules/fairness.ts) and how reliable they are
 * (server/pilots/rules/reliability.ts). Both are computed from the facts whenever they are asked for; nothing is stored, so
 * nothing can be old. Sums are of whole numbers: they do not depend on the order in which rows are found, so that a dry
 * run gives what the issue will.
 */
import type { Em } from '#server/schema/orm.ts';
import { query, sql } from '#server/schema/query.ts';
import { estimateReliability } from '#server/pilots/rules/reliability.ts';
import { DAY_MS } from '#server/time/time.ts';
import { LATE_CANCEL_HOURS, LEDGER_DAYS, RELIABILITY } from '#shared/limits.ts';

/** Debts are counted in millionths of a seat, weights of outcomes in billionths of a mission. */
const STEPS_PER_SEAT = 1_000_000;
const STEPS_PER_MISSION = 1_000_000_000;

/** Pilots could fly a mission: they were eligible when it was seated, or are asked now. Who is noted already stays so. */
export async function recordWilling(tx: Em, missionId: string, pilotIds: readonly string[]): Promise<void> {
  if (pilotIds.length === 0) return;
  await query(
    tx,
    sql`insert into willing_pilot (mission_id, pilot_id)
        select ${missionId}::uuid, pilot_id from unnest(${[...pilotIds]}::uuid[]) as pilot_id
        on conflict do nothing`,
  );
}

/** A condition on `pilot_id`. */
const among = (pilotIds: readonly string[] | undefined) =>
  pilotIds === undefined ? sql`true` : sql`pilot_id = any(${[...pilotIds]}::uuid[])`;

/**
 * What the community owes each pilot, in seats; who has no part in the ledger is left out: 0.
 * @param pilotIds only these; undefined for everybody
 */
export async function loadDebts(em: Em, now: Date, pilotIds?: readonly string[]): Promise<Map<string, number>> {
  const ofPilots = among(pilotIds);
  const oldest = new Date(now.getTime() - LEDGER_DAYS * DAY_MS);
  const notice = sql.lit(`${LATE_CANCEL_HOURS} hours`);
  const rows = await query<{ pilot_id: string; steps: number }>(
    em,
    sql`with counted as materialized (
          select id, starts_at from mission where status = 'scheduled' and starts_at >= ${oldest}),
        fate as (
          select o.mission_id, o.pilot_id, o.is_late, o.is_open_offer, s.order_id is not null as holds_seat,
                 o.status_reason is not distinct from 'expired'
                   or (o.status = 'issued' and o.rsvp = 'pending' and o.expires_at <= ${now}) as ran_out,
                 c.starts_at - greatest(o.issued_at, o.changed_at) >= ${notice}::interval as came_early
          from counted c join frag_order o on o.mission_id = c.id left join seat s on s.order_id = o.id),
        took as materialized (
          select distinct f.mission_id, f.pilot_id
          from fate f join willing_pilot w on w.mission_id = f.mission_id and w.pilot_id = f.pilot_id
          where case when f.ran_out then f.came_early and not f.is_open_offer else f.holds_seat or f.is_late end),
        taken as (select mission_id, count(*) as pilots from took group by mission_id),
        share as materialized (
          select t.mission_id,
                 round(t.pilots * ${sql.lit(STEPS_PER_SEAT)}::numeric
                       / (select count(*) from willing_pilot w where w.mission_id = t.mission_id))::int as steps
          from taken t),
        entry as (
          select w.pilot_id, s.steps from share s join willing_pilot w on w.mission_id = s.mission_id
          union all select pilot_id, -${sql.lit(STEPS_PER_SEAT)} from took)
        select pilot_id, sum(steps)::float8 as steps from entry where ${ofPilots} group by pilot_id`,
  );
  return new Map(rows.map(({ pilot_id, steps }) => [pilot_id, steps / STEPS_PER_SEAT]));
}

/** What the record of one pilot holds, and what follows from it. */
export interface PilotRecord {
  /** 0 to 1 */
  reliability: number;
  attended: number;
  noShows: number;
  excused: number;
  lateCancels: number;
}

/**
 * The records of pilots who have one; everybody else is as reliable as a new pilot.
 * @param pilotIds only these; undefined for everybody
 */
export async function loadRecords(em: Em, now: Date, pilotIds?: readonly string[]): Promise<Map<string, PilotRecord>> {
  const rows = await query<
    { pilot_id: string; flown: number; all: number } & Record<
      'attended' | 'noShows' | 'excused' | 'lateCancels',
      number
    >
  >(
    em,
    sql`with outcome as (
          select o.pilot_id, o.attendance, o.is_late,
                 greatest(0, (${now}::timestamptz at time zone 'UTC')::date - (m.starts_at at time zone 'UTC')::date) as age
          from frag_order o join mission m on m.id = o.mission_id
          where m.status = 'scheduled' and (o.attendance is not null or o.is_late)
            and ${among(pilotIds)}),
        weighed as (
          select *, round(${sql.lit(STEPS_PER_MISSION)} * power(0.5::float8, age / ${sql.lit(RELIABILITY.halfLifeDays)}::float8))::bigint as weight
          from outcome)
        select pilot_id,
               coalesce(sum(weight) filter (where attendance = 'attended'), 0)::float8 as flown,
               coalesce(sum(weight) filter (where attendance is distinct from 'excused'), 0)::float8 as "all",
               (count(*) filter (where attendance = 'attended'))::int as attended,
               (count(*) filter (where attendance = 'no_show'))::int as "noShows",
               (count(*) filter (where attendance = 'excused'))::int as excused,
               (count(*) filter (where attendance is null))::int as "lateCancels"
        from weighed group by pilot_id`,
  );
  return new Map(
    rows.map(({ pilot_id, flown, all, ...counts }) => [
      pilot_id,
      {
        reliability: estimateReliability({ flown: flown / STEPS_PER_MISSION, all: all / STEPS_PER_MISSION }),
        ...counts,
      },
    ]),
  );
}

/** How reliable a pilot is: by the record, or as every new pilot. */
export function reliabilityIn(records: ReadonlyMap<string, PilotRecord>, pilotId: string): number {
  return records.get(pilotId)?.reliability ?? RELIABILITY.newPilot;
}
