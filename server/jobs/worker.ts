/** The job workers (graphile-worker): handlers, concurrency, restarts. Jobs are enqueued by the rooms. */
import { setTimeout as pass } from 'node:timers/promises';
import { EventEmitter } from 'node:events';
import {
  Logger,
  run,
  type Job,
  type JobHelpers,
  type Runner,
  type Task,
  type TaskList,
  type WorkerEvents,
} from 'graphile-worker';
import { Client, Pool } from 'pg';
import { makeDailyBackup } from '#server/backup/daily.ts';
import type { App } from '#server/http/context.ts';
import { tryEach } from '#server/platform/each.ts';
import type { Metrics } from '#server/platform/metrics.ts';
import { dropReadOnlyConnections } from '#server/schema/pool.ts';
import { inSpan, SpanKind } from '#server/platform/traces.ts';
import { runInScope } from '#server/platform/request-scope.ts';
import { refreshCalendars } from '#server/availability/busy/refresh.ts';
import { backfillMission } from '#server/orders/backfill.ts';
import { leaveInDiscord } from '#server/discord/guilds/acceptance.ts';
import { JOBS, type JobName, type JobPayload } from '#server/signals/jobs.ts';
import { createMailChannel } from '#server/delivery/mail/mail-channel.ts';
import { createPushChannel } from '#server/delivery/push/push-channel.ts';
import { queueNewsPushes } from '#server/signals/pushes.ts';
import { transact } from '#server/schema/transaction.ts';
import { remindPilots, type Channels } from '#server/missions/reminders/send-reminders.ts';
import { warnOfTurnout } from '#server/missions/reminders/turnout-warnings.ts';
import { syncPilotOrders } from '#server/discord/posts/order-messages.ts';
import { syncPilotCards } from '#server/discord/posts/mission-cards.ts';
import { queueCommunityMessage } from '#server/discord/posts/community-messages.ts';
import { queueWeekNews } from '#server/discord/posts/news.ts';
import { queueReminders } from '#server/discord/posts/reminder-messages.ts';
import { createDiscordChannel } from '#server/discord/posts/discord-channel.ts';
import { syncMission } from '#server/discord/posts/sync-mission.ts';
import { backfillForPilot } from '#server/orders/pilot-backfill.ts';
import { queueDigests } from '#server/delivery/mail/digest.ts';
import { sendDelivery, sendRequests } from '#server/delivery/sender.ts';
import { runAllSeries } from '#server/missions/series/occurrences.ts';
import { createWebhookChannel } from '#server/delivery/webhooks/webhook-channel.ts';
import { DISCORD_SENDER_LOCK, startElection } from './leader.ts';
import { runMaintenance } from './maintenance.ts';
import { runPurge } from './purge.ts';
import { crontabOf } from './schedule.ts';
import { runSteps } from './steps.ts';

const JOB_NAMES = Object.keys(JOBS) as JobName[];
const CONCURRENCY = 2;
/**
 * Messages to Discord at the same time, in the one process that sends. They have workers of their own, so that seats are still
 * filled while Discord does not answer.
 */
const DISCORD_CONCURRENCY = 4;
/** Webhooks that are sent to at the same time, each one request after the other; slow receivers delay no other job. */
const WEBHOOK_CONCURRENCY = 4;
/** Connections to the SMTP server at the same time. */
const MAIL_CONCURRENCY = 3;
/** Notifications that are handed to push services at the same time. */
const PUSH_CONCURRENCY = 3;
/** Jobs that wait for servers elsewhere have workers of their own. */
const OWN_CREW: ReadonlySet<JobName> = new Set([
  'send_discord',
  'leave_discord_server',
  'send_mail',
  'send_push',
  'send_webhook',
  'refresh_calendars',
]);
/** How long a new job may wait if its notification is lost. */
const POLL_MS = 2_000;
/** Pause before a worker that failed is restarted. */
const RESTART_MS = 1_000;
/** After this time the maintenance job releases whatever is still locked. */
const STALE_MS = 60_000;

/** A job's time, by the database's clock if this machine's is behind: the job must not find that it is too early. */
const timeOf = ({ job }: JobHelpers) => new Date(Math.max(Date.now(), job.run_at.getTime()));

const isJob = (value: unknown): value is Job => typeof Reflect.get(Object(value), 'task_identifier') === 'string';

function textOf(payload: unknown, name: string): string | undefined {
  const value: unknown = Reflect.get(Object(payload), name);
  return typeof value === 'string' ? value : undefined;
}

/** The job, and the request from which it comes, for log lines: also of the library, which would log the whole row. */
function scopeOf({ id, task_identifier: job, payload }: Job): { job: string; jobId: string; requestId?: string } {
  const requestId = textOf(payload, 'requestId');
  return { job, jobId: id, ...(requestId !== undefined && { requestId }) };
}

type Handlers = { [Name in JobName]: (payload: JobPayload<Name>, now: Date) => Promise<void> };

/** The channels by which this installation can remind pilots. */
function channelsOf({ discord, env, mailer }: App, now: Date): Channels {
  return {
    discord: discord && ((tx, reminders) => queueReminders(tx, reminders, env.PUBLIC_URL, now)),
    discordTurnout: discord && ((tx, warnings) => queueReminders(tx, warnings, env.PUBLIC_URL, now, 'turnout')),
    hasMail: mailer !== null,
  };
}

/** The handler of every job in the catalogue. */
function createHandlers(app: App, databaseUrl: string): Handlers {
  const { PUBLIC_URL } = app.env;
  const fork = () => app.orm.em.fork();
  const mail = app.mailer && createMailChannel({ ...app, mailer: app.mailer });
  const push = createPushChannel(app);
  const webhooks = createWebhookChannel(app);
  const discord = app.discord && createDiscordChannel({ discord: app.discord, log: app.log });
  return {
    backfill_mission: ({ missionId }, now) => backfillMission(fork(), missionId, now),
    backfill_pilot: ({ pilotId }, now) => backfillForPilot(fork(), pilotId, now),
    maintenance: (_payload, now) => runMaintenance(app, now),
    send_reminders(_payload, now) {
      const channels = channelsOf(app, now);
      return runSteps(app, 'send_reminders', {
        'Reminding pilots of missions': (em) => remindPilots(em, channels, now),
        'Warning of missions short of pilots': (em) => warnOfTurnout(em, channels, now),
      });
    },
    send_digests: (_payload, now) => (app.mailer === null ? Promise.resolve() : queueDigests(fork(), now)),
    make_occurrences: (_payload, now) => runAllSeries(fork(), now),
    queue_news_pushes: ({ missionIds }, now) => queueNewsPushes(fork(), missionIds, now),
    send_community_message: ({ messageId }, now) =>
      queueCommunityMessage(fork(), messageId, app.discord === null ? null : PUBLIC_URL, now),
    async send_discord({ deliveryId }) {
      if (discord !== null) await sendDelivery(app, discord, deliveryId);
    },
    async leave_discord_server({ guildId }, now) {
      if (app.discord !== null) await leaveInDiscord(fork(), app.discord, guildId, now);
    },
    async send_mail({ deliveryId }) {
      if (mail !== null) await sendDelivery(app, mail, deliveryId);
    },
    async send_push({ deliveryId }) {
      await sendDelivery(app, push, deliveryId);
    },
    send_webhook: ({ deliveryId }) => sendRequests(app, webhooks, deliveryId),
    async sync_discord_pilots({ pilotIds }, now) {
      if (app.discord === null) return;
      const sync = (pilotId: string) => syncPilotOrders(fork(), pilotId, PUBLIC_URL, now);
      await tryEach(pilotIds, sync, "Some pilots' Discord messages could not be brought up to date");
    },
    async sync_discord_cards({ pilotIds }, now) {
      if (app.discord !== null) await syncPilotCards(fork(), pilotIds, now);
    },
    async sync_discord_week({ weekId }, now) {
      if (app.discord !== null) await transact(fork(), (tx) => queueWeekNews(tx, weekId, PUBLIC_URL, now));
    },
    async sync_discord_mission(payload, now) {
      if (app.discord !== null) await syncMission(fork(), payload, PUBLIC_URL, now);
    },
    refresh_calendars: (_payload, now) => refreshCalendars(app, fork, now),
    back_up: (_payload, now) => makeDailyBackup(app, databaseUrl, now),
    purge: () => runPurge(app),
  };
}

/** Tasks for the library, which validate their payloads. */
function createTasks(handlers: Handlers, names: readonly JobName[], { jobs }: Metrics): TaskList {
  const taskOf =
    <Name extends JobName>(name: Name): Task =>
    async (payload, helpers) => {
      const end = jobs.startTimer({ job: name });
      let result = 'failed';
      try {
        // the schema belongs to the same name, which TypeScript cannot infer
        const given = JOBS[name].payload.parse(payload) as JobPayload<Name>;
        await runInScope(scopeOf(helpers.job), () =>
          inSpan(name, { kind: SpanKind.CONSUMER, parent: textOf(payload, 'traceparent') }, () =>
            handlers[name](given, timeOf(helpers)),
          ),
        );
        result = 'done';
      } finally {
        end({ result });
      }
    };
  return Object.fromEntries(names.map((name) => [name, taskOf(name)]));
}

/** A group of workers with the same tasks. */
interface Crew {
  tasks: TaskList;
  concurrency: number;
  /** the job to run at startup */
  first?: JobName;
}

/**
 * Run jobs until stopped. Any replica can run any job, but only one at a time sends to Discord: its rate limits and refused
 * requests are counted in one place. If a replica dies, the others take over its jobs.
 * @returns a function that stops taking jobs, waits for running ones, and closes the database connections
 */
export async function startWorker(app: App, databaseUrl: string): Promise<() => Promise<void>> {
  const handlers = createHandlers(app, databaseUrl);
  const main: Crew = {
    tasks: createTasks(
      handlers,
      JOB_NAMES.filter((name) => !OWN_CREW.has(name)),
      app.metrics,
    ),
    concurrency: CONCURRENCY,
    // work that the last process left behind need not wait for the next minute
    first: 'maintenance',
  };
  const discord: Crew = {
    tasks: createTasks(handlers, ['send_discord', 'leave_discord_server'], app.metrics),
    concurrency: DISCORD_CONCURRENCY,
  };
  const webhooks: Crew = {
    tasks: createTasks(handlers, ['send_webhook'], app.metrics),
    concurrency: WEBHOOK_CONCURRENCY,
  };
  const calendars: Crew = {
    tasks: createTasks(handlers, ['refresh_calendars'], app.metrics),
    concurrency: 1,
  };
  const push: Crew = { tasks: createTasks(handlers, ['send_push'], app.metrics), concurrency: PUSH_CONCURRENCY };
  const stops = [
    await startCrew(app, databaseUrl, main),
    await startCrew(app, databaseUrl, webhooks),
    await startCrew(app, databaseUrl, push),
    await startCrew(app, databaseUrl, calendars),
  ];
  if (app.mailer !== null) {
    const mail: Crew = { tasks: createTasks(handlers, ['send_mail'], app.metrics), concurrency: MAIL_CONCURRENCY };
    stops.push(await startCrew(app, databaseUrl, mail));
  }
  if (app.discord !== null) {
    const begin = () => startCrew(app, databaseUrl, discord);
    stops.push(startElection({ databaseUrl, lock: DISCORD_SENDER_LOCK, log: app.log, begin }));
  }
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}

/** Release the locks of jobs that these runs have left, on a connection of its own: the pool may be closed by now. */
async function releaseJobsOf(databaseUrl: string, runIds: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: 3_000, query_timeout: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select graphile_worker.force_unlock_workers($1)', [runIds]);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Tries until the database answers, as after a failover in which another process became the sender to Discord. */
async function releaseLater(release: () => Promise<void>): Promise<void> {
  for (const deadline = performance.now() + STALE_MS; performance.now() < deadline;) {
    const isDone = await release().then(
      () => true,
      () => false,
    );
    if (isDone) return;
    await pass(RESTART_MS, undefined, { ref: false });
  }
}

async function startCrew(app: App, databaseUrl: string, crew: Crew): Promise<() => Promise<void>> {
  const { tasks, concurrency, first } = crew;
  const crontab = crontabOf(Object.keys(tasks), app.env);
  const pool = new Pool({ connectionString: databaseUrl, max: concurrency + 2, connectionTimeoutMillis: 3_000 });
  let runner: Runner | null = null;
  /** The library's name for the workers of this run, by which their jobs are locked. */
  let runId = '';
  /** Runs that have ended and may have left jobs locked. */
  const brokenIds = new Set<string>();
  /** The library rejects a second stop, and a lost connection, the end of a restart and the caller may stop the same run. */
  const stopRun = async () => {
    await runner?.stop().catch(() => undefined);
  };
  /** Starts over: the library may not know that a job was given to it, or that the end of one was not recorded. */
  const onLost = ({ message }: Error) => {
    app.log.warn({ err: message }, 'job connection lost');
    brokenIds.add(runId);
    void stopRun();
  };
  pool.on('error', onLost);
  pool.on('connect', (client) => client.on('error', onLost));
  dropReadOnlyConnections(pool);
  const logger = new Logger(({ label }) => (level, message, meta) => {
    const { job, ...rest } = meta ?? {};
    const line = { ...rest, ...(isJob(job) ? scopeOf(job) : { job: label }) };
    if (level === 'error') app.log.error(line, message);
    else if (level === 'warning') app.log.warn(line, message);
    else app.log.debug(line, message);
  });
  const releaseBroken = async () => {
    const ids = [...brokenIds];
    if (ids.length > 0) await releaseJobsOf(databaseUrl, ids);
    for (const id of ids) brokenIds.delete(id);
  };
  const begin = async () => {
    await releaseBroken();
    const events: WorkerEvents = new EventEmitter();
    events.on('pool:create', ({ workerPool }) => (runId = workerPool.id));
    runner = await run({
      events,
      pgPool: pool,
      concurrency,
      pollInterval: POLL_MS,
      noHandleSignals: true,
      logger,
      taskList: tasks,
      // without either option the library looks for a crontab file
      ...(crontab === '' ? { parsedCronItems: [] } : { crontab }),
      // Batches, if only of one job: otherwise the library does not wait until a job is marked as done when it stops, and
      // if the database fails then, the unhandled rejection ends the process.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    });
    if (first !== undefined) await runner.addJob(first, {}, { jobKey: first }).catch(onLost);
  };

  const stopping = new AbortController();
  await begin();
  /** When the library's worker has stopped, its jobs have ended, and the next one releases what it has left locked. */
  const keepGoing = async () => {
    for (;;) {
      await runner?.promise.catch((error: unknown) => app.log.error({ err: error }, 'job worker failed'));
      if (!stopping.signal.aborted) brokenIds.add(runId);
      for (let isRunning = false; !isRunning;) {
        if (stopping.signal.aborted) return;
        await pass(RESTART_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
        if (stopping.signal.aborted) return;
        app.log.warn('restarting the job worker');
        try {
          await begin();
          isRunning = true;
        } catch (error) {
          app.log.error({ err: error }, 'job worker not started');
        }
      }
      // stopped while it was starting
      if (stopping.signal.aborted) await stopRun();
    }
  };
  const going = keepGoing();
  return async () => {
    stopping.abort();
    await stopRun();
    await going;
    await pool.end();
    void releaseLater(releaseBroken);
  };
}
