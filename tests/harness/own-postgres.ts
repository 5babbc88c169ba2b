/** A PostgreSQL server of a test's own, reached by TCP as a hosted one is, and a standby that follows it. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { vi } from 'vitest';
import { ROOT } from '#server/cli/programs.js';
import { packageOfPrograms } from '#server/platform/postgres/embedded-place.ts';

const BIN = join(ROOT, 'node_modules', packageOfPrograms(), 'native', 'bin');
const isRoot = process.getuid?.() === 0;
/** PostgreSQL refuses to run as root. */
const NOBODY = 65_534;
const READY_MS = 60_000;

export interface OwnPostgres {
  url: string;
  /** the processes of the server, the main one first; Linux names a process's children */
  pids: () => number[];
  /** Start the server again if it has ended, and wait until it answers. */
  start: () => Promise<void>;
  /** of a server that replays what this one writes; '' without */
  standby: string;
  /** kill -9 for the standby, with its connections */
  killStandby: () => void;
  remove: () => Promise<void>;
}

export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

function command(program: string, args: readonly string[]): [string, string[]] {
  const path = join(BIN, program);
  if (!isRoot) return [path, [...args]];
  return ['setpriv', [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', path, ...args]];
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

/** A server that still has to replay what a crash left, or waits for the processes of the one before, takes a moment. */
async function start(data: string, port: number): Promise<ChildProcess> {
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=100',
    'max_wal_size=128MB',
  ];
  const args = ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])];
  const launch = () => spawn(...command('postgres', args), { stdio: 'ignore' });
  let server = launch();
  const answers = async (): Promise<boolean> => {
    if (hasEnded(server)) server = launch();
    const client = new Client({ connectionString: urlOf(port), connectionTimeoutMillis: 2_000 });
    client.on('error', () => undefined);
    return client.connect().then(
      () => client.end().then(() => true),
      () => false,
    );
  };
  await vi.waitUntil(answers, { timeout: READY_MS, interval: 100 });
  return server;
}

const urlOf = (port: number): string => `postgresql://marshal@127.0.0.1:${port}/postgres`;

/**
 * @param isFollowed whether a standby follows it; `standby` is '' without
 * @param within the directory for its files, which has to exist; a temporary one without
 */
export async function startOwnPostgres({
  isFollowed = false,
  within = isRoot ? '/var/tmp' : tmpdir(),
} = {}): Promise<OwnPostgres> {
  const place = mkdtempSync(join(within, 'marshal-postgres-'));
  chmodSync(place, 0o755);
  const data = join(place, 'primary');
  mkdirSync(data, { mode: 0o700 });
  if (isRoot) chownSync(data, NOBODY, NOBODY);
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  execFileSync(...command('initdb', ['-D', data, '-U', 'marshal', '--auth=trust', ...locale]), { stdio: 'ignore' });
  const port = await findFreePort();
  const copy = join(place, 'standby');
  if (isFollowed) {
    // the two are one cluster, because they have the same files at this moment
    cpSync(data, copy, { recursive: true, preserveTimestamps: true });
    writeFileSync(join(copy, 'standby.signal'), '');
    const follow = `primary_conninfo = 'host=127.0.0.1 port=${port} user=marshal'\nwal_receiver_status_interval = 1\n`;
    appendFileSync(join(copy, 'postgresql.auto.conf'), follow);
    if (isRoot) execFileSync('chown', ['-R', `${NOBODY}:${NOBODY}`, copy]);
    chmodSync(copy, 0o700);
  }
  let primary = await start(data, port);
  const standbyPort = isFollowed ? await findFreePort() : 0;
  const standby = isFollowed ? await start(copy, standbyPort) : null;
  return {
    url: urlOf(port),
    pids() {
      if (hasEnded(primary)) return [];
      const { pid } = primary;
      const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
      return [pid ?? 0, ...children.split(' ').filter(Boolean).map(Number)];
    },
    async start() {
      if (hasEnded(primary)) primary = await start(data, port);
    },
    standby: isFollowed ? urlOf(standbyPort) : '',
    killStandby: () => void standby?.kill('SIGKILL'),
    async remove() {
      for (const server of [standby, primary]) {
        if (!server || hasEnded(server)) continue;
        const ended = once(server, 'exit');
        server.kill('SIGINT');
        await ended;
      }
      rmSync(place, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
