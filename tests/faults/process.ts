/** Marshal as a separate process with its embedded database, which tests kill and restart. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { findNode } from '#server/cli/pinned-node.js';
import { ROOT } from '#server/cli/programs.js';
import { readRunningServer } from '#server/platform/postgres/embedded-cluster.ts';
import { choosePlace } from '#server/platform/postgres/embedded-place.ts';
import { createLog } from '#server/platform/log.ts';

export const ADMIN = { email: 'ops@example.org', password: 'correct horse battery' } as const;
const READY_MS = 60_000;

export interface Marshal {
  url: string;
  dataDir: string;
  /** Start it, again if need be, and wait until it serves. */
  start: () => Promise<void>;
  /** Wait until it answers with its database. */
  ready: () => Promise<void>;
  /** kill -9 for the program, its PostgreSQL, or both at once. */
  kill: (what: 'server' | 'database' | 'both') => Promise<void>;
  /** of PostgreSQL's main process; 0 when none runs */
  databasePid: () => number;
  /** of the program itself; 0 when it does not run */
  serverPid: () => number;
  /** its output since the last start */
  output: () => string;
  /** Stop it in order. @returns its exit code */
  stop: () => Promise<number | null>;
  /** Deletes its files. */
  remove: () => void;
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** A place and a configuration; nothing runs before `start`. @param env on top of the tests' configuration */
export async function createMarshal(env: Record<string, string> = {}): Promise<Marshal> {
  // The unprivileged database user must pass; root's own temporary directory may be closed to others.
  const dataDir = mkdtempSync(join(tmpdir(), 'marshal-kill-'));
  chmodSync(dataDir, 0o711);
  const port = await findFreePort();
  const url = `http://localhost:${port}`;
  let app: ChildProcess | null = null;
  let output = '';

  const isGone = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;
  const isReady = async () => {
    if (app && isGone(app)) throw new Error(`Marshal ended: ${output.slice(-4_000)}`);
    return (await fetch(`${url}/readyz`).catch(() => null))?.status === 200;
  };
  const ready = async () => {
    await vi.waitUntil(isReady, { timeout: READY_MS, interval: 50 });
  };
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    const child = app;
    if (!child) return null;
    const exit = isGone(child) ? null : once(child, 'exit');
    child.kill(signal);
    await exit;
    return child.exitCode;
  };
  const databasePid = () => readRunningServer(choosePlace(dataDir, createLog('silent')))?.pid ?? 0;

  return {
    url,
    dataDir,
    ready,
    databasePid,
    serverPid: () => (app && !isGone(app) ? (app.pid ?? 0) : 0),
    output: () => output,
    async start() {
      output = '';
      app = spawn(findNode(), [join(ROOT, 'server', 'main.ts')], {
        cwd: ROOT,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: {
          PATH: process.env.PATH,
          SystemRoot: process.env.SystemRoot,
          NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
          PORT: String(port),
          PUBLIC_URL: url,
          DATA_DIR: dataDir,
          ADMIN_EMAIL: ADMIN.email,
          ADMIN_PASSWORD: ADMIN.password,
          SAMPLE_COMMUNITY: 'off',
          AUTH_ATTEMPTS_PER_MINUTE: '0',
          WRITES_PER_MINUTE: '0',
          LOG_LEVEL: 'warn',
          ...env,
        },
      });
      const keep = (chunk: Buffer) => {
        output += chunk.toString();
      };
      app.stdout?.on('data', keep);
      app.stderr?.on('data', keep);
      await ready();
    },
    async kill(what) {
      const pid = databasePid();
      if (what !== 'server' && pid > 0) process.kill(pid, 'SIGKILL');
      if (what !== 'database') await end('SIGKILL');
    },
    stop: () => end('SIGTERM'),
    remove: () => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 }),
  };
}
