/** Assembles the parts of one process: database, sessions, password hasher, worker threads, live updates. */
import type { App } from './context.ts';
import { connect } from '#server/schema/orm.ts';
import { createReplica } from '#server/schema/replica.ts';
import { isSecureOrigin, type Env } from '#server/platform/env.ts';
import type { Log } from '#server/platform/log.ts';
import { readBotToken } from '#server/discord/bot/credential.ts';
import { createDiscordClient } from '#server/discord/discord-client.ts';
import { createAccessCache } from '#server/accounts/access-cache.ts';
import { createLive } from './live.ts';
import { traceStatement } from '#server/platform/traces.ts';
import { readMemory, sizesFor } from '#server/platform/memory.ts';
import { createMetrics } from '#server/platform/metrics.ts';
import { watchConnections } from './metrics.ts';
import { createInviteLinks } from '#server/accounts/invite-links.ts';
import { createKnownDevice } from '#server/accounts/known-device.ts';
import { findStreamRoles } from '#server/signals/live-sessions.ts';
import { createCalendarReader } from '#server/availability/busy/calendar-thread.ts';
import { createHeavyReads } from '#server/board/heavy-reads.ts';
import { createPasswordHasher } from '#server/accounts/password-hashing.ts';
import { createSecondFactorCookies } from '#server/accounts/second-factor/cookies.ts';
import { createSessions } from '#server/accounts/sessions.ts';
import { createWeekSolver } from '#server/orders/seating/week-solver.ts';
import { mailRecorder } from '#server/delivery/mail/record-mail.ts';
import { createMissionFileReader } from '#server/missions/mission-file/mission-file-thread.ts';
import { createMailLinks } from '#server/delivery/mail/mail-links.ts';
import { createMailer } from '#server/delivery/mail/transport.ts';
import { webhookRecorder } from '#server/delivery/webhooks/record-events.ts';
import { createSealer } from '#server/platform/sealed.ts';
import { readSigningKey } from '#server/platform/secrets.ts';
import { createReadTurns } from '#server/platform/read-turns.ts';
import { createWriteLimit } from '#server/platform/write-limit.ts';

/** @param databaseUrl of a migrated database */
export async function openApp(env: Env, log: Log, databaseUrl: string): Promise<App> {
  const metrics = createMetrics();
  const { poolSize } = sizesFor(readMemory());
  const orm = await connect(databaseUrl, {
    poolSize,
    onPool: (pool) => watchConnections(metrics, pool),
    observers: env.OTEL_EXPORTER_OTLP_ENDPOINT === undefined ? [] : [traceStatement],
  });
  orm.em.getEventManager().registerSubscriber(webhookRecorder);
  const mailer = await createMailer(env);
  if (mailer !== null) orm.em.getEventManager().registerSubscriber(mailRecorder);
  const cookies = { secure: env.PUBLIC_URL.startsWith('https:') };
  const accessCache = createAccessCache(databaseUrl);
  return {
    env,
    log,
    metrics,
    orm,
    replica:
      env.DATABASE_REPLICA_URL === undefined
        ? null
        : createReplica(await connect(env.DATABASE_REPLICA_URL, { poolSize })),
    accessCache,
    sessions: createSessions(orm, accessCache, cookies),
    knownDevice: createKnownDevice(await readSigningKey(orm.em.fork(), 'device-cookie'), cookies),
    secondFactorCookies: createSecondFactorCookies(cookies),
    sealer: createSealer(await readSigningKey(orm.em.fork(), 'second-factor'), 'authenticator'),
    calendarSealer: createSealer(await readSigningKey(orm.em.fork(), 'busy-calendar'), 'busy calendar'),
    calendarReader: createCalendarReader(),
    inviteLinks: createInviteLinks(await readSigningKey(orm.em.fork(), 'invite'), env.PUBLIC_URL),
    passwords: createPasswordHasher(),
    weekSolver: createWeekSolver(),
    heavyReads: createHeavyReads(databaseUrl),
    missionFiles: createMissionFileReader(),
    mailer,
    mailLinks: createMailLinks(await readSigningKey(orm.em.fork(), 'mail'), env.PUBLIC_URL),
    writeLimit: createWriteLimit(env.WRITES_PER_MINUTE),
    readTurns: createReadTurns(),
    discord: await createDiscordClient(env, { metrics }),
    botToken: await readBotToken(orm.em.fork()),
    live: createLive(databaseUrl, (ids) => findStreamRoles(orm.em.fork(), ids), log),
  };
}

/** True for a public address over plain http, where sign-in cookies can be read in transit: every startup warns of it. */
export function isExposed(env: Env): boolean {
  return !isSecureOrigin(env.PUBLIC_URL);
}
