/** Background work: graphile-worker over the same PostgreSQL, fed from inside the domain's transactions. */
import { setTimeout as pass } from 'node:timers/promises';
import { Logger, run, type JobHelpers, type Task, type TaskList } from 'graphile-worker';
import { Pool } from 'pg';
import { z } from 'zod';
import type { App } from '#server/http/context.ts';
import { dropReadOnlyConnections } from '#server/schema/pool.ts';
import { purgeAttempts } from '#server/platform/rate-limit.ts';
import { purgeSignInAudit } from '#server/signals/audit.ts';
import { backfillMission } from '#server/orders/expiry.ts';
import { purgeIdempotencyKeys } from '#server/platform/idempotency.ts';
import { purgeOldGuilds } from '#server/discord/guilds/guild-sync.ts';
import { purgeGuildHistory } from '#server/discord/guilds/guilds.ts';
import { purgeOutbox, enqueueWaitingMessages } from '#server/discord/outbox/outbox.ts';
import { PUSH_KINDS } from '#server/signals/push-jobs.ts';
import { sendOrderPush } from '#server/push/push-sender.ts';
import { syncPilotOrders } from '#server/discord/outbox/order-messages.ts';
import { sendMessage } from '#server/discord/outbox/post-message.ts';
import { syncMission } from '#server/discord/outbox/sync-mission.ts';
import { runMaintenance, backfillForPilot } from '#server/orders/pilot-backfill.ts';
import { purgeSignInLinks } from '#server/accounts/sign-in-links.ts';

const CONCURRENCY = 2;
/** Messages to Discord have workers of their own: while it does not answer, seats go on being filled. */
const DISCORD_CONCURRENCY = 2;
/** How long a new job may wait when the notification that announces it got lost. */
const POLL_MS = 2_000;
/** Between the end of a worker that nobody stopped and its next start. */
const RESTART_MS = 1_000;

const missionPayload = z.object({ missionId: z.string() });
const pilotPayload = z.object({ pilotId: z.string() });
const pilotsPayload = z.object({ pilotIds: z.array(z.string()) });
const missionNewsPayload = z.object({ missionId: z.string(), isNew: z.boolean() });
const rowPayload = z.object({ rowId: z.string() });
const pushPayload = z.object({ orderId: z.string(), subscriptionId: z.string(), kind: z.enum(PUSH_KINDS) });

/** A job comes when the database's clock says so; where this machine's is behind, it must not find that too early. */
const timeOf = ({ job }: JobHelpers) => new Date(Math.max(Date.now(), job.run_at.getTime()));

function createTasks(app: App): TaskList {
  const workOnMission: Task = async (payload, helpers) =>
    backfillMission(app.orm.em.fork(), missionPayload.parse(payload).missionId, timeOf(helpers));
  return {
    expire_orders: workOnMission,
    refill_mission: workOnMission,
    async refill_pilot(payload, helpers) {
      await backfillForPilot(app.orm.em.fork(), pilotPayload.parse(payload).pilotId, timeOf(helpers));
    },
    async look_again(_payload, helpers) {
      const em = app.orm.em.fork();
      await runMaintenance(em, timeOf(helpers));
      await enqueueWaitingMessages(em);
    },
    async send_push(payload) {
      await sendOrderPush(app, pushPayload.parse(payload), new Date());
    },
    async sync_discord_pilots(payload, helpers) {
      if (app.discord === null) return;
      for (const pilotId of pilotsPayload.parse(payload).pilotIds) {
        await syncPilotOrders(app.orm.em.fork(), pilotId, app.env.PUBLIC_URL, timeOf(helpers));
      }
    },
    async sync_discord_mission(payload, helpers) {
      if (app.discord === null) return;
      const about = missionNewsPayload.parse(payload);
      await syncMission(app.orm.em.fork(), about, app.env.PUBLIC_URL, timeOf(helpers));
    },
    async purge() {
      const em = app.orm.em.fork();
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

function createDiscordTasks(app: App): TaskList {
  return {
    async send_discord(payload, helpers) {
      await sendMessage(app, rowPayload.parse(payload).rowId, timeOf(helpers));
    },
  };
}

/** Workers of one kind. */
interface Crew {
  tasks: TaskList;
  concurrency: number;
  crontab?: string;
  /** a job of theirs that comes first */
  first?: string;
}

/**
 * Work off jobs until told to stop. Any replica can run any job; one that dies leaves its jobs to the others.
 * @returns stops taking jobs, waits for those at work, and lets go of the database
 */
export async function startWorker(app: App, databaseUrl: string): Promise<() => Promise<void>> {
  const main: Crew = {
    tasks: createTasks(app),
    concurrency: CONCURRENCY,
    crontab: ['* * * * * look_again ?jobKey=look_again', '17 * * * * purge ?fill=2h&jobKey=purge'].join('\n'),
    // what was left behind when the last process ended need not wait for the minute, but can
    first: 'look_again',
  };
  const discord: Crew = { tasks: createDiscordTasks(app), concurrency: DISCORD_CONCURRENCY };
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
