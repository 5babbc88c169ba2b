/**
 * The development server, with one address: Vite serves the client with hot reload at PORT and proxies calls to the server
 * at PORT + 1. The embedded database stays up in this process; the server starts again whenever one of its files changes.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, relative, sep } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createServer } from 'vite';
import { readEnv } from '#server/platform/env.ts';
import { createLog } from '#server/platform/log.ts';
import { startEmbedded } from '#server/platform/postgres/embedded.ts';
import { explainDataDir } from '#server/platform/start-failure.ts';
import type { Word } from './dev-server.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const PASSED_ON = ['/trpc', '/api', '/healthz', '/readyz'];
/** Folders whose files the server runs. */
const WATCHED = ['server', 'shared', 'migrations'];
const CODE = /\.(ts|js|json|lua)$/;
/** The code of the packages is kept while the process waits, and fewer garbage collections interrupt the loading. */
const FLAGS = ['--no-flush-bytecode', '--max-semi-space-size=32'];
/** Several files are saved at a time. */
const SETTLE_MS = 30;
const LOOK_MS = 50;
/** The server ends within this time, or is killed: whoever develops does not wait for open streams. */
const PATIENCE_MS = 300;

const env = readEnv();
const serverPort = env.PORT + 1;
const serverUrl = `http://127.0.0.1:${serverPort}`;

const embedded =
  env.DATABASE_URL === undefined
    ? await startEmbedded({ dataDir: env.DATA_DIR, log: createLog(env.LOG_LEVEL) }).catch((error: unknown) => {
        process.stderr.write(`${explainDataDir(error, env.DATA_DIR).message}\n`);
        process.exit(1);
      })
    : null;

const vite = await createServer({
  configFile: join(ROOT, 'client', 'vite.config.ts'),
  server: {
    host: env.HOST,
    port: env.PORT,
    strictPort: true,
    proxy: Object.fromEntries(PASSED_ON.map((path) => [path, { target: serverUrl }])),
  },
});

/** The server, and a process that has loaded the packages and becomes the server after the next save. */
let server: ChildProcess | null = null;
let spare: ChildProcess | null = null;
let isStopping = false;
/** Files that were saved since the spare began to load: a save during a restart leads to another restart. */
let saved = new Set<string>();
let restarting: Promise<void> | null = null;

function prepare(): ChildProcess {
  return spawn(process.execPath, [...FLAGS, join(ROOT, 'server', 'cli', 'dev-server.ts')], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: {
      ...process.env,
      NODE_ENV: 'development',
      // stripped types and compiled code of the files that have not changed
      NODE_COMPILE_CACHE: join(ROOT, 'node_modules', '.cache', 'marshal-dev'),
      HOST: '127.0.0.1',
      PORT: String(serverPort),
      PUBLIC_URL: process.env.PUBLIC_URL ?? `http://localhost:${env.PORT}`,
      DATA_DIR: env.DATA_DIR,
      SAMPLE_COMMUNITY: env.SAMPLE_COMMUNITY ? 'on' : 'off',
      ...(embedded && { DATABASE_URL: embedded.url }),
    },
  });
}

/** Start the server, or start it again: it loads while the one before ends. */
async function start(): Promise<void> {
  const before = server;
  const next = spare ?? prepare();
  spare = null;
  server = next;
  tell(next, { load: [...saved] });
  saved = new Set();
  await end(before);
  tell(next, 'serve');
  void prepareAfter(next);
}

/** A process that has failed hears nothing. */
function tell(child: ChildProcess, word: Word): void {
  if (child.connected) child.send(word, () => undefined);
}

/** The next spare is made when the server answers or has failed, so that it does not keep the processor from it. */
async function prepareAfter(started: ChildProcess): Promise<void> {
  const isNeeded = () => server === started && !isStopping;
  while (isNeeded() && started.exitCode === null) {
    if (await fetch(`${serverUrl}/healthz`).catch(() => null)) break;
    await pause(LOOK_MS);
  }
  if (isNeeded()) spare = prepare();
}

async function end(child: ChildProcess | null): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const impatience = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  await ended;
  clearTimeout(impatience);
}

async function restart(): Promise<void> {
  while (saved.size > 0) {
    await pause(SETTLE_MS);
    if (isStopping) return;
    await start();
  }
}

async function stop(code = 0): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  await restarting;
  await Promise.all([end(server), end(spare)]);
  await Promise.all([vite.close(), embedded?.stop()]);
  process.exit(code);
}
process.on('SIGINT', () => void stop());
process.on('SIGTERM', () => void stop());

// Vite's watcher, unlike `node --watch`, also follows a file that an editor replaces by another one
vite.watcher.add(WATCHED.map((folder) => join(ROOT, folder)));
vite.watcher.on('all', (event, path) => {
  const [folder = ''] = relative(ROOT, path).split(sep);
  if (event.endsWith('Dir') || !WATCHED.includes(folder) || !CODE.test(path)) return;
  saved.add(path);
  restarting ??= restart().finally(() => {
    restarting = null;
  });
});

await start();
await vite.listen();
vite.printUrls();
