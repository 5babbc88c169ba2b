/**
 * The job catalogue: name, payload, key, attempts and priority of every background job. Nothing else adds a job, and
 * `server/jobs` has a handler for each. Jobs are enqueued in the transaction that gives them cause, so that neither can
 * be without the other; each is safe to run late, twice, and on any replica.
 */
import type { RawBuilder } from 'kysely';
import { z } from 'zod';
import type { Em } from '#server/schema/orm.ts';
import { query, sql } from '#server/schema/query.ts';

/**
 * Kinds of push notification: a new order, a seat given to a pilot on standby, a change or cancellation by an
 * admin, attendance, another pilot's request to swap seats, and the answer to one.
 */
export const PUSH_KINDS = ['order', 'seat', 'change', 'attendance', 'swap', 'swapAnswer'] as const;
export type PushKind = (typeof PUSH_KINDS)[number];

interface JobKind {
  payload: z.ZodType;
  /** tries before the job is given up */
  attempts: number;
  /** lower runs first; what fills seats has 0 */
  priority: number;
}

const missionPayload = z.object({ missionId: z.string() });

export const JOBS = {
  /** expires a mission's overdue orders and offers its free seats on */
  backfill_mission: { payload: missionPayload, attempts: 25, priority: 0 },
  /** offers a changed pilot the free seats ahead, or takes a suspended one's away */
  backfill_pilot: { payload: z.object({ pilotId: z.string() }), attempts: 25, priority: 0 },
  /** sends one notification about an order to one device; with back-off the last try is 2.5 minutes after the first */
  send_push: {
    payload: z.object({ orderId: z.string(), subscriptionId: z.string(), kind: z.enum(PUSH_KINDS) }),
    attempts: 6,
    priority: 10,
  },
  /** brings pilots' Discord messages up to date */
  sync_discord_pilots: { payload: z.object({ pilotIds: z.array(z.string()) }), attempts: 25, priority: 10 },
  /** brings a mission's scheduled events in Discord up to date; `isNew`: it has just been published */
  sync_discord_mission: {
    payload: z.object({ missionId: z.string(), isNew: z.boolean() }),
    attempts: 25,
    priority: 10,
  },
  /** sends a message of the Discord outbox */
  send_discord: { payload: z.object({ rowId: z.string() }), attempts: 25, priority: 5 },
  /** the per-minute maintenance */
  maintenance: { payload: z.object({}), attempts: 25, priority: 0 },
  /** deletes what is no longer needed, every hour */
  purge: { payload: z.object({}), attempts: 25, priority: 0 },
} as const satisfies Record<string, JobKind>;

export type JobName = keyof typeof JOBS;
export type JobPayload<Name extends JobName> = z.infer<(typeof JOBS)[Name]['payload']>;

/**
 * Names of earlier releases. Rows that were queued before an update carry them: keep them for one release.
 */
export const FORMER_JOBS = {
  expire_orders: 'backfill_mission',
  refill_mission: 'backfill_mission',
  refill_pilot: 'backfill_pilot',
  look_again: 'maintenance',
} as const satisfies Record<string, JobName>;

/** A job with a key replaces the waiting one of that key. The keys' wording is older than the jobs' names: rows carry it. */
export const JOB_KEYS = {
  backfillMission: (missionId: string) => `refill-mission:${missionId}`,
  backfillMissionAt: (missionId: string) => `expire:${missionId}`,
  backfillPilot: (pilotId: string) => `refill:${pilotId}`,
  syncPilotAt: (pilotId: string) => `discord-pilot-later:${pilotId}`,
  sendDiscord: (rowId: string) => `discord:${rowId}`,
} as const;

/** One job to enqueue. */
interface NewJob<Name extends JobName> {
  payload: JobPayload<Name>;
  key: string;
  /** jobs of one queue run one after the other */
  queue?: string;
  /** default: as soon as the transaction has committed */
  at?: Date;
  /** from now, by the database's clock */
  delayMs?: number;
}

/** Enqueue jobs in the caller's transaction, in the order given: two transactions must name shared keys in one order. */
export async function enqueueJobs<Name extends JobName>(
  tx: Em,
  name: Name,
  jobs: readonly NewJob<Name>[],
): Promise<void> {
  for (const { payload, key, queue, at, delayMs } of jobs) {
    const row = sql`select ${JSON.stringify(payload)}::json as payload, ${key}::text as key`;
    const runAt =
      delayMs === undefined
        ? sql`${at ?? null}::timestamptz`
        : sql`now() + make_interval(secs => ${delayMs / 1000}::float8)`;
    await query(tx, jobsFrom(name, row, { runAt, queue: sql`${queue ?? null}::text` }));
  }
}

/**
 * One statement that enqueues a job for each row of a select.
 * @param rows a select of `payload` (json, as the catalogue has it) and `key` (text, or null for none)
 * @param options SQL over `job`, a row of that select
 */
export function jobsFrom(
  name: JobName,
  rows: RawBuilder<unknown>,
  {
    runAt = sql`null::timestamptz`,
    queue = sql`null::text`,
  }: { runAt?: RawBuilder<unknown>; queue?: RawBuilder<unknown> } = {},
): RawBuilder<unknown> {
  const { attempts, priority } = JOBS[name];
  return sql`select graphile_worker.add_job(${name}::text, job.payload, queue_name => ${queue}, run_at => ${runAt},
               job_key => job.key, max_attempts => ${sql.lit(attempts)}, priority => ${sql.lit(priority)})::text
             from (${rows}) as job`;
}

/** Remove a waiting job, if there is one. */
export async function cancelJob(tx: Em, key: string): Promise<void> {
  await query(tx, sql`select graphile_worker.remove_job(${key}::text)`);
}

/** Whether a job of this key waits or runs and has attempts left. @param key SQL text */
export const hasJob = (key: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`exists (select from graphile_worker.jobs as j where j.key = ${key} and j.attempts < j.max_attempts)`;

/** Release the locks of jobs whose worker was killed; the library itself waits for four hours. @param seconds longer than any job takes */
export async function releaseStaleJobs(em: Em, seconds: number): Promise<void> {
  await query(
    em,
    sql`select graphile_worker.force_unlock_workers(array_agg(distinct locked_by)) from graphile_worker.jobs
        where locked_at < now() - make_interval(secs => ${sql.lit(seconds)}) having count(*) > 0`,
  );
}
