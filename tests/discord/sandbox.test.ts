/** The sandbox as a program: it starts everything, serves its own page only, and cleans up. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { request } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { planSampleGuilds } from '#server/cli/sample/sample-guilds.ts';
import { startEmulator } from './emulator/start.ts';
import type { Emulator } from './emulator/types.ts';
import { startSandboxPage, type SandboxPage } from './sandbox/page.ts';
import type { SandboxState } from './sandbox/state.ts';
import { addSampleWorld } from './sandbox/world.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const START_MS = 100_000;

let emulator: Emulator;
let page: SandboxPage;

beforeAll(async () => {
  emulator = await startEmulator();
  page = await startSandboxPage({ emulator, world: addSampleWorld(emulator), siteUrl: 'http://localhost:3000' });
});
afterAll(async () => {
  await page.stop();
  const violations = [...emulator.violations];
  await emulator.stop();
  expect(violations).toEqual([]);
});

/** With any header, as a browser that was led astray would send it. */
async function ask(method: string, path: string, headers: Record<string, string>, body = ''): Promise<number> {
  const call = request(`${page.url}${path}`, { method, headers });
  call.end(body);
  const [response] = await once(call, 'response');
  response.resume();
  return response.statusCode;
}

test('only its own page on its own host can act', async () => {
  const { host } = new URL(page.url);
  const drop = JSON.stringify({ kind: 'drop gateway' });
  expect(await ask('POST', '/fault', { host, origin: page.url }, drop)).toBe(200);
  expect(await ask('POST', '/fault', { host, origin: 'https://evil.example' }, drop)).toBe(403);
  expect(await ask('POST', '/fault', { host }, drop)).toBe(403);
  expect(await ask('GET', '/state', { host: 'evil.example' })).toBe(403);
  expect(await ask('POST', '/fault', { host, origin: page.url }, '{"kind":"all of it"}')).toBe(400);
  expect(await ask('POST', '/fault', { host, origin: page.url }, '{')).toBe(400);
  expect(await ask('GET', '/../package.json', { host })).toBe(404);
});

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

test(
  'one command starts Marshal with its bot and the sample community, and a signal ends all of it',
  async () => {
    const [sitePort, pagePort] = [await freePort(), await freePort()];
    const dataDir = join(ROOT, '.data', 'sandbox', String(pagePort));
    const sandbox = spawn(process.execPath, [join(ROOT, 'tests', 'discord', 'sandbox', 'main.ts')], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        PORT: String(sitePort),
        SANDBOX_PORT: String(pagePort),
        // a real one in the caller's settings must not be used
        DISCORD_TOKEN: 'a real token',
        DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/real',
      },
    });
    const ended = once(sandbox, 'exit');
    try {
      let output = '';
      for (const stream of [sandbox.stdout, sandbox.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
      await vi.waitFor(() => expect(output).toContain(`Discord sandbox: http://localhost:${pagePort}`), {
        timeout: START_MS,
        interval: 100,
      });
      expect(output).toContain(`Marshal is ready: http://127.0.0.1:${sitePort}`);
      expect(output).toMatch(/admin {3}\S+ {3}\S+/);
      expect((await fetch(`http://localhost:${sitePort}/readyz`)).status).toBe(200);

      const look = async (place: string) =>
        (await (await fetch(`http://localhost:${pagePort}/state?as=${vesper}&at=${place}`)).json()) as SandboxState;
      const [wing] = planSampleGuilds();
      const vesper = wing?.members.find(({ name }) => name === 'vesper')?.id ?? '';
      const inChannel = await look(wing?.channels[0]?.id ?? '');
      expect(inChannel.connections).toBe(1);
      expect(inChannel.commands.map(({ name }) => name)).toContain('register');
      // a linked pilot of the sample community has their orders as direct messages
      await vi.waitFor(async () => expect((await look('dm')).directCount).toBeGreaterThan(0), { timeout: 20_000 });
      // and its missions stand in the calendars of the servers that allow it
      await vi.waitFor(async () => expect((await look('dm')).guilds.flatMap(({ events }) => events)).not.toEqual([]), {
        timeout: 20_000,
      });
      expect((await look('dm')).violations).toEqual([]);
      expect(existsSync(dataDir)).toBe(true);

      sandbox.kill('SIGTERM');
      expect(await ended).toEqual([0, null]);
      expect(existsSync(dataDir)).toBe(false);
      await expect(fetch(`http://localhost:${sitePort}/readyz`)).rejects.toThrow();
    } finally {
      sandbox.kill('SIGTERM');
      await ended;
    }
  },
  START_MS + 60_000,
);
