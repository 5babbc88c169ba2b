/** The bot's procedures: closed without the bot's credential, whatever other permissions a caller has. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { botRouter } from '#server/http/routers/bot.ts';
import { copy } from '#shared/copy.ts';
import { takeDigest } from '#tests/harness/digest.ts';
import { givenAdmin, givenPerson, type Person } from '#tests/harness/given.ts';
import { createClient, startService, type Service } from '#tests/harness/service.ts';

/** The procedures by name in a flat record, although their types are nested. */
const procedures = botRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>;
const TYPES = new Map(Object.entries(procedures).map(([name, { _def }]) => [name, _def.type]));
const PROCEDURES = [...TYPES.keys()].sort();

let service: Service;
let pilot: Person;
let admin: Person;
beforeAll(async () => {
  service = await startService({ env: { DEV_TOKENS: 'on' } });
  [pilot, admin] = [await givenPerson(service), await givenAdmin(service)];
});
afterAll(() => service.stop());

/** A script's token of this person: of those that open the rest of the service. */
async function bearerOf(person: Person): Promise<Record<string, string>> {
  const { body } = await createClient(service).call('POST', '/users/dev-token', { userId: person.id });
  const headers = { authorization: `Bearer ${body.token}` };
  expect((await fetch(`${service.url}/api/v1/auth/me`, { headers })).status).toBe(200);
  return headers;
}

const CALLERS: Record<string, () => Promise<Record<string, string>> | Record<string, string>> = {
  'without anything': () => ({}),
  'with an empty token': () => ({ authorization: 'Bearer ' }),
  'with a made-up token': () => ({ authorization: `Bearer ${'a'.repeat(43)}` }),
  'with the token as a name and password': () => ({
    authorization: `Basic ${Buffer.from(`bot:${service.app.botToken}`).toString('base64')}`,
  }),
  "with most of the bot's token": () => ({ authorization: `Bearer ${service.app.botToken.slice(0, -1)}` }),
  "with the bot's token as a cookie": () => ({ cookie: `session=${service.app.botToken}` }),
  "with a pilot's cookie": () => ({ cookie: pilot.client.cookie() }),
  "with an admin's cookie": () => ({ cookie: admin.client.cookie() }),
  "with a pilot's bearer token": () => bearerOf(pilot),
  "with an admin's bearer token": () => bearerOf(admin),
};

async function knock(procedure: string, headers: Record<string, string>): Promise<[status: number, message: string]> {
  const isQuery = TYPES.get(procedure) === 'query';
  const response = await fetch(`${service.url}/bot/${procedure}${isQuery ? '?input={}' : ''}`, {
    method: isQuery ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', origin: service.url, ...headers },
    ...(isQuery ? {} : { body: '{}' }),
  });
  const { error } = (await response.json()) as { error?: { message: string } };
  return [response.status, error?.message ?? ''];
}

describe('a call of the bot', () => {
  test('is one of those that the bot uses', () => {
    expect(PROCEDURES).toEqual(
      expect.arrayContaining(['reply.register', 'sync.beat', 'sync.reconcile', 'sync.saveMembers']),
    );
  });

  test.each(Object.entries(CALLERS))('%s is refused for every call, and changes nothing', async (_who, identify) => {
    const headers = await identify();
    const before = await takeDigest(service);
    for (const procedure of [...PROCEDURES, 'sync.unknown']) {
      expect([procedure, ...(await knock(procedure, headers))]).toEqual([procedure, 401, copy.botOnly]);
    }
    const batch = PROCEDURES.slice(0, 3).join(',');
    expect(await knock(`${batch}?batch=1`, headers)).toEqual([401, copy.botOnly]);
    expect(await takeDigest(service)).toEqual(before);
  });

  test('with its credential gets through to the validation of its input', async () => {
    const headers = { authorization: `Bearer ${service.app.botToken}` };
    for (const procedure of PROCEDURES) expect((await knock(procedure, headers))[0]).toBe(400);
    expect((await knock('sync.unknown', headers))[0]).toBe(404);
  });

  test("opens nothing else: the bot's credential is no account", async () => {
    const headers = { authorization: `Bearer ${service.app.botToken}` };
    for (const path of ['/auth/me', '/admin/users', '/pilot/inbox']) {
      expect((await fetch(`${service.url}/api/v1${path}`, { headers })).status).toBe(401);
    }
    const em = service.app.orm.em.fork();
    expect(await query(em, sql`select 1 as one from bot_lease`)).toEqual([]);
  });
});
