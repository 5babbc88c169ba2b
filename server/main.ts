/** Startup and shutdown of a Marshal process: configuration, database, migrations, jobs, HTTP. */
import { existsSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { checkBackupFolder } from '#server/backup/stores.ts';
import { isExposed, openApp } from '#server/http/app.ts';
import { createBotProcess } from '#server/http/bot-process.ts';
import { startEmbedded } from '#server/platform/postgres/embedded.ts';
import { isUnavailable, StartError } from '#server/schema/failures.ts';
import { migrate } from '#server/schema/migrate.ts';
import { isSuperuser, SUPERUSER } from '#server/schema/role.ts';
import { readEnv, type Env } from '#server/platform/env.ts';
import { createHttp } from '#server/http/http.ts';
import { createHttpServer } from '#server/http/http-server.ts';
import { startWorker } from './jobs/worker.ts';
import { createLog } from '#server/platform/log.ts';
import { startTraces } from '#server/platform/traces.ts';
import { syncAircraft } from '#server/accounts/pilots/aircraft.ts';
import { ensureFirstAdmin } from '#server/accounts/first-admin.ts';
import { ensureSampleCommunity } from '#server/cli/sample/sample-community.ts';
import { issueSampleRegistration } from '#server/cli/sample/sample-guilds.ts';
import { explainDatabase, explainDataDir, explainListen, explainStart } from '#server/platform/start-failure.ts';
import { type NewSignIns, sayReady, saySignIns, sayStep } from '#server/cli/welcome.ts';

const CLIENT_DIST = fileURLToPath(new URL('../client/dist', import.meta.url));
/** Time for requests in flight to finish at shutdown. */
const DRAIN_MS = 12_000;
/** A second SIGINT within this time belongs to the same press of Ctrl-C. */
const ECHO_MS = 2_000;

function readEnvOrExit(): Env {
  try {
    return readEnv();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}

async function serve(): Promise<void> {
  const env = readEnvOrExit();
  const log = createLog(env.LOG_LEVEL);
  /** Shutdown steps, run in reverse order at the end or after a failed startup. */
  const undo: (() => Promise<unknown>)[] = [];
  let isDraining = false;
  /** printed once, even if the startup fails later */
  let made: NewSignIns | null = null;

  /** @param lastWords for the person at the terminal, printed after all log lines */
  async function shutDown(code: number, lastWords = ''): Promise<never> {
    isDraining = true;
    const end = (exitCode: number): never => {
      process.stderr.write(lastWords);
      process.exit(exitCode);
    };
    const hardStop = setTimeout(() => end(1), DRAIN_MS + 3_000);
    hardStop.unref();
    for (const step of undo.toReversed())
      await step().catch((error: unknown) => log.error({ err: error }, 'shutdown step failed'));
    await new Promise<void>((resolve) => log.flush(() => resolve()));
    return end(code);
  }
  let signalledAt = -Infinity;
  const onSignal = (signal: string) => {
    if (isDraining) {
      // the terminal sends Ctrl-C to all processes, and npm and the parent process pass it on again
      if (signal === 'SIGINT' && performance.now() - signalledAt < ECHO_MS) return;
      process.exit(1);
    }
    signalledAt = performance.now();
    log.info({ signal }, 'stopping');
    void shutDown(0);
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);

  let databaseUrl = env.DATABASE_URL;
  const explainDown = (error: unknown) => explainDatabase(error, databaseUrl ?? '', env.DATABASE_URL === undefined);
  try {
    await checkBackupFolder(env, log);
    if (databaseUrl === undefined) {
      sayStep('Starting the embedded database');
      const embedded = await startEmbedded({
        dataDir: env.DATA_DIR,
        log,
        onState: (state, reason) => {
          if (state === 'failed' && !isDraining) {
            log.fatal({ err: reason }, 'the embedded database has failed');
            void shutDown(1, `${reason?.message ?? ''}\n`);
          }
        },
      }).catch((error: unknown) => Promise.reject(explainDataDir(error, env.DATA_DIR)));
      undo.push(() => embedded.stop());
      databaseUrl = embedded.url;
    }
    const applied = await migrate(databaseUrl).catch((error: unknown) => Promise.reject(explainDown(error)));
    if (applied.length > 0) log.info({ applied }, 'migrated');

    if (env.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined) undo.push(await startTraces(env.OTEL_EXPORTER_OTLP_ENDPOINT));
    const app = await openApp(env, log, databaseUrl);
    undo.push(() => Promise.all([app.orm.close(), app.replica?.close()]));
    undo.push(() =>
      Promise.all([app.heavyReads.stop(), app.weekSolver.stop(), app.missionFiles.stop(), app.calendarReader.stop()]),
    );
    await syncAircraft(app.orm.em.fork());

    const configured =
      env.ADMIN_EMAIL !== undefined && env.ADMIN_PASSWORD !== undefined
        ? { email: env.ADMIN_EMAIL, password: env.ADMIN_PASSWORD }
        : null;
    const admin = await ensureFirstAdmin(app.orm.em.fork(), app.passwords, configured);
    made = { admin, sample: null };
    if (env.SAMPLE_COMMUNITY) made.sample = await ensureSampleCommunity(app, admin, new Date());

    const bot = createBotProcess(app);
    undo.push(() => bot.stop());

    if (env.BACKGROUND_JOBS) {
      undo.push(await startWorker(app, databaseUrl));
    }

    const clientDist = existsSync(CLIENT_DIST) ? CLIENT_DIST : null;
    const { server, drain } = createHttpServer(env.PUBLIC_URL);
    server.on('request', createHttp(app, { publicUrl: env.PUBLIC_URL, clientDist, isReady: () => !isDraining }));
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(env.PORT, env.HOST, resolve);
    }).catch((error: unknown) => Promise.reject(explainListen(error, env)));
    // event streams never end by themselves; their pages reconnect after the restart
    undo.push(() => app.accessCache.stop());
    undo.push(() => Promise.all([drain(DRAIN_MS), app.live.stop()]));

    if (await isSuperuser(app.orm.em.fork())) log.warn(SUPERUSER);
    if (isExposed(env)) log.warn('PUBLIC_URL is plain http: sign-in cookies can be read in transit');
    const address = server.address() as AddressInfo;
    bot.start(address);
    log.info({ url: env.PUBLIC_URL, port: address.port, pid: process.pid }, 'ready');
    app.heavyReads
      .warmUp(app.orm.em.fork(), new Date())
      .catch((error: unknown) => log.warn({ err: error }, 'roster not read, the first request will read it'));
    app.heavyReads.watchRoster(app.orm.em, log, app.metrics);
    const newcomer = env.SAMPLE_COMMUNITY
      ? await issueSampleRegistration(app.orm.em.fork(), env.PUBLIC_URL, new Date())
      : null;
    sayReady(env, made, newcomer);
  } catch (error) {
    // a sentence about a folder can be caused by a code that is also one of a lost connection
    const isDown = databaseUrl !== undefined && !(error instanceof StartError) && isUnavailable(error);
    const { message, cause } = isDown ? explainDown(error) : explainStart(error);
    if (made) saySignIns(made);
    log.fatal(cause === undefined ? {} : { err: cause }, message);
    await shutDown(1, `${message}\n`);
  }
}

await serve();
