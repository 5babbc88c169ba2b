/** The embedded PostgreSQL and its supervisor: start, owner lock, restart after a crash, shutdown. */
import { type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { readMemory, sizesFor } from '#server/platform/memory.ts';
import type { Log } from '#server/platform/log.ts';
import { StartError } from '#server/schema/failures.ts';
import {
  ensureCluster,
  InUseError,
  isOurServer,
  launchServer,
  readPassword,
  readRunningServer,
  removeStaleClaim,
  type RunningServer,
  signalServer,
  SUPERUSER,
} from './embedded-cluster.ts';
import { choosePlace, type Other, type Place, socketDirectory } from './embedded-place.ts';

const DATABASE = 'marshal';
const SOCKET_PORT = 5432;

/** The advisory lock, in the cluster's `postgres` database, of the one application that uses the cluster. */
const OWNER_LOCK = 6_277_001;
/** A dead owner's lock is released as soon as the server sees its closed connection. */
const OWNER_LOCK_PATIENCE_MS = 2_000;

const POLL_MS = 20;
/** How long a start is retried; a shutdown or crash recovery in progress does not count. */
const START_PATIENCE_MS = 15_000;
/** Errors that a retry does not cure. */
const HOPELESS = /contains errors|incompatible with server|has wrong ownership|has invalid permissions/;
const STOP_PATIENCE_MS = 20_000;
const CONNECT_TIMEOUT_MS = 3_000;

/** After this many crashes within the span the supervisor gives up. */
const DEATHS_BEFORE_GIVING_UP = 5;
const DEATHS_SPAN_MS = 60_000;
const BACKOFF_FIRST_MS = 100;

const SETTINGS = {
  max_connections: '60',
  shared_buffers: sizesFor(readMemory()).sharedBuffers,
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '',
  // The application reports failed statements itself; this log is for the server's own events and fatal errors.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  cluster_name: DATABASE,
};

export type EmbeddedState = 'ready' | 'restarting' | 'failed' | 'stopped';

export type EmbeddedOptions = {
  /** Directory for the cluster; created when missing. */
  dataDir: string;
  log: Log;
  /**
   * Called on every change after the start. `failed` comes with the reason and is final: the database keeps crashing
   * or does not come back. Without a listener the process then exits with code 1.
   */
  onState?: (state: EmbeddedState, reason?: Error) => void;
  /** Server settings on top of ours, for tests. */
  settings?: Record<string, string>;
  /** A cluster beside the usual one, or another version's programs, for an upgrade. */
  other?: Other;
};

export type EmbeddedPostgres = {
  /** Connection string of the application's database and role, for node-postgres. */
  url: string;
  /** The same server as superuser, for backups and tests. */
  superuserUrl: string;
  /** Such as `18.4`. */
  version: string;
  state: () => EmbeddedState;
  /** Shut the database down (fast) and release DATA_DIR. Safe to call again. */
  stop: () => Promise<void>;
};

/**
 * Start the embedded PostgreSQL of a DATA_DIR, or adopt one that a killed application left running, and keep it
 * running: after a crash it is restarted, with growing pauses.
 * @returns when the database `marshal` answers
 * @throws Error one sentence with cause and remedy: no binaries for this machine, DATA_DIR in use by another
 *   application or owned by another user, a server that does not start
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir);
  const place = choosePlace(dataDir, options.log, options.other);
  ensureCluster(place);
  const supervisor = new Supervisor(place, dataDir, options);
  await supervisor.start();
  return {
    url: supervisor.urlOf(DATABASE, DATABASE),
    superuserUrl: supervisor.urlOf(SUPERUSER, 'postgres'),
    version: place.version,
    state: () => supervisor.state,
    stop: () => supervisor.stop(),
  };
}

class Supervisor {
  state: EmbeddedState = 'restarting';
  readonly #place: Place;
  readonly #dataDir: string;
  readonly #log: Log;
  readonly #onState: EmbeddedOptions['onState'];
  readonly #settings: Record<string, string>;
  readonly #password: string;
  readonly #socketDirectory: string;
  #port = SOCKET_PORT;
  #child: ChildProcess | null = null;
  #guard: Client | null = null;
  #serverPid = 0;
  #deaths: number[] = [];
  #lastWords: string[] = [];
  #revival: Promise<void> | null = null;
  #stopping: Promise<void> | null = null;

  constructor(place: Place, dataDir: string, { log, onState, settings }: EmbeddedOptions) {
    this.#place = place;
    this.#dataDir = dataDir;
    this.#log = log;
    this.#onState = onState;
    this.#password = readPassword(place);
    this.#socketDirectory = process.platform === 'win32' ? '' : socketDirectory(place);
    this.#settings = { ...SETTINGS, ...settings };
  }

  async start(): Promise<void> {
    try {
      await this.#bringUp();
      await this.#ensureDatabase();
    } catch (error) {
      // Stop the server only if we started it; one that somebody else uses or left running is not ours to stop.
      this.#serverPid = this.#child?.pid ?? 0;
      await this.stop();
      throw error;
    }
    this.#becomeReady();
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#shutDown();
    return this.#stopping;
  }

  urlOf(role: string, database: string): string {
    const host = this.#socketDirectory ? encodeURIComponent(this.#socketDirectory) : '127.0.0.1';
    return `postgresql://${role}:${this.#password}@${host}:${this.#port}/${database}`;
  }

  /** Start or find the cluster's server, wait until it answers, and take the owner lock. */
  async #bringUp(): Promise<void> {
    let refusals = 0;
    let deadline = Date.now() + START_PATIENCE_MS;
    for (;;) {
      if (this.#stopping) throw new StartError('The database was told to stop while it was starting.');
      const server = readRunningServer(this.#place);
      const lives = server !== null && (server.pid === this.#child?.pid || isOurServer(this.#place, server.pid));
      if (lives && server.status === 'ready') {
        if (await this.#take(server)) return;
      } else if (lives && (server.status === 'starting' || server.status === 'stopping')) {
        // Crash recovery and the final checkpoint may take any amount of time.
        deadline = Date.now() + START_PATIENCE_MS;
      } else if (!lives && !this.#child) {
        if (this.#lastWords.some((line) => HOPELESS.test(line))) throw this.#startError();
        if (server) removeStaleClaim(this.#place);
        await wait(Math.min(2_000, refusals * BACKOFF_FIRST_MS * 2));
        refusals += 1;
        await this.#launch();
      }
      if (Date.now() > deadline) throw this.#startError();
      await wait(POLL_MS);
    }
  }

  async #launch(): Promise<void> {
    const settings =
      process.platform === 'win32'
        ? {
            ...this.#settings,
            listen_addresses: '127.0.0.1',
            port: String(await freePort()),
            unix_socket_directories: '',
          }
        : {
            ...this.#settings,
            listen_addresses: '',
            port: String(SOCKET_PORT),
            unix_socket_directories: this.#socketDirectory,
            unix_socket_permissions: '0700',
          };
    const child = launchServer(this.#place, settings);
    this.#child = child;
    if (child.stderr) createInterface({ input: child.stderr }).on('line', (line) => this.#hear(line));
    child.once('error', (error) => {
      this.#hear(`FATAL:  ${error.message}`);
      this.#child = null;
    });
    child.once('exit', () => {
      if (this.#child === child) this.#child = null;
    });
  }

  /**
   * Connect as superuser and claim the cluster.
   * @returns false if the server is not ready after all
   * @throws InUseError if a running application uses it; Error if it has a different password
   */
  async #take(server: RunningServer): Promise<boolean> {
    if (process.platform === 'win32') this.#port = server.port;
    const guard = new Client({
      connectionString: this.urlOf(SUPERUSER, 'postgres'),
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      application_name: 'marshal supervisor',
      keepAlive: true,
    });
    // A lost connection also shows as a failed query or as 'end'.
    guard.on('error', () => undefined);
    try {
      await guard.connect();
    } catch (error) {
      await guard.end().catch(() => undefined);
      if (hasCode(error, '28P01')) {
        throw new StartError(
          `The database in ${this.#dataDir} does not accept the password beside it: restore both from one backup, or set DATA_DIR to a new directory.`,
          { cause: error },
        );
      }
      return false;
    }
    try {
      if (!(await claim(guard))) {
        throw new InUseError(
          `Another Marshal is using ${this.#dataDir}: stop it first, or give this one its own DATA_DIR and PORT.`,
          this.urlOf(DATABASE, DATABASE),
        );
      }
    } catch (error) {
      await guard.end().catch(() => undefined);
      if (error instanceof InUseError) throw error;
      return false;
    }
    this.#guard = guard;
    this.#serverPid = server.pid;
    return true;
  }

  /** Create the application's role (not a superuser: it needs only its own database) and its database. */
  async #ensureDatabase(): Promise<void> {
    const guard = this.#guard;
    if (!guard) return;
    const { rows } = await guard.query<{ role: boolean; database: boolean }>(
      `select exists (select from pg_roles where rolname = $1) as role,
              exists (select from pg_database where datname = $1) as database`,
      [DATABASE],
    );
    if (!rows[0]?.role) await guard.query(`create role ${DATABASE} login password '${this.#password}'`);
    if (!rows[0]?.database) await guard.query(`create database ${DATABASE} owner ${DATABASE}`);
  }

  /** Restart the server when it dies: the guard's connection then ends, whether the server is our child or adopted. */
  #watch(): void {
    this.#guard?.once('end', () => {
      if (this.#stopping || this.#revival) return;
      this.#revival = this.#revive().finally(() => {
        this.#revival = null;
      });
    });
  }

  async #revive(): Promise<void> {
    this.#change('restarting');
    const lost = this.#serverPid;
    this.#log.error(`PostgreSQL has stopped${this.#cause()}; restarting it`);
    try {
      await wait(BACKOFF_FIRST_MS * 2 ** Math.min(this.#deaths.length, DEATHS_BEFORE_GIVING_UP));
      await this.#bringUp();
      // After a backend crash the server ends all sessions but keeps running: that is no crash of the server.
      if (this.#serverPid !== lost) this.#countDeath();
    } catch (error) {
      if (this.#stopping) return;
      const reason = error instanceof Error ? error : new Error(String(error));
      this.#log.fatal(reason.message);
      this.#change('failed', reason);
      return;
    }
    this.#log.info('PostgreSQL running again');
    this.#becomeReady();
    this.#onState?.('ready');
  }

  #becomeReady(): void {
    this.state = 'ready';
    this.#lastWords = [];
    this.#watch();
  }

  #countDeath(): void {
    const now = Date.now();
    this.#deaths = [...this.#deaths.filter((at) => now - at < DEATHS_SPAN_MS), now];
    if (this.#deaths.length < DEATHS_BEFORE_GIVING_UP) return;
    throw new StartError(
      `The database crashed ${DEATHS_BEFORE_GIVING_UP} times within a minute${this.#cause()}: look at the log above and at the machine's memory and disk.`,
    );
  }

  #change(state: EmbeddedState, reason?: Error): void {
    this.state = state;
    if (this.#onState) this.#onState(state, reason);
    else if (state === 'failed') process.exit(1);
  }

  async #shutDown(): Promise<void> {
    await this.#revival;
    const child = this.#child;
    const exited = child ? once(child, 'exit') : null;
    const deadline = Date.now() + STOP_PATIENCE_MS;
    const pid = this.#serverPid;
    const gone = () => (pid === child?.pid ? this.#child === null : !isOurServer(this.#place, pid));
    if (!gone()) signalServer(this.#place, pid, 'fast');
    while (!gone()) {
      if (Date.now() > deadline) {
        signalServer(this.#place, pid, 'immediate');
        await exited;
        break;
      }
      await wait(POLL_MS);
    }
    // last, because the next application would claim a server that is about to stop
    await this.#guard?.end().catch(() => undefined);
    // not the socket of another Marshal's server
    if (pid !== 0 && !this.#socketDirectory.startsWith(this.#place.home)) {
      if (this.#socketDirectory) rmSync(this.#socketDirectory, { recursive: true, force: true });
    }
    this.#change('stopped');
  }

  #hear(line: string): void {
    if (line.trim() === '') return;
    this.#lastWords = [...this.#lastWords.slice(-9), line];
    if (/^(FATAL|PANIC):/.test(line) && this.state === 'ready') this.#log.warn(`PostgreSQL: ${line}`);
    else this.#log.debug(`PostgreSQL: ${line}`);
  }

  /** The server's own last error, in brackets. */
  #cause(): string {
    const at = this.#lastWords.findLastIndex((line) => /^(FATAL|PANIC|ERROR):/.test(line) && !/terminat/.test(line));
    // The line that says a file "contains errors" comes last; the line before it names the error.
    const words = this.#lastWords[/contains errors/.test(this.#lastWords[at] ?? '') ? at - 1 : at];
    return words ? ` (${words.replace(/^\w+:\s+/, '')})` : '';
  }

  #startError(): Error {
    const cause = this.#cause();
    const remedy = /space/i.test(cause)
      ? 'free some disk space'
      : /permission|owner/i.test(cause)
        ? `give ${join(this.#place.home, 'data')} back to the user who created it`
        : 'start again with LOG_LEVEL=debug to see more, or set DATABASE_URL to a PostgreSQL of your own';
    return new StartError(`The embedded PostgreSQL in ${this.#dataDir} does not start${cause}: ${remedy}.`);
  }
}

/** Take the owner lock; a dead owner may hold it for a moment longer. */
async function claim(guard: Client): Promise<boolean> {
  const deadline = Date.now() + OWNER_LOCK_PATIENCE_MS;
  for (;;) {
    const { rows } = await guard.query<{ ours: boolean }>('select pg_try_advisory_lock($1) as ours', [OWNER_LOCK]);
    if (rows[0]?.ours) return true;
    if (Date.now() > deadline) return false;
    await wait(POLL_MS);
  }
}

function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((done, fail) => {
    server.once('error', fail);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => done(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
