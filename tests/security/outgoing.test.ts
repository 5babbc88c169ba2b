/**
 * Requests that the server makes by itself (SSRF): addresses of its own network in every notation, wherever an address can be
 * entered, and the list of the code that calls out.
 */
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { ROOT } from '#server/cli/programs.js';
import { query, sql } from '#server/schema/query.ts';
import { givenAdmin, type Person } from '#tests/harness/given.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { subscriptionInput } from './owned.ts';
import { givenTextFields } from './text-fields.ts';

/** The own machine, the own network and the metadata of clouds, in notations that parsers read differently. */
const INSIDE = [
  '127.0.0.1',
  '127.0.0.1.',
  '127.1',
  '127.0.1',
  '2130706433',
  '0x7f000001',
  '0x7f.0.0.1',
  '017700000001',
  '0177.0.0.1',
  '0177.0x0.0.1',
  '127.0.0.01',
  '127.127.127.127',
  '0',
  '0.0.0.0',
  '①②⑦.⓪.⓪.①',
  '127。0。0。1',
  '%31%32%37.0.0.1',
  '[::1]',
  '[::]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[2001:0:7f00:1::]',
  '[fe80::1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[ff02::1]',
  'localhost',
  'LOCALHOST.',
  'ⓛocalhost',
  'inner.localhost',
  'db.internal',
  'postgres',
  'printer.local',
  'router.lan',
  '10.0.0.7',
  '172.16.0.1',
  '192.168.1.1',
  '100.64.0.1',
  '100.100.100.200',
  '169.254.169.254',
  '2852039166',
  '0251.0376.0251.0376',
  '[::ffff:a9fe:a9fe]',
  'metadata.google.internal',
  '198.18.0.1',
  '192.0.2.1',
  '224.0.0.1',
  '255.255.255.255',
  'public.example@127.0.0.1',
  '127.0.0.1\\@public.example',
  '127.0.0.1#@public.example',
];

let reached = 0;
/** A service of the own network: it counts who connects. */
const inner = createServer((socket) => {
  reached += 1;
  socket.on('error', () => undefined).destroy();
});
let port: number;
let service: Service;
let admin: Person;
beforeAll(async () => {
  inner.listen(0, '::');
  await once(inner, 'listening');
  ({ port } = inner.address() as AddressInfo);
  service = await startService({ withJobs: true });
  admin = await givenAdmin(service);
});
afterAll(async () => {
  inner.close();
  await service.stop();
});

const events = ['mission.published'];
const ENTRANCES: Record<string, (url: string) => Promise<{ status: number }>> = {
  'a busy calendar': (url) => admin.client.call('POST', '/pilot/busy-calendars', { url }),
  'a webhook': (url) => admin.client.call('POST', '/admin/webhooks', { url, events }),
  'a device for notifications': (endpoint) =>
    admin.client.call('POST', '/pilot/push/subscriptions', { ...subscriptionInput(1), endpoint }),
};

describe.each(Object.entries(ENTRANCES))('the address of %s', (_what, enter) => {
  test.each(INSIDE)('is not %s', async (host) => {
    for (const url of [`https://${host}/`, `https://${host}:${port}/`, `http://${host}:${port}/`]) {
      expect((await enter(url)).status, url).toBe(400);
    }
  });
});

test('an address that an older release let in is judged again before each request', async () => {
  const em = service.app.orm.em.fork();
  const url = `http://127.0.0.1:${port}/`;
  await query(
    em,
    sql`insert into webhook (id, url, events, listens_since, secret, created_at, updated_at)
        values (gen_random_uuid(), ${url}, '{mission.published}', now(), 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', now(), now())`,
  );
  const { keys } = subscriptionInput(1);
  await query(
    em,
    sql`insert into push_subscription (id, user_id, endpoint, p256dh, auth, created_at)
        values (gen_random_uuid(), ${admin.id}, ${url}, ${keys.p256dh}, ${keys.auth}, now())`,
  );
  const [hook] = (await admin.client.call('GET', '/admin/webhooks')).body;
  await admin.client.call('POST', `/admin/webhooks/${hook.id}/test`);
  await vi.waitFor(async () => {
    const { body } = await admin.client.call('GET', `/admin/webhooks/${hook.id}/deliveries`);
    expect(body.deliveries[0].error).toMatch(/^The address must/);
  });
  await admin.client.call('POST', '/pilot/push/test');
  await nothingWaits();
  expect(reached).toBe(0);
});

/** Until no job is due any more. */
const nothingWaits = () =>
  expect
    .poll(
      () =>
        query(
          service.app.orm.em.fork(),
          sql`select task_identifier from graphile_worker.jobs where run_at <= now() and attempts < max_attempts`,
        ),
      { timeout: 20_000 },
    )
    .toEqual([]);

test('no other text makes the server connect to the address in it', async () => {
  for (const { send } of await givenTextFields(service)) {
    await send(`https://localhost:${port}/x`);
    await send(`http://127.0.0.1:${port}/x`);
  }
  await nothingWaits();
  expect(reached).toBe(0);
}, 120_000);

test('a sender without checks reaches the service', async () => {
  const before = reached;
  for (const host of ['127.1', '0x7f000001', '[::1]', '0']) {
    await new Promise((resolve) => {
      request(`http://${host}:${port}/`, { agent: false }).on('error', resolve).end();
    });
  }
  expect(reached - before).toBe(4);
});

/** The code that connects to other machines, with where the address comes from. */
const CALLERS: Readonly<Record<string, string>> = {
  'server/availability/busy/fetch-calendar.ts': 'pilots; judged and resolved before each request and each redirect',
  'server/backup/stores.ts': 'the settings',
  'server/cli/dev.ts': 'its own server, on this machine',
  'server/cli/doctor-checks.ts': 'the settings',
  'server/discord/discord-client.ts': 'Discord’s fixed address, or the settings',
  'server/discord/sign-in/oauth.ts': 'Discord’s fixed address, or the settings',
  'server/delivery/mail/transport.ts': 'the settings',
  'server/platform/traces.ts': 'the settings',
  'server/delivery/push/push-sender.ts': 'browsers; only known push services, judged before each request',
  'server/delivery/webhooks/post-webhook.ts': 'admins; judged and resolved before each request',
};
const CALLS_OUT =
  /\bfetch\(|import \{[^}]*\b(?:request|connect|get)\b[^}]*\} from 'node:(?:http|https|net|tls|http2)'|'(?:nodemailer|aws4fetch|@discordjs\/rest|oauth4webapi|@opentelemetry\/exporter-trace-otlp-http)'/;

function findCallers(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.ts'))
    .filter((path) => CALLS_OUT.test(readFileSync(join(ROOT, path), 'utf8')));
}

test('only the code of this list connects to other machines', () => {
  expect(findCallers('server').toSorted()).toEqual(Object.keys(CALLERS).toSorted());
  expect(CALLS_OUT.test("const answer = await fetch(url, { redirect: 'follow' });")).toBe(true);
  expect(CALLS_OUT.test("import { Agent, request } from 'node:https';")).toBe(true);
});
