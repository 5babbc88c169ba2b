/** Background work: graphile-worker over the same PostgreSQL, fed from inside the domain's transactions. */
import { Logger, run, type TaskList } from 'graphile-worker';
import { Pool } from 'pg';
import { z } from 'zod';
import type { App } from '#server/context.ts';
import { purgeAttempts } from '#server/services/attempts.ts';
import { expireOrders } from '#server/services/expiry.ts';
import { purgeIdempotencyKeys } from '#server/services/idempotency.ts';
import { purgeGuildHistory } from '#server/services/guilds.ts';
import { PUSH_KINDS } from '#server/services/push.ts';
import { sendOrderPush } from '#server/services/push-sender.ts';
import { purgeSignInLinks } from '#server/services/sign-in-links.ts';

const CONCURRENCY = 2;
/** How long a new job may wait when the notification that announces it got lost. */
const POLL_MS = 2_000;

const expirePayload = z.object({ missionId: z.string() });
const pushPayload = z.object({ orderId: z.string(), subscriptionId: z.string(), kind: z.enum(PUSH_KINDS) });

function createTasks(app: App): TaskList {
  return {
    async expire_orders(payload) {
      await expireOrders(app.orm.em.fork(), expirePayload.parse(payload).missionId, new Date());
    },
    async send_push(payload) {
      await sendOrderPush(app, pushPayload.parse(payload), new Date());
    },
    async purge() {
      const em = app.orm.em.fork();
      await app.sessions.purgeExpired();
      await purgeAttempts(em);
      await purgeIdempotencyKeys(em);
      await purgeGuildHistory(em);
      await purgeSignInLinks(em);
    },
  };
}

/**
 * Work off jobs until told to stop. Any replica can run any job; one that dies leaves its jobs to the others.
 * @returns stops taking jobs, waits for those at work, and lets go of the database
 */
export async function startWorker(app: App, databaseUrl: string): Promise<() => Promise<void>> {
  const pool = new Pool({ connectionString: databaseUrl, max: CONCURRENCY + 2, connectionTimeoutMillis: 3_000 });
  const onLost = (error: Error) => app.log.warn({ err: error.message }, 'a job connection was lost');
  pool.on('error', onLost);
  pool.on('connect', (client) => client.on('error', onLost));
  const logger = new Logger(({ label }) => (level, message, meta) => {
    const line = { job: label, ...meta };
    if (level === 'error') app.log.error(line, message);
    else if (level === 'warning') app.log.warn(line, message);
    else app.log.debug(line, message);
  });
  const runner = await run({
    pgPool: pool,
    concurrency: CONCURRENCY,
    pollInterval: POLL_MS,
    noHandleSignals: true,
    logger,
    taskList: createTasks(app),
    crontab: '17 * * * * purge ?fill=2h&jobKey=purge',
  });
  return async () => {
    await runner.stop();
    await pool.end();
  };
}
