/**
 * Requests that pages of other sites can make a signed-in browser send (CSRF): every call that writes, by both transports,
 * with every origin, content type and method that is not our own page's. None of them changes a row.
 */
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createHttp } from '#server/http/http.ts';
import { REST_TABLE } from '#server/http/rest/read-operations.ts';
import { query, sql } from '#server/schema/query.ts';
import { OPERATIONS } from '#tests/api/http/operations.ts';
import { givenReach, type Reach } from '#tests/fuzz/reach.ts';
import { cookieFor } from '#tests/fuzz/twins.ts';
import { takeDigest } from '#tests/harness/digest.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { restRequest, toJson, TRANSPORTS, type Transport } from '#tests/harness/transports.ts';

let service: Service;
let reach: Reach;
/** address of the service; that of the test's careless server for its own attacks */
let site: string;
beforeAll(async () => {
  service = await startService();
  reach = await givenReach(service);
  site = service.url;
});
afterAll(() => service.stop());

const agent = new Agent({ keepAlive: true, maxSockets: 8 });
afterAll(() => agent.destroy());

type Headers = Record<string, string>;
interface Call {
  method: string;
  path: string;
  headers?: Headers;
  body?: string;
}

function send({ method, path, headers = {}, body }: Call): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request(`${site}${path}`, { method, agent, headers }, (incoming) => {
      incoming.on('end', () => resolve(incoming.statusCode ?? 0)).resume();
    });
    outgoing.on('error', reject).end(body);
  });
}

/** Everything that a call may change, sessions and attempts included; not that an account was seen. */
async function takeState(): Promise<Record<string, string>> {
  const [rest] = await query<Record<string, string>>(
    service.app.orm.em.fork(),
    sql`select (select count(*) || ':' || coalesce(sum(hashtext(id)), 0) from session) as sessions,
               (select count(*)::text from attempt) as attempts`,
  );
  return { ...(await takeDigest(service)), ...rest };
}

const JSON_TYPE = { 'content-type': 'application/json' };
const port = () => new URL(service.url).port;

/** What another site can choose: the headers, as browsers send them from there. */
const FOREIGN: Record<string, () => Headers> = {
  'without an origin': () => ({}),
  'from another site': () => ({ origin: 'https://evil.example' }),
  'from a sandboxed frame': () => ({ origin: 'null' }),
  'from a subdomain': () => ({ origin: `http://evil.localhost:${port()}` }),
  'from another port': () => ({ origin: 'http://localhost:1' }),
  'by another scheme': () => ({ origin: `https://localhost:${port()}` }),
  'from a name that begins like ours': () => ({ origin: `${service.url}.evil.example` }),
  'from our address with a path': () => ({ origin: `${service.url}/` }),
  'from two origins': () => ({ origin: `${service.url}, https://evil.example` }),
  'with our address as referrer only': () => ({ referer: `${service.url}/` }),
  'that the browser calls cross-site': () => ({ origin: service.url, 'sec-fetch-site': 'cross-site' }),
  'that the browser calls same-site': () => ({ origin: service.url, 'sec-fetch-site': 'same-site' }),
  'that the browser calls nobody’s': () => ({ origin: service.url, 'sec-fetch-site': 'none' }),
  'with a token that nobody has': () => ({ origin: 'https://evil.example', authorization: 'Bearer nothing' }),
  'with a password': () => ({ origin: 'https://evil.example', authorization: 'Basic YTpi' }),
};
/** What a form can send, even if the origin were believed. */
const FORMS: Record<string, Headers> = {
  'as text': { 'content-type': 'text/plain' },
  'as a form': { 'content-type': 'application/x-www-form-urlencoded' },
  'as a form with files': { 'content-type': 'multipart/form-data; boundary=x' },
  'as bytes': { 'content-type': 'application/octet-stream' },
  'as text with parameters': { 'content-type': 'text/plain; application/json' },
  'as several types': { 'content-type': 'text/plain, application/json' },
  'without a type': {},
};
const OVERRIDES: Headers = {
  'x-http-method-override': 'DELETE',
  'x-http-method': 'DELETE',
  'x-method-override': 'DELETE',
};

const WRITES = REST_TABLE.filter(([method]) => method !== 'get').map(([, , procedure]) => procedure);

/** The call as our own page sends it, with everything that makes it succeed except the origin. */
async function callOf(procedure: string, transport: Transport): Promise<Call & { cookie: string }> {
  const once = reach.once[procedure];
  const stated = typeof once?.input === 'function' ? once.input() : once?.input;
  const input = stated ?? OPERATIONS[procedure]?.input(reach.world.subject);
  const session = await cookieFor(service, once?.as ?? reach.world.subject.id);
  const cookie = once?.cookie === undefined ? session : `${session}; ${once.cookie}`;
  if (transport === 'trpc') {
    return { method: 'POST', path: `/trpc/${procedure}`, body: input === undefined ? '{}' : toJson(input), cookie };
  }
  const { method, path, body } = restRequest(procedure, input);
  return { method: method.toUpperCase(), path: `/api/v1${path}`, cookie, ...(body === undefined ? {} : { body }) };
}

/** Every attack on a call. @returns [how, status], and what has changed afterwards */
async function attack(procedure: string, transport: Transport) {
  const { method, path, cookie, body } = await callOf(procedure, transport);
  const typed: Headers = body === undefined ? {} : JSON_TYPE;
  const attacks: [how: string, call: Call][] = [
    ...Object.entries(FOREIGN).map(([how, headers]): [string, Call] => [
      how,
      { method, path, body, headers: { ...typed, ...headers() } },
    ]),
    ...(body === undefined
      ? []
      : Object.entries(FORMS).map(([how, type]): [string, Call] => [
          how,
          { method, path, body, headers: { origin: service.url, ...type } },
        ])),
    ['as a page', { method: 'GET', path, headers: {} }],
    ['as a page with another method in a header', { method: 'GET', path, headers: OVERRIDES }],
    [
      'as a page with another method in its address',
      { method: 'GET', path: `${path}?_method=${method}&${new URLSearchParams({ input: body ?? '{}' })}`, headers: {} },
    ],
    ['as a request for headers', { method: 'HEAD', path, headers: {} }],
    [
      'as a form with another method',
      {
        method: 'POST',
        path,
        body: body ?? '',
        headers: {
          ...FORMS['as a form'],
          origin: 'https://evil.example',
          ...OVERRIDES,
          'x-http-method-override': method,
        },
      },
    ],
  ];
  const before = await takeState();
  const found: [how: string, status: number][] = [];
  for (const [how, call] of attacks) found.push([how, await send({ ...call, headers: { ...call.headers, cookie } })]);
  const after = await takeState();
  return { found, changed: Object.keys(after).filter((table) => after[table] !== before[table]) };
}

const REFUSED = new Set([400, 401, 403, 404, 405, 415]);

describe.each(TRANSPORTS)('by %s', (transport) => {
  test('no call that writes can be made from elsewhere', async () => {
    const faults: string[] = [];
    for (const procedure of WRITES) {
      const { found, changed } = await attack(procedure, transport);
      // the same address may have a read, which another site can ask for but not see
      const isRead = (how: string) => /^as a (?:page|request)/.test(how);
      const accepted = found.filter(
        ([how, status]) => !REFUSED.has(status) && !(isRead(how) && [200, 204].includes(status)),
      );
      faults.push(...accepted.map(([how, status]) => `${procedure} ${how}: ${status}`));
      if (changed.length > 0) faults.push(`${procedure} changed ${changed.join(', ')}`);
    }
    expect(WRITES.length).toBeGreaterThan(80);
    expect(faults).toEqual([]);
  }, 180_000);
});

/** Reads that note that they were made; another site can cause that, and gains nothing. */
const NOTED: Readonly<Record<string, readonly string[]>> = {
  // that the pilot has read the inbox, or the order
  'pilot.inbox': ['public.app_user', 'public.roster_change'],
  'pilot.order': ['public.frag_order', 'public.roster_change'],
  // the first one creates the server's key
  'pilot.push.key': ['public.server_secret'],
};

test('no call that reads changes anything but when it was made', async () => {
  const cookie = await cookieFor(service, reach.world.subject.id);
  const faults: string[] = [];
  for (const [, , procedure] of REST_TABLE.filter(([method]) => method === 'get')) {
    const input = OPERATIONS[procedure]?.input(reach.world.subject);
    const rest = `/api/v1${restRequest(procedure, input).path}`;
    const trpc = `/trpc/${procedure}${input === undefined ? '' : `?input=${encodeURIComponent(toJson(input))}`}`;
    const before = await takeState();
    for (const path of [rest, trpc]) await send({ method: 'GET', path, headers: { cookie } });
    const after = await takeState();
    const changed = Object.keys(after).filter(
      (table) => after[table] !== before[table] && !NOTED[procedure]?.includes(table),
    );
    if (changed.length > 0) faults.push(`${procedure} changed ${changed.join(', ')}`);
  }
  expect(faults).toEqual([]);
});

test('a server that believes another origin is found', async () => {
  const careless = createServer(
    createHttp(service.app, { publicUrl: 'https://evil.example', clientDist: null, isReady: () => true }),
  );
  await new Promise<void>((resolve) => careless.listen(0, '127.0.0.1', resolve));
  site = `http://127.0.0.1:${(careless.address() as AddressInfo).port}`;
  try {
    const { found, changed } = await attack('auth.endOtherSessions', 'rest');
    expect(found.find(([how]) => how === 'from another site')).toEqual(['from another site', 200]);
    expect(changed).toContain('sessions');
  } finally {
    site = service.url;
    careless.closeAllConnections();
    careless.close();
  }
});
