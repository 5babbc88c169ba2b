/** Log lines: the request's id in what it started, and no secrets. */
import { Writable } from 'node:stream';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { currentRequestId, runAsRequest } from '#bot/log.ts';
import { createServerCalls } from '#bot/server.ts';
import { enqueueJobs } from '#server/signals/jobs.ts';
import { currentScope, runInScope } from '#server/platform/request-scope.ts';
import { query, sql } from '#server/schema/query.ts';
import { givenPerson } from '#tests/harness/given.ts';
import { createClient, startService, type Service } from '#tests/harness/service.ts';
import { findSecrets, PASSWORD, watchLog } from '#tests/harness/watched-log.ts';

const lines: Record<string, unknown>[] = [];
const logTo = new Writable({
  write(chunk: unknown, _encoding, done) {
    lines.push(JSON.parse(String(chunk)) as Record<string, unknown>);
    done();
  },
});

let service: Service;
beforeAll(async () => {
  service = await startService({ logTo, withJobs: true });
});
afterAll(() => service.stop());

const findLine = (fields: Record<string, unknown>) =>
  vi.waitFor(
    () => {
      const line = lines.find((one) => Object.entries(fields).every(([name, value]) => one[name] === value));
      expect(line, JSON.stringify(fields)).toBeDefined();
      return line ?? {};
    },
    { timeout: 10_000, interval: 50 },
  );

const breakTable = (name: string) => query(service.app.orm.em.fork(), sql`alter table ${sql.ref(name)} rename to away`);
const mendTable = (name: string) => query(service.app.orm.em.fork(), sql`alter table away rename to ${sql.ref(name)}`);

test('a job that fails is logged with the id of the request that enqueued it, without its payload', async () => {
  const person = await givenPerson(service);
  const { token } = await service.app.sessions.create(person.id);
  const client = createClient(service);
  await breakTable('seat');
  const answer = await client.call(
    'PUT',
    `/users/${person.id}/status`,
    { state: 'dnd' },
    {
      cookie: `${service.app.sessions.cookieName}=${token}`,
    },
  );
  expect(answer.status).toBe(200);
  const requestId = answer.headers.get('x-request-id');
  const line = await findLine({ job: 'backfill_pilot', requestId });
  await mendTable('seat');
  expect(line).toMatchObject({ level: 50, jobId: expect.stringMatching(/^\d+$/), failure: true });
  expect(JSON.stringify(line)).not.toContain('payload');
});

test('jobs of jobs belong to the first request', async () => {
  const em = service.app.orm.em.fork();
  const payloadOf = async (key: string) => {
    const [row] = await query(
      em,
      sql<{ payload: unknown }>`select payload from graphile_worker._private_jobs where key = ${key}`,
    );
    return row?.payload;
  };
  const enqueue = (key: string) =>
    enqueueJobs(em, 'send_mail', [{ payload: { deliveryId: 'none' }, key, at: new Date(Date.now() + 3_600_000) }]);
  await runInScope({ requestId: 'r-1', job: 'maintenance', jobId: '7' }, () => enqueue('of a job'));
  await enqueue('of nothing');
  expect([await payloadOf('of a job'), await payloadOf('of nothing')]).toEqual([
    { deliveryId: 'none', requestId: 'r-1' },
    { deliveryId: 'none' },
  ]);
  expect(currentScope()).toEqual({});
});

test("a failed call of the bot is logged with the interaction's id; anybody else's id is ignored", async () => {
  const { reply } = createServerCalls(service.url, service.app.botToken);
  const actor = {
    discordUserId: '700800900100200301',
    discordUsername: 'viper',
    guildId: null,
    canManageGuild: false,
    locale: 'en-US',
  };
  let requestId: string | undefined;
  await breakTable('discord_account');
  await runAsRequest(async () => {
    requestId = currentRequestId();
    await expect(reply.status.query({ actor })).rejects.toThrow();
  });
  await mendTable('discord_account');
  expect(await findLine({ requestId, msg: 'request failed' })).toMatchObject({ level: 50 });

  const forged = '00000000-0000-4000-8000-000000000000';
  const answer = await fetch(`${service.url}/api/v1/stats`, { headers: { 'x-request-id': forged } });
  expect(answer.headers.get('x-request-id')).not.toBe(forged);
});

test('a line with a planted secret is found, and a redacted one is not', () => {
  const token = 'abcdefghijklmnopqrstuvwxyz234567abcdefgh';
  expect(findSecrets(`signed in with ${PASSWORD}`)).toEqual(['a password']);
  expect(findSecrets(`{"cookie":"session=${token}"}`)).toEqual(['a session']);
  expect(findSecrets(`{"path":"/api/v1/calendar/${token.slice(0, 30)}.ics"}`)).toEqual(['a secret link']);
  expect(findSecrets('{"hash":"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"}')).toEqual([]);
  const log = watchLog();
  log.stream.write('{"msg":"fine"}\n');
  log.check();
  log.stream.write(`{"msg":"${PASSWORD}"}\n`);
  expect(() => log.check()).toThrow(/shows secrets/);
});
