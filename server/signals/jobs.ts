/**
 * The job catalogue: name, payload, key, attempts and priority of every background job. All jobs are added here, and
 * `server/jobs` has a handler for each. Jobs are enqueued in the transaction that causes them, so that neither exists
 * without the other. Each is safe to run late, twice, and on any replica.
 */
import { expressionBuilder, sql, type Expression, type ExpressionWrapper, type SqlBool } from 'kysely';
import { z } from 'zod';
import { ago, db, type Database, type Instant } from '#server/schema/database.ts';
import { named } from '#server/schema/named.ts';
import type { Em } from '#server/schema/orm.ts';
import { currentTraceparent } from '#server/platform/traces.ts';
import { currentScope } from '#server/platform/request-scope.ts';

interface JobKind {
  payload: z.ZodType;
  /** maximum number of attempts */
  attempts: number;
  /** lower runs first; jobs that fill seats have 0 */
  priority: number;
}

const missionPayload = z.object({ missionId: z.string() });
const deliveryPayload = z.object({ deliveryId: z.string() });

export const JOBS = {
  /** expires a mission's overdue orders and offers its free seats */
  backfill_mission: { payload: missionPayload, attempts: 25, priority: 0 },
  /** after a change to a pilot, offers them free seats; frees a suspended pilot's seats */
  backfill_pilot: { payload: z.object({ pilotId: z.string() }), attempts: 25, priority: 0 },
  /** makes one attempt to send an email */
  send_mail: { payload: deliveryPayload, attempts: 25, priority: 5 },
  /** makes one attempt to send a notification to a device */
  send_push: { payload: deliveryPayload, attempts: 25, priority: 10 },
  /** hands due reminders of missions to the channels of their pilots, every minute and when the next is due */
  send_reminders: { payload: z.object({}), attempts: 25, priority: 0 },
  /** queues the weekly digests of the pilots for whom it is Sunday evening, every minute */
  send_digests: { payload: z.object({}), attempts: 25, priority: 10 },
  /** queues notifications of newly published missions with open seats, for the devices of pilots who want them */
  queue_news_pushes: { payload: z.object({ missionIds: z.array(z.string()) }), attempts: 25, priority: 10 },
  /** queues an admin's message to the community for the pilots who want it */
  send_community_message: { payload: z.object({ messageId: z.string() }), attempts: 25, priority: 10 },
  /** brings pilots' Discord messages up to date */
  sync_discord_pilots: { payload: z.object({ pilotIds: z.array(z.string()) }), attempts: 25, priority: 10 },
  /** brings a mission's scheduled events in Discord up to date; `isNew`: it has just been published */
  sync_discord_mission: {
    payload: z.object({ missionId: z.string(), isNew: z.boolean() }),
    attempts: 25,
    priority: 10,
  },
  /** queues news of the missions of a published week as direct messages */
  sync_discord_week: { payload: z.object({ weekId: z.string() }), attempts: 25, priority: 10 },
  /** brings the cards of the missions of these pilots up to date in the servers' missions channels */
  sync_discord_cards: { payload: z.object({ pilotIds: z.array(z.string()) }), attempts: 25, priority: 10 },
  /** makes one attempt to bring a post in Discord up to date */
  send_discord: { payload: deliveryPayload, attempts: 25, priority: 5 },
  /** makes the bot leave a Discord server */
  leave_discord_server: { payload: z.object({ guildId: z.string() }), attempts: 25, priority: 5 },
  /** sends what is due at the webhook of a delivery */
  send_webhook: { payload: deliveryPayload, attempts: 25, priority: 5 },
  /** makes and publishes the missions of series that are due, every minute */
  make_occurrences: { payload: z.object({}), attempts: 25, priority: 10 },
  /** reads the busy calendars that are due, every minute */
  refresh_calendars: { payload: z.object({}), attempts: 25, priority: 10 },
  /** maintenance, every minute */
  maintenance: { payload: z.object({}), attempts: 25, priority: 0 },
  /** makes a backup: every day, and when an admin asks for one */
  back_up: { payload: z.object({}), attempts: 5, priority: 20 },
  /** deletes what is no longer needed, every hour */
  purge: { payload: z.object({}), attempts: 25, priority: 0 },
} as const satisfies Record<string, JobKind>;

export type JobName = keyof typeof JOBS;
export type JobPayload<Name extends JobName> = z.infer<(typeof JOBS)[Name]['payload']>;

/** What a job's key begins with: the job's name, and `_at` where one that waits for a time stands beside one that is due. */
type JobKeyName = JobName | `${JobName}_at`;

/**
 * The key of a job about one mission, pilot or row; without an id, of the only one of its kind. A job replaces a waiting one
 * with the same key.
 */
export const jobKey = (name: JobKeyName, id?: string): string => (id === undefined ? name : `${name}:${id}`);

/** A job's key in a statement. @param parts ids and what else tells jobs apart; null ones are left out */
export const jobKeyIn = (name: JobKeyName, ...parts: readonly Expression<unknown>[]) => keyIn(name, parts);

/** The name of a queue in a statement: its jobs run one after the other. */
export const queueIn = (of: 'webhook' | `discord_${'person' | 'guild' | 'channel'}`, id: Expression<unknown>) =>
  keyIn(of, [id]);

function keyIn(name: string, parts: readonly Expression<unknown>[]): ExpressionWrapper<Database, never, string> {
  const { fn } = expressionBuilder<Database>();
  return fn<string>('concat_ws', [sql.lit(':'), sql.lit(name), ...parts]);
}

/** A job to enqueue. */
interface NewJob<Name extends JobName> {
  payload: JobPayload<Name>;
  key: string;
  /** jobs of one queue run one after the other */
  queue?: string;
  /** by default as soon as the transaction has committed */
  at?: Date;
  /** from now, by the database's clock */
  delayMs?: number;
  /** a waiting job with this key keeps its time */
  keepsTime?: true;
}

type JobRow = {
  name: JobName;
  payload: string;
  queue: string | null;
  at: Date | null;
  delay: string | null;
  attempts: number;
  key: string;
  priority: number;
  mode: string | null;
};

const insertJob = named('enqueue_job', (source, job: JobRow) =>
  source.selectNoFrom(({ fn, cast, val, lit, eb }) => {
    const later = eb(fn<Date>('now'), '+', sql<Date>`${job.delay}::interval`);
    return fn('graphile_worker.add_job', [
      val(job.name),
      cast(val(job.payload), 'json'),
      val(job.queue),
      fn('coalesce', [cast(val(job.at), 'timestamptz'), later]),
      cast(val(job.attempts), 'integer'),
      val(job.key),
      cast(val(job.priority), 'integer'),
      lit(null),
      val(job.mode),
    ]).as('job');
  }),
);

/** Enqueue jobs in the caller's transaction, in the given order. To prevent deadlocks, keep shared keys in a fixed order. */
export async function enqueueJobs<Name extends JobName>(
  tx: Em,
  name: Name,
  jobs: readonly NewJob<Name>[],
): Promise<void> {
  const { attempts, priority } = JOBS[name];
  for (const { payload, key, queue = null, at = null, delayMs, keepsTime } of jobs) {
    await insertJob(tx, {
      name,
      payload: JSON.stringify({ ...payload, ...currentOrigin() }),
      queue,
      at,
      delay: delayMs === undefined ? null : `${delayMs} milliseconds`,
      attempts,
      key,
      priority,
      mode: keepsTime ? 'preserve_run_at' : null,
    });
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
  /** in a named statement, which is built only once: the value of `originText` when it runs */
  origin?: string;
}

/** The id and the trace of the request that enqueues a job, which the worker goes on with. */
const currentOrigin = () => ({ requestId: currentScope().requestId, traceparent: currentTraceparent() });

/** The same as JSON, `{}` outside of requests. */
export const originText = (): string => JSON.stringify(currentOrigin());

/** Enqueues a job, as an expression: once per row of the statement that selects it. */
export function addJob<Name extends JobName>(
  name: Name,
  { payload, key, queue, runAt, origin = originText() }: JobExpression<Name>,
): ExpressionWrapper<Database, never, string> {
  const { attempts, priority } = JOBS[name];
  const { fn, cast, val, lit } = expressionBuilder<Database>();
  const none = lit(null);
  const request = fn('jsonb_concat', [cast(payload, 'jsonb'), cast(val(origin), 'jsonb')]);
  // identifier, payload, queue_name, run_at, max_attempts, job_key, priority
  const parts = [
    val(name),
    cast(request, 'json'),
    queue ?? none,
    runAt ?? none,
    lit(attempts),
    key ?? none,
    lit(priority),
  ];
  return cast<string>(fn('graphile_worker.add_job', parts), 'text');
}

/** Remove a waiting job, if there is one. */
export async function cancelJob(tx: Em, key: string): Promise<void> {
  await db(tx)
    .selectNoFrom(({ fn, val }) => fn('graphile_worker.remove_job', [val(key)]).as('removed'))
    .execute();
}

/** True if a job with this key is waiting or running and has attempts left. */
export function hasJob(key: Expression<unknown>): ExpressionWrapper<Database, never, SqlBool> {
  const { exists, selectFrom } = expressionBuilder<Database>();
  return exists(
    selectFrom('graphile_worker.jobs as j')
      .where(({ eb, ref }) => eb(key, '=', ref('j.key')))
      .whereRef('j.attempts', '<', 'j.max_attempts'),
  );
}

/** Release locks of jobs whose worker was killed; the library itself waits four hours. @param seconds longer than any job */
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
