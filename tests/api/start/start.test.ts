import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { ensureClient, FEW_ARENAS, SMALL_HEAP } from '#server/cli/bootstrap.js';
import { createTestDatabase, type TestDatabase } from '#tests/harness/database.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const START = join(ROOT, 'server', 'cli', 'start.js');
const START_MS = 60_000;

let database: TestDatabase;
let programs: Program[] = [];

type Program = { process: ChildProcess; output: () => string; ended: Promise<number | null> };

beforeAll(async () => {
  database = await createTestDatabase();
  // Two builds at once would meet in one directory.
  await ensureClient();
}, 120_000);

afterEach(async () => {
  for (const program of programs) program.process.kill('SIGKILL');
  await Promise.all(programs.map(({ ended }) => ended));
  programs = [];
});

afterAll(() => database.drop());

function run(file: string, args: string[], env: Record<string, string> = {}): Program {
  const child = spawn(file, args, {
    cwd: ROOT,
    env: {
      ...process.env,
      DATABASE_URL: database.url,
      PORT: '0',
      PUBLIC_URL: 'http://localhost:3000',
      npm_lifecycle_event: '',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += String(chunk)));
  const program = { process: child, output: () => output, ended: once(child, 'close').then(() => child.exitCode) };
  programs.push(program);
  return program;
}

/** The process that serves, as its own `ready` line names it. */
async function readyPid({ output }: Program): Promise<number> {
  const ready = () => /^\{.*"pid":(\d+).*"msg":"ready"\}/m.exec(output())?.[1];
  await vi.waitFor(() => expect(ready(), output()).toBeDefined(), { timeout: START_MS, interval: 50 });
  return Number(ready());
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('npm start', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)('ends with code 0 on %s', async (signal) => {
    const program = run(process.execPath, [START]);
    await readyPid(program);
    program.process.kill(signal);
    expect(await program.ended).toBe(0);
  });

  /** A server that is stopped while a client keeps a connection: it waits some seconds for the next request. */
  async function givenStopping(signal: NodeJS.Signals): Promise<{ program: Program; hangUp: () => void }> {
    const program = run(process.execPath, [START]);
    await readyPid(program);
    const port = Number(/"port":(\d+)/.exec(program.output())?.[1]);
    const agent = new Agent({ keepAlive: true });
    const [answer] = await once(get({ port, path: '/healthz', agent }), 'response');
    answer.resume();
    await once(answer, 'end');
    program.process.kill(signal);
    await vi.waitFor(() => expect(program.output()).toContain('"msg":"stopping"'));
    return { program, hangUp: () => agent.destroy() };
  }

  test('counts a Ctrl-C that npm forwards as the same one', async () => {
    const { program, hangUp } = await givenStopping('SIGINT');
    program.process.kill('SIGINT');
    hangUp();
    expect(await program.ended).toBe(0);
  });

  test('ends at once on a second SIGTERM', async () => {
    const { program, hangUp } = await givenStopping('SIGTERM');
    program.process.kill('SIGTERM');
    expect(await program.ended).toBe(1);
    hangUp();
  });

  test.runIf(process.platform === 'linux')(
    'serves in its own process, with the settings that save memory',
    async () => {
      const program = run(process.execPath, [START]);
      const pid = await readyPid(program);
      expect(pid).toBe(program.process.pid);
      const [args, env] = ['cmdline', 'environ'].map((name) =>
        readFileSync(`/proc/${pid}/${name}`, 'utf8').split('\0'),
      );
      expect(args).toEqual(expect.arrayContaining(SMALL_HEAP));
      expect(env).toContain(`MALLOC_ARENA_MAX=${FEW_ARENAS.MALLOC_ARENA_MAX}`);
    },
  );

  test('ends with code 1 and one sentence when a variable is wrong', async () => {
    const program = run(process.execPath, [START], { PORT: 'http' });
    expect(await program.ended).toBe(1);
    expect(program.output()).toBe('PORT must be a whole number from 0 to 65535 (it is "http").\n');
  });

  test.runIf(process.platform !== 'win32')('stops when the shell that npm runs it in is gone', async () => {
    // The second command keeps the shell from becoming the program.
    const program = run('/bin/sh', ['-c', `"${process.execPath}" "${START}"; true`], { npm_lifecycle_event: 'start' });
    const pid = await readyPid(program);
    expect(pid).not.toBe(program.process.pid);
    program.process.kill('SIGTERM');
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: START_MS });
    expect(program.output()).toContain('"msg":"stopping"');
  });
});

describe('npm test', () => {
  test('names its steps when asked for one that does not exist', async () => {
    const program = run(process.execPath, [join(ROOT, 'tests', 'run.js'), 'smoke']);
    expect(await program.ended).toBe(1);
    expect(program.output()).toMatch(
      /^There is no step smoke; the steps are types, lint, .*, api, .*, ui, .*, and all\.\n$/,
    );
  });
});
