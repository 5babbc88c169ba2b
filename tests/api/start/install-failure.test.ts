/** Starts that fail before the server runs: each ends with code 1 and a last line that names the remedy. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { ROOT } from '#server/cli/programs.js';

const OFFLINE =
  'npm cannot reach its registry: connect this machine to the network, or tell npm its proxy (`npm config set proxy …`), and start again.';
const REFUSED =
  'The registry refused a package: set npm to one that has them all (`npm config set registry …`) and start again.';
const NO_NPM = 'There is no npm on this machine: install Node.js with npm from https://nodejs.org and start again.';

let copies: string[] = [];
afterEach(() => {
  for (const copy of copies) rmSync(copy, { recursive: true, force: true });
  copies = [];
});

/** A fresh clone, as far as a start reads it before the packages are there. */
function freshClone(): string {
  const copy = mkdtempSync(join(tmpdir(), 'marshal-install-'));
  copies.push(copy);
  for (const name of ['package.json', 'package-lock.json', 'tsconfig.json']) cpSync(join(ROOT, name), join(copy, name));
  const isSource = (path: string) => !path.includes('node_modules');
  cpSync(join(ROOT, 'server', 'cli'), join(copy, 'server', 'cli'), {
    recursive: true,
    filter: (path) => isSource(path.slice(ROOT.length)),
  });
  return copy;
}

/** Facts of another machine, which its Node would say. */
function pretend(copy: string, facts: { node?: string; arch?: string }): string[] {
  const path = join(copy, 'facts.mjs');
  const lines = [
    facts.node && `Object.defineProperty(process.versions, 'node', { value: '${facts.node}' });`,
    facts.arch && `Object.defineProperty(process, 'arch', { value: '${facts.arch}' });`,
  ];
  writeFileSync(path, lines.join('\n'));
  return ['--import', path];
}

async function start(copy: string, env: Record<string, string> = {}, options: string[] = []) {
  const args = [...options, join('server', 'cli', 'go.js'), 'server/cli/start.js'];
  const child = spawn(process.execPath, args, {
    cwd: copy,
    env: {
      PATH: process.env.PATH,
      HOME: copy,
      npm_config_cache: join(copy, 'cache'),
      npm_config_fetch_retries: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  await once(child, 'close');
  return { code: child.exitCode, lastLine: output.trimEnd().split('\n').at(-1) };
}

test('no network', async () => {
  const closed = createServer().listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const { port } = closed.address() as AddressInfo;
  await new Promise((done) => closed.close(done));
  const env = { npm_config_registry: `http://127.0.0.1:${port}/` };
  expect(await start(freshClone(), env)).toEqual({ code: 1, lastLine: OFFLINE });
});

test('a registry that refuses: the packages, or already the pinned Node', async () => {
  const refusing = createServer((_request, response) => response.writeHead(403).end()).listen(0, '127.0.0.1');
  await once(refusing, 'listening');
  const env = { npm_config_registry: `http://127.0.0.1:${(refusing.address() as AddressInfo).port}/` };
  const copy = freshClone();
  expect(await start(copy, env)).toEqual({ code: 1, lastLine: REFUSED });
  const { code, lastLine } = await start(copy, env, pretend(copy, { node: '20.0.0' }));
  expect(lastLine).toMatch(
    /^npm could not download node-\S+ [\d.]+: connect this machine to the network .* and start again\.$/,
  );
  expect(code).toBe(1);
  refusing.close();
});

test('no npm', async () => {
  expect(await start(freshClone(), { PATH: '' })).toEqual({ code: 1, lastLine: NO_NPM });
});

test('an old Node on a machine for which there is no ready-made one', async () => {
  const copy = freshClone();
  expect(await start(copy, {}, pretend(copy, { node: '22.1.0', arch: 's390x' }))).toEqual({
    code: 1,
    lastLine: `Marshal brings no Node.js for ${process.platform} on s390x, and this one is 22.1.0: install Node.js 26 or later from https://nodejs.org and start again.`,
  });
});

test('a Node older than the oldest', async () => {
  const copy = freshClone();
  expect(await start(copy, {}, pretend(copy, { node: '18.20.0' }))).toEqual({
    code: 1,
    lastLine:
      'This is Node.js 18.20.0; Marshal starts with 20 or later: install one from https://nodejs.org and start again.',
  });
});

test('a client that cannot be built', async () => {
  const copy = freshClone();
  mkdirSync(join(copy, 'node_modules'));
  symlinkSync(join(ROOT, 'node_modules', 'vite'), join(copy, 'node_modules', 'vite'), 'junction');
  for (const path of ['package-lock.json', join('node_modules', '.package-lock.json')]) {
    writeFileSync(join(copy, path), '{"packages":{}}');
  }
  mkdirSync(join(copy, 'client'));
  writeFileSync(join(copy, 'client', 'vite.config.ts'), 'export default {');
  expect(await start(copy)).toEqual({
    code: 1,
    lastLine:
      'The client could not be built: undo the change that the messages above name, or free memory and disk space, and start again.',
  });
});
