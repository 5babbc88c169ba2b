/** The end of a history: without further acts, all time limits pass, and the final rows are read. */
import type { Pool } from 'pg';
import { vi } from 'vitest';
import type { Community } from './life-community.ts';
import type { End } from './life-end.ts';
import { passTime } from './life-history.ts';
import { type Journal, type Rows, type Table, timelinesOf } from './life-journal.ts';

/** Jobs of a killed worker are found again within a minute; a slow machine needs longer for all of them. */
const QUIET_MS = 90_000;

/** Due jobs, locked or not, and overdue orders. */
async function countUnrest(pool: Pool): Promise<number> {
  const { rows } = await pool.query(
    `select (select count(*) from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
             where j.run_at <= now() and j.attempts < j.max_attempts and t.identifier <> 'purge')
          + (select count(*) from frag_order where status = 'issued' and rsvp = 'pending' and expires_at <= now()) as n`,
  );
  return Number(rows[0].n);
}

/** Waits until nothing is due. Stuck jobs stay and are found by the checkers. */
async function waitForQuiet(pool: Pool): Promise<void> {
  await vi
    .waitUntil(async () => (await countUnrest(pool)) === 0, { timeout: QUIET_MS, interval: 100 })
    .catch(() => undefined);
}

/** Moves the jobs by a minute: the per-minute maintenance runs now, and locks of dead workers are older. */
async function passMinute(pool: Pool): Promise<void> {
  await pool.query(`update graphile_worker._private_jobs set locked_at = locked_at - interval '2 minutes'`);
  await pool.query(`select graphile_worker.add_job('maintenance', job_key => 'maintenance')`);
}

/**
 * Let the time limits of all pending orders pass, and wait until everything is done.
 * @returns the time at the end
 */
export async function comeToRest({ pool }: Community, clockTxs: Set<string>): Promise<number> {
  const { rows } = await pool.query(`select id from mission where status = 'scheduled' order by id`);
  for (const { id } of rows) clockTxs.add(await passTime(pool, id, 0));
  await passMinute(pool);
  await waitForQuiet(pool);
  return Date.now();
}

/** The rows at the end of the journal, with pilots and jobs at this moment. */
export async function readEnd({ pool, pilots }: Community, journal: Journal, nowMs: number): Promise<End> {
  const last = <Name extends Table>(table: Name, keyOf: (row: Rows[Name]) => string) =>
    [...timelinesOf(journal, table, keyOf).values()].flatMap((timeline) => {
      const end = timeline.at(-1);
      return end && end.untilMs === Infinity ? [end.row] : [];
    });
  const { rows: told } = await pool.query<{ id: string; is_free: boolean; state: string | null; listed: number[] }>(
    `select u.id, s.state, array(select p.aircraft_id::int from proficiency p where p.user_id = u.id) as listed, exists (select 1 from availability_template t join availability_slot a on a.template_id = t.id
                                   where t.user_id = u.id and t.is_active) as is_free
     from app_user u left join pilot_status s on s.user_id = u.id`,
  );
  const { rows: jobs } = await pool.query<{ mission_id: string; at_ms: number }>(
    `select payload ->> 'missionId' as mission_id, (extract(epoch from run_at) * 1000)::float8 as at_ms
     from graphile_worker._private_jobs where payload ->> 'missionId' is not null and locked_at is null and attempts < max_attempts`,
  );
  return {
    nowMs,
    missions: last('mission', ({ id }) => id),
    flights: last('flight', ({ id }) => id),
    orders: last('order', ({ id }) => id),
    seats: last('seat', ({ orderId }) => orderId),
    accounts: last('pilot', ({ id }) => id),
    leaves: last('leave', ({ pilotId }) => pilotId),
    pilots: pilots.map(({ id, aircraftId, isFickle }) => {
      const row = told.find((one) => one.id === id);
      return {
        id,
        aircraftId: isFickle ? (row?.is_free ? 0 : null) : aircraftId,
        isDoNotDisturb: row?.state === 'dnd',
        listed: row?.listed ?? [],
      };
    }),
    wakings: jobs.map(({ mission_id, at_ms }) => ({ missionId: mission_id, atMs: at_ms })),
  };
}
