/**
 * The job catalogue: name, payload, key, attempts and priority of every background job. Nothing else adds a job, and
 * `server/jobs` has a handler for each. Jobs are enqueued in the transaction that gives them cause, so that neither can
 * be without the other; each is safe to run late, twice, and on any replica.
 */
import { expressionBuilder, type Expression, type ExpressionWrapper, type SqlBool } from 'kysely';
import { z } from 'zod';
import { ago, db, fromNow, type Database, type Instant } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';

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
  for (const { payload, key, queue, at = null, delayMs } of jobs) {
    const { cast, val } = expressionBuilder<Database>();
    const job = {
      payload: cast<JobPayload<Name>>(val(JSON.stringify(payload)), 'json'),
      key: val(key),
      ...(queue !== undefined && { queue: val(queue) }),
      runAt: delayMs === undefined ? val(at) : fromNow(`${delayMs / 1000} seconds`),
    };
    await db(tx).selectNoFrom(addJob(name, job).as('job')).execute();
  }
}

/** A job to enqueue in a statement. */
interface JobExpression<Name extends JobName> {
  payload: Expression<JobPayload<Name>>;
  /** default: none, it replaces no other */
  key?: Expression<string>;
  queue?: Expression<string>;
  /** default or null: as soon as the transaction has committed */
  runAt?: Expression<Instant | null>;
}

/** Enqueues a job for each row of the select that names this. */
export function addJob<Name extends JobName>(
  name: Name,
  { payload, key, queue, runAt }: JobExpression<Name>,
): ExpressionWrapper<Database, never, string> {
  const { attempts, priority } = JOBS[name];
  const { fn, cast, val, lit } = expressionBuilder<Database>();
  const none = lit(null);
  // identifier, payload, queue_name, run_at, max_attempts, job_key, priority
  const parts = [val(name), payload, queue ?? none, runAt ?? none, lit(attempts), key ?? none, lit(priority)];
  return cast<string>(fn('graphile_worker.add_job', parts), 'text');
}

/** Remove a waiting job, if there is one. */
export async function cancelJob(tx: Em, key: string): Promise<void> {
  await db(tx)
    .selectNoFrom(({ fn, val }) => fn('graphile_worker.remove_job', [val(key)]).as('removed'))
    .execute();
}

/** Whether a job of this key waits or runs and has attempts left. */
export function hasJob(key: Expression<unknown>): ExpressionWrapper<Database, never, SqlBool> {
  const { exists, selectFrom } = expressionBuilder<Database>();
  return exists(
    selectFrom('graphile_worker.jobs as j')
      .where(({ eb, ref }) => eb(key, '=', ref('j.key')))
      .whereRef('j.attempts', '<', 'j.max_attempts'),
  );
}

/** Release the locks of jobs whose worker was killed; the library itself waits for four hours. @param seconds longer than any job takes */
export async function releaseStaleJobs(em: Em, seconds: number): Promise<void> {
  await db(em)
    .selectFrom('graphile_worker.jobs')
    .select(({ fn }) =>
      fn('graphile_worker.force_unlock_workers', [fn.agg('array_agg', ['locked_by']).distinct()]).as('released'),
    )
    .where('locked_at', '<', ago(`${seconds} seconds`))
    .having(({ fn }) => fn.countAll(), '>', 0)
    .execute();
}
