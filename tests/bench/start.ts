/**
 * Benchmark of the start, `npm run bench -- start`: from `npm start` until `/readyz` answers, with the embedded PostgreSQL; with
 * a new database, also with the sample community that a first start shows, and with one that exists. The first start, which may build the client, is not measured.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { figure, hashAnswer, measured, type Report } from './report.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const isTiny = process.argv.includes('--tiny');
const STARTS = isTiny ? 1 : 7;
const PATIENCE_MS = 300_000;
const BARS = { warmMs: 1_500, emptyMs: 4_000 };
const POLL_MS = 10;

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** A folder that the unprivileged user of the database may enter: the one of root is closed to others. */
function makeFolder(): string {
  const folder = mkdtempSync(join(process.getuid?.() === 0 ? '/tmp' : tmpdir(), 'marshal-start-'));
  chmodSync(folder, 0o711);
  return folder;
}

async function stop(program: ChildProcess): Promise<void> {
  const ended = once(program, 'exit');
  program.kill('SIGTERM');
  await ended;
}

/** Start once and stop. @returns ms until it is ready */
async function start(dataDir: string, env: Record<string, string> = {}): Promise<number> {
  const port = await findFreePort();
  const url = `http://localhost:${port}`;
  const began = performance.now();
  const program = spawn('npm', ['start'], {
    cwd: ROOT,
    stdio: 'ignore',
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: String(port),
      PUBLIC_URL: url,
      DATA_DIR: dataDir,
      ...env,
    },
  });
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      ({ status }) => status === 200,
      () => false,
    );
  while (!(await isReady())) {
    if (program.exitCode !== null || performance.now() - began > PATIENCE_MS) throw new Error('Marshal did not start');
    await pause(POLL_MS);
  }
  const ms = performance.now() - began;
  await stop(program);
  return ms;
}

function reportOf(size: string, times: readonly number[], barMs: number): Report {
  const all = measured(times);
  return {
    name: 'start',
    seed: 0,
    size,
    ...all,
    gap: 0,
    more: { slowest: figure(Math.max(...times)) },
    answerHash: hashAnswer(size),
    bar: `median < ${barMs} ms`,
    barMet: all.median < barMs,
    ok: true,
  };
}

const folders: string[] = [];
function makeFresh(): string {
  const folder = makeFolder();
  folders.push(folder);
  return folder;
}

try {
  const used = makeFresh();
  await start(used);
  const warm: number[] = [];
  const empty: number[] = [];
  const withSample: number[] = [];
  for (let round = 0; round < STARTS; round += 1) {
    warm.push(await start(used));
    empty.push(await start(makeFresh(), { SAMPLE_COMMUNITY: 'off' }));
    withSample.push(await start(makeFresh()));
  }
  const reports = [
    reportOf('npm start, warm', warm, BARS.warmMs),
    reportOf('npm start, empty database', empty, BARS.emptyMs),
    reportOf('npm start, empty database, with the sample community', withSample, BARS.emptyMs),
  ];
  for (const report of reports) process.stdout.write(`${JSON.stringify(report)}\n`);
} finally {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
