/**
 * What stays between runs of `npm test -- --changed` and `npm run test:watch`: a PostgreSQL, a TypeScript program that checks single
 * files, and a Vite that has loaded its plugins. The last two are made when they are first asked for. The process ends by
 * itself after an hour without a question.
 */
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { API, type Diagnostic } from 'typescript/unstable/async';
import { build, type InlineConfig, loadConfigFromFile, type Plugin } from 'vite';
import { ROOT } from '#server/cli/programs.js';
import { createLog } from '#server/platform/log.ts';
import { startThrowaway } from '#server/platform/postgres/embedded-throwaway.ts';
import { type Answers, CLIENT, fingerprintOf, madeOf, STATE, type State } from './standing-state.ts';

const IDLE_MS = 3_600_000;
/** Not in the folder of the run that starts this process, which ends with it; one for each checkout. */
const DATA = join(
  existsSync('/dev/shm') ? '/dev/shm' : tmpdir(),
  `marshal-standing-${createHash('sha256').update(ROOT).digest('hex').slice(0, 8)}`,
);
/** Parts of the build that no test of a screen needs, but those that `--changed` leaves out. */
const LEFT_OUT = /:(?:brotli-files|route-budgets|component-catalogue|landing-shell|service-worker)$/;
const CLIENT_SOURCES = ['client/src/**/*.{ts,tsx,css}', 'client/public/**/*.*', 'client/index.html', 'shared/**/*.ts'];
const PROJECT = join(ROOT, 'tsconfig.json');

/** Folders of the TypeScript program. */
const PROGRAM = ['client', 'server', 'shared', 'bot', 'migrations', 'tests'];
const SOURCE = /\.(?:[jt]sx?|json)$/;

process.env.NODE_ENV = 'production';
const database = await startThrowaway(createLog('error'), DATA);

let compiler: API | null = null;
/** When each file of the program was saved, at the last check. */
let saved = new Map<string, number>();

/** What has been saved, created and deleted since the last check. Also a file that is as before again is such a change. */
function listSaved() {
  const files = PROGRAM.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => SOURCE.test(file) && !file.includes('node_modules'))
      .map((file) => join(ROOT, folder, file)),
  );
  const now = new Map(files.map((file) => [file, statSync(file).mtimeMs]));
  const before = saved;
  saved = now;
  return {
    changed: files.filter((file) => before.has(file) && before.get(file) !== now.get(file)),
    created: files.filter((file) => !before.has(file)),
    deleted: [...before.keys()].filter((file) => !now.has(file)),
  };
}

/** Errors in the types of files. */
async function checkTypes(files: readonly string[]): Promise<Answers['types']> {
  const isFirst = compiler === null;
  compiler ??= new API({ cwd: ROOT });
  const fileChanges = listSaved();
  const snapshot = await compiler.updateSnapshot({ openProjects: [PROJECT], ...(isFirst ? {} : { fileChanges }) });
  const program = snapshot.getProjects()[0]?.program;
  if (!program) throw new Error('The TypeScript project could not be opened.');
  const found = await Promise.all(
    files.map(async (file) => {
      const path = join(ROOT, file);
      const [syntax, types] = await Promise.all([
        program.getSyntacticDiagnostics(path),
        program.getSemanticDiagnostics(path),
      ]);
      return [...syntax, ...types].map((diagnostic) => say(file, diagnostic));
    }),
  );
  return { errors: found.flat() };
}

function say(file: string, { pos, code, text: words }: Diagnostic): string {
  const line = readFileSync(join(ROOT, file), 'utf8').slice(0, pos).split('\n').length;
  return `${file}:${line} TS${code}: ${words}`;
}

let config: InlineConfig | null = null;
let built = '';

async function loadConfig(): Promise<InlineConfig> {
  const loaded = await loadConfigFromFile(
    { command: 'build', mode: 'production' },
    join('client', 'vite.config.ts'),
    ROOT,
  );
  if (!loaded) throw new Error('client/vite.config.ts could not be loaded.');
  const plugins = ([loaded.config.plugins] as unknown[]).flat(Infinity) as Plugin[];
  return {
    ...loaded.config,
    configFile: false,
    logLevel: 'error',
    plugins: plugins.filter((plugin) => !LEFT_OUT.test(plugin.name)),
    build: {
      ...loaded.config.build,
      outDir: CLIENT,
      emptyOutDir: true,
      minify: false,
      cssMinify: false,
      reportCompressedSize: false,
    },
  };
}

/** Build the client, if its sources differ from the last time. */
async function buildClient(): Promise<Answers['client']> {
  const sources = fingerprintOf(CLIENT_SOURCES);
  if (sources === built) return { error: null };
  config ??= await loadConfig();
  try {
    await build(config);
    built = sources;
    return { error: null };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

/** One question of a kind at a time: two builds would write the same files. */
function oneAtATime<Found>(find: (files: readonly string[]) => Promise<Found>) {
  let last: Promise<unknown> = Promise.resolve();
  return (files: readonly string[]): Promise<Found> => {
    const next = last.then(() => find(files));
    last = next.catch(() => undefined);
    return next;
  };
}

const ANSWERS: { [Name in keyof Answers]: (files: readonly string[]) => Promise<Answers[Name]> } = {
  types: oneAtATime(checkTypes),
  client: oneAtATime(buildClient),
  ping: () => Promise.resolve({}),
};

const secret = randomBytes(16).toString('hex');

async function answer(request: IncomingMessage): Promise<unknown> {
  const [, given, name = ''] = (request.url ?? '').split('/');
  if (given !== secret || !Object.hasOwn(ANSWERS, name)) throw new Error('There is no such question.');
  return ANSWERS[name as keyof Answers](JSON.parse(await text(request)));
}

const server = createServer((request, response) => {
  idle.refresh();
  answer(request).then(
    (found) => response.end(JSON.stringify(found)),
    (error: unknown) => response.writeHead(500).end(error instanceof Error ? error.message : String(error)),
  );
});

async function end(): Promise<void> {
  rmSync(STATE, { force: true });
  await Promise.all([compiler?.close(), database.stop()]);
  process.exit(0);
}
const idle = setTimeout(() => void end(), IDLE_MS);
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => void end());

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  const { url, superuserUrl } = database;
  const state: State = {
    pid: process.pid,
    url: `http://127.0.0.1:${port}/${secret}`,
    made: madeOf(),
    database: { url, superuserUrl },
  };
  writeFileSync(STATE, JSON.stringify(state), { mode: 0o600 });
});
