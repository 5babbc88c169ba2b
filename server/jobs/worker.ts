/** Background work: graphile-worker over the same PostgreSQL, fed from inside the domain's transactions. */
import { setTimeout as pass } from 'node:timers/promises';
import { Logger, run, type JobHelpers, type Task, type TaskList } from 'graphile-worker';
import { Pool } from 'pg';
import type { App } from '#server/http/context.ts';
import { dropReadOnlyConnections } from '#server/schema/pool.ts';
import { purgeAttempts } from '#server/platform/rate-limit.ts';
import { purgeSignInAudit } from '#server/signals/audit.ts';
import { backfillMission } from '#server/orders/backfill.ts';
import { purgeIdempotencyKeys } from '#server/platform/idempotency.ts';
import { purgeOldGuilds } from '#server/discord/guilds/guild-sync.ts';
import { purgeGuildHistory } from '#server/discord/guilds/guilds.ts';
import { purgeOutbox } from '#server/discord/outbox/outbox.ts';
import { FORMER_JOBS, JOBS, type JobName, type JobPayload } from '#server/signals/jobs.ts';
import { sendOrderPush } from '#server/push/push-sender.ts';
import { syncPilotOrders } from '#server/discord/outbox/order-messages.ts';
import { sendMessage } from '#server/discord/outbox/post-message.ts';
import { syncMission } from '#server/discord/outbox/sync-mission.ts';
import { backfillForPilot } from '#server/orders/pilot-backfill.ts';
import { purgeSignInLinks } from '#server/accounts/sign-in-links.ts';
import { runMaintenance } from './maintenance.ts';

const JOB_NAMES = Object.keys(JOBS) as JobName[];
const CONCURRENCY = 2;
/** Messages to Discord have workers of their own: while it does not answer, seats go on being filled. */
const DISCORD_CONCURRENCY = 2;
/** How long a new job may wait when the notification that announces it got lost. */
const POLL_MS = 2_000;
/** Between the end of a worker that nobody stopped and its next start. */
const RESTART_MS = 1_000;

/** A job comes when the database's clock says so; where this machine's is behind, it must not find that too early. */
const timeOf = ({ job }: JobHelpers) => new Date(Math.max(Date.now(), job.run_at.getTime()));

type Handlers = { [Name in JobName]: (payload: JobPayload<Name>, now: Date) => Promise<void> };

/** The handler of every job in the catalogue. */
function createHandlers(app: App): Handlers {
  const { PUBLIC_URL } = app.env;
  const fork = () => app.orm.em.fork();
  return {
    backfill_mission: ({ missionId }, now) => backfillMission(fork(), missionId, now),
    backfill_pilot: ({ pilotId }, now) => backfillForPilot(fork(), pilotId, now),
    maintenance: (_payload, now) => runMaintenance(fork(), now),
    send_push: (payload) => sendOrderPush(app, payload, new Date()),
    send_discord: ({ rowId }, now) => sendMessage(app, rowId, now),
    async sync_discord_pilots({ pilotIds }, now) {
      if (app.discord === null) return;
      for (const pilotId of pilotIds) await syncPilotOrders(fork(), pilotId, PUBLIC_URL, now);
    },
    async sync_discord_mission(payload, now) {
      if (app.discord !== null) await syncMission(fork(), payload, PUBLIC_URL, now);
    },
    async purge() {
      const em = fork();
      await app.sessions.purgeExpired();
      await purgeAttempts(em);
      await purgeSignInAudit(em);
      await purgeIdempotencyKeys(em);
      await purgeGuildHistory(em);
      await purgeOldGuilds(em);
      await purgeSignInLinks(em);
      await purgeOutbox(em);
    },
  };
}

/** Tasks as the library takes them: payloads are checked, and the names of earlier releases lead to the jobs of today. */
function createTasks(handlers: Handlers, names: readonly JobName[]): TaskList {
  const taskOf =
    <Name extends JobName>(name: Name): Task =>
    (payload, helpers) =>
      // the parsed payload is the catalogue's, which TypeScript cannot follow through the name
      handlers[name](JOBS[name].payload.parse(payload) as JobPayload<Name>, timeOf(helpers));
  const tasks = names.map((name) => [name, taskOf(name)] as const);
  const former = Object.entries(FORMER_JOBS).flatMap(([old, name]) =>
    names.includes(name) ? [[old, taskOf(name)] as const] : [],
  );
  return Object.fromEntries([...tasks, ...former]);
}

/** Workers of one kind. */
interface Crew {
  tasks: TaskList;
  concurrency: number;
  crontab?: string;
  /** a job of theirs that comes first */
  first?: JobName;
}

/**
 * Work off jobs until told to stop. Any replica can run any job; one that dies leaves its jobs to the others.
 * @returns stops taking jobs, waits for those at work, and lets go of the database
 */
export async function startWorker(app: App, databaseUrl: string): Promise<() => Promise<void>> {
  const handlers = createHandlers(app);
  const main: Crew = {
    tasks: createTasks(
      handlers,
      JOB_NAMES.filter((name) => name !== 'send_discord'),
    ),
    concurrency: CONCURRENCY,
    crontab: ['* * * * * maintenance ?jobKey=maintenance', '17 * * * * purge ?fill=2h&jobKey=purge'].join('\n'),
    // what was left behind when the last process ended need not wait for the minute, but can
    first: 'maintenance',
  };
  const discord: Crew = { tasks: createTasks(handlers, ['send_discord']), concurrency: DISCORD_CONCURRENCY };
  const stops = [await startCrew(app, databaseUrl, main)];
  if (app.discord !== null) stops.push(await startCrew(app, databaseUrl, discord));
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}

async function startCrew(app: App, databaseUrl: string, crew: Crew): Promise<() => Promise<void>> {
  const { tasks, concurrency, crontab, first } = crew;
  const pool = new Pool({ connectionString: databaseUrl, max: concurrency + 2, connectionTimeoutMillis: 3_000 });
  const onLost = (error: Error) => app.log.warn({ err: error.message }, 'a job connection was lost');
  pool.on('error', onLost);
  pool.on('connect', (client) => client.on('error', onLost));
  dropReadOnlyConnections(pool);
  const logger = new Logger(({ label }) => (level, message, meta) => {
    const line = { job: label, ...meta };
    if (level === 'error') app.log.error(line, message);
    else if (level === 'warning') app.log.warn(line, message);
    else app.log.debug(line, message);
  });
  const begin = async () => {
    const runner = await run({
      pgPool: pool,
      concurrency,
      pollInterval: POLL_MS,
      noHandleSignals: true,
      logger,
      taskList: tasks,
      // without either it looks for a file
      ...(crontab === undefined ? { parsedCronItems: [] } : { crontab }),
      // In batches, if only of one: otherwise the library does not wait for a job to be marked as done when it stops, and
      // where the database refuses that, the rejection is nobody's and ends the process.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    });
    if (first !== undefined) await runner.addJob(first, {}, { jobKey: first }).catch(onLost);
    return runner;
  };

  const stopping = new AbortController();
  let runner = await begin();
  /** The library's worker stops when the database fails it at the wrong moment; what it had is given back in a minute. */
  const keepGoing = async () => {
    for (;;) {
      await runner.promise.catch((error: unknown) => app.log.error({ err: error }, 'the job worker failed'));
      for (let isRunning = false; !isRunning;) {
        if (stopping.signal.aborted) return;
        await pass(RESTART_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
        if (stopping.signal.aborted) return;
        app.log.warn('starting the job worker again');
        try {
          runner = await begin();
          isRunning = true;
        } catch (error) {
          app.log.error({ err: error }, 'the job worker could not start');
        }
      }
      // told to stop while it was starting
      if (stopping.signal.aborted) await runner.stop();
    }
  };
  const going = keepGoing();
  return async () => {
    stopping.abort();
    // one that has stopped by itself refuses to stop again
    await runner.stop().catch(() => undefined);
    await going;
    await pool.end();
  };
}
