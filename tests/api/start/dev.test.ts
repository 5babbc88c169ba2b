/** `npm run dev` in a copy of the checkout: every save is served, however an editor writes it, and the database stays up. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ROOT } from '#server/cli/programs.js';
import { inDrill } from '#tests/harness/drills.ts';

const COPIED = ['server', 'shared', 'client', 'bot', 'migrations', 'package.json', 'tsconfig.json', '.env.example'];
const PATIENCE_MS = 60_000;
const POSTMASTER = '.data/postgres/data/postmaster.pid';
const SAVES = inDrill(20, 3);

let folder: string;
let program: ChildProcess;
let output = '';
let url: string;

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const listens = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => resolve(true));
  });
  server.close();
  return listens;
}

/** Two ports in a row, Vite's and the server's; below those that systems give to outgoing connections, which would take them. */
async function findPorts(): Promise<number> {
  for (let tries = 0; tries < 50; tries += 1) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    if ((await isFree(port)) && (await isFree(port + 1))) return port;
  }
  throw new Error('no two free ports in a row');
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'marshal-dev-'));
  // root runs PostgreSQL as another user, who has to get to it
  chmodSync(folder, 0o755);
  const isSource = (path: string): boolean => !/[\\/](?:node_modules|dist)$/.test(path);
  for (const name of COPIED) cpSync(join(ROOT, name), join(folder, name), { recursive: true, filter: isSource });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
  const port = await findPorts();
  url = `http://127.0.0.1:${port + 1}`;
  program = spawn(process.execPath, [join(folder, 'server', 'cli', 'dev.ts')], {
    cwd: folder,
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: join(folder, '.data'),
      DATABASE_URL: '',
      SAMPLE_COMMUNITY: 'off',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [program.stdout, program.stderr]) stream?.on('data', (chunk) => (output += String(chunk)));
  await served('Not found');
}, 2 * PATIENCE_MS);

afterAll(async () => {
  const ended = once(program, 'exit');
  program.kill('SIGTERM');
  await ended;
  rmSync(folder, { recursive: true, force: true });
});

/** Waits until the server says this sentence about an unknown path. */
async function served(sentence: string): Promise<void> {
  await vi.waitFor(
    async () => {
      const answer = await fetch(`${url}/api/v1/nothing`).catch(() => null);
      expect((await answer?.json())?.message, output.slice(-2000)).toBe(sentence);
    },
    { timeout: PATIENCE_MS, interval: 20 },
  );
}

/** The process of the embedded PostgreSQL, by its lock file. */
const postmaster = (): string => readFileSync(path(POSTMASTER), 'utf8').split('\n', 1)[0] ?? '';

const path = (file: string): string => join(folder, ...file.split('/'));
const TEXTS = 'shared/fixed-text.ts';
const read = (file: string): string => readFileSync(path(file), 'utf8');
const withSentence = (sentence: string): string =>
  read(TEXTS).replace(/export const notFound = .*;/, `export const notFound = '${sentence}';`);
const write = (file: string, text: string): void => writeFileSync(path(file), text);
/** As `sed -i`, vim and the editors of JetBrains save: another file takes the place of the first. */
function replace(file: string, text: string): void {
  writeFileSync(path(`${file}.new`), text);
  renameSync(path(`${file}.new`), path(file));
}

test.each([
  ['written', write],
  ['replaced', replace],
])(
  'every save of a file that is %s is served',
  async (way, save) => {
    for (let turn = 1; turn <= SAVES; turn += 1) {
      save(TEXTS, withSentence(`${way} ${turn}`));
      await served(`${way} ${turn}`);
    }
  },
  SAVES * PATIENCE_MS,
);

test(
  'a save during a restart, a new file and a mended mistake are served, by one database',
  async () => {
    const server = postmaster();
    replace(TEXTS, withSentence('first'));
    await vi.waitFor(() => expect(output).toMatch(/"msg":"stopping"/), { timeout: PATIENCE_MS, interval: 5 });
    replace(TEXTS, withSentence('second'));
    await served('second');

    write('shared/new-words.ts', "export const notFound = 'from a new file';\n");
    replace(TEXTS, read(TEXTS).replace(/export const notFound = .*;/, "export { notFound } from './new-words.ts';"));
    await served('from a new file');
    replace('shared/new-words.ts', 'export const notFound = ;\n');
    await vi.waitFor(() => expect(output).toMatch(/SyntaxError|ERR_INVALID_TYPESCRIPT_SYNTAX/), {
      timeout: PATIENCE_MS,
    });
    write('shared/new-words.ts', "export const notFound = 'mended';\n");
    await served('mended');
    expect(postmaster()).toBe(server);
  },
  5 * PATIENCE_MS,
);
