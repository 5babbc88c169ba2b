/** Visitors' requests for a slot: what is stored and for how long, the limits, and how admins answer. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { purgeSlotRequests } from '#server/accounts/slot-requests.ts';
import { query, sql } from '#server/schema/query.ts';
import { givenAdmin, givenPerson, PASSWORD, type Person } from '#tests/harness/given.ts';
import { createClient, startService, type Service } from '#tests/harness/service.ts';

let service: Service;
let admin: Person;
beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
});
afterAll(() => service.stop());
beforeEach(() => rows(sql`delete from slot_request`));

const em = () => service.app.orm.em.fork();
const rows = <Row>(statement: Parameters<typeof query<Row>>[1]) => query<Row>(em(), statement);
const REQUEST = {
  handle: 'Viper',
  email: 'viper@example.org',
  module: 'F-16C',
  level: 'proficient',
  slot: 'Weekends UTC-5',
  notes: 'Night strikes.\nNot on Sundays.',
};
const ask = (values: object = {}, of = service) =>
  createClient(of).call('POST', '/slot-requests', { ...REQUEST, ...values });
const list = async () => (await admin.client.call('GET', '/admin/slot-requests')).body;
const handles = async () => (await list()).requests.map(({ handle }: { handle: string }) => handle);
const dismiss = (id: string, by = admin) => by.client.call('DELETE', `/admin/slot-requests/${id}`);
const makeInvite = (values: object) =>
  admin.client.call('POST', '/admin/invites', { name: 'Viper', maxUses: 1, ...values });
const tokenOf = ({ url }: { url: string }) => url.split('/').at(-1);
const register = (email: string, invite?: string) =>
  createClient(service).call('POST', '/auth/register', {
    email,
    password: PASSWORD,
    confirmPassword: PASSWORD,
    ...(invite !== undefined && { invite }),
  });
const ban = (email: string) => admin.client.call('POST', '/admin/bans', { email, label: 'Somebody', reason: 'Abuse' });
const DONE = { status: 200, body: { success: true } };

describe('a request', () => {
  test('is listed for admins as it was entered, and for nobody else', async () => {
    expect(await ask()).toMatchObject(DONE);
    const { requests, waiting } = await list();
    expect([requests.length, waiting]).toEqual([1, 1]);
    expect(requests[0]).toMatchObject({ ...REQUEST, invitedAt: null });
    expect(Math.abs(Date.parse(requests[0].createdAt) - Date.now())).toBeLessThan(60_000);
    const pilot = await givenPerson(service);
    expect((await pilot.client.call('GET', '/admin/slot-requests')).status).toBe(403);
    expect((await dismiss(requests[0].id, pilot)).status).toBe(403);
    expect((await createClient(service).call('GET', '/admin/slot-requests')).status).toBe(401);
    expect(await handles()).toEqual(['Viper']);
  });

  test('replaces an earlier one with the same address, however that is written', async () => {
    await ask();
    await ask({ email: 'VIPER@Example.org', handle: 'Viper Two', notes: '  ' });
    const { requests } = await list();
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({ handle: 'Viper Two', email: 'VIPER@Example.org', notes: null });
  });

  test.each<[string, object, string]>([
    ['no handle', { handle: ' ' }, 'handle'],
    ['a long handle', { handle: 'x'.repeat(201) }, 'handle'],
    ['no address', { email: 'viper' }, 'email'],
    ['an unknown module', { module: 'Camel' }, 'module'],
    ['an unknown level', { level: 'Rookie' }, 'level'],
    ['an unknown slot', { slot: 'Mondays' }, 'slot'],
    ['long notes', { notes: 'x'.repeat(1_001) }, 'notes'],
  ])('is refused with %s', async (_what, values, field) => {
    const { status, body } = await ask(values);
    expect([status, body.issues?.[0]?.path ?? body.field]).toEqual([400, field]);
    expect(await handles()).toEqual([]);
  });

  test('of a member or a banned address is not stored, with the same answer', async () => {
    const member = await givenPerson(service);
    expect((await ban('out@example.org')).status).toBe(201);
    const answers = [
      await ask({ email: member.email.toUpperCase() }),
      await ask({ email: 'OUT@example.org' }),
      await ask({ email: 'new@example.org', handle: 'New' }),
    ];
    const seen = answers.map(({ status, body }) => ({ status, body }));
    expect(seen).toEqual([DONE, DONE, DONE]);
    expect(await handles()).toEqual(['New']);
    // a ban deletes the one that is there
    expect((await ban('New@example.org')).status).toBe(201);
    expect(await rows(sql`select 1 from slot_request`)).toEqual([]);
  });

  test('is one of at most 200, and a repetition still replaces its own', async () => {
    await rows(
      sql`insert into slot_request (id, handle, email, email_key, module, level, slot, created_at)
          select gen_random_uuid(), 'Flood ' || n, n || '@example.org', n || '@example.org', 'Other', 'basic', 'Flexible',
                 now() - n * interval '1 minute'
          from generate_series(1, 200) as n`,
    );
    expect(await ask()).toMatchObject(DONE);
    expect(await ask({ email: '7@example.org', handle: 'Again' })).toMatchObject(DONE);
    const { requests, waiting } = await list();
    expect([requests.length, waiting]).toEqual([200, 200]);
    const names = requests.map(({ handle }: { handle: string }) => handle);
    expect([names[0], names.at(-1), names.includes('Viper')]).toEqual(['Flood 200', 'Again', false]);
  });

  test('is deleted after 30 days, and when its address gets an account in any way', async () => {
    const requests = [
      ['Old', '31 days'],
      ['Recent', '29 days'],
      ['Imported', '1 day'],
    ] as const;
    for (const [handle] of requests) await ask({ handle, email: `${handle}@example.org` });
    for (const [handle, age] of requests)
      await rows(sql`update slot_request set created_at = now() - ${age}::interval where handle = ${handle}`);
    const person = await givenPerson(service);
    await rows(
      sql`update app_user set email = 'Imported@example.org', email_key = 'imported@example.org' where id = ${person.id}`,
    );
    expect(await handles()).toEqual(['Old', 'Recent']);
    await purgeSlotRequests(em());
    expect(await rows(sql`select handle from slot_request`)).toEqual([{ handle: 'Recent' }]);
  });
});

test('a client can make five requests in a quarter of an hour, whatever the addresses', async () => {
  const limited = await startService({ env: { AUTH_ATTEMPTS_PER_MINUTE: '100' } });
  try {
    const answers = [];
    for (let place = 0; place < 6; place += 1) answers.push(await ask({ email: `v${place}@example.org` }, limited));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429]);
    expect(answers[5]?.body).toMatchObject({ code: 'RATE_LIMITED' });
    const stored = await query(limited.app.orm.em.fork(), sql`select 1 from slot_request`);
    expect(stored).toHaveLength(5);
  } finally {
    await limited.stop();
  }
});

describe('an answer of an admin', () => {
  const givenRequest = async (values: object = {}) => {
    await ask(values);
    return (await list()).requests[0].id as string;
  };
  const auditOf = async (subjectId: string) =>
    (await admin.client.call('GET', `/admin/audit?subjectId=${subjectId}`)).body.entries;

  test('dismisses it, once, and the audit log names nobody', async () => {
    const id = await givenRequest();
    expect(await dismiss(id)).toMatchObject(DONE);
    expect(await dismiss(id)).toMatchObject({ status: 404, body: { code: 'REQUEST_NOT_FOUND' } });
    expect(await list()).toEqual({ requests: [], waiting: 0 });
    expect(await auditOf(id)).toEqual([
      expect.objectContaining({
        action: 'request_dismissed',
        summary: "Dismissed a visitor's request",
        subjectName: null,
      }),
    ]);
    const [entry] = await rows<{ text: string }>(
      sql`select e::text as text from audit_entry e where subject_id = ${id}`,
    );
    expect(entry?.text).not.toMatch(/viper/i);
  });

  test('makes an invite for it: it waits no longer, and again once that invite is revoked', async () => {
    const id = await givenRequest();
    await ask({ email: 'second@example.org', handle: 'Second' });
    const invite = await makeInvite({ requestId: id });
    expect(invite.status).toBe(201);
    const { requests, waiting } = await list();
    expect(waiting).toBe(1);
    expect(
      requests.map(({ handle, invitedAt }: { handle: string; invitedAt: string | null }) => [handle, invitedAt]),
    ).toEqual([
      ['Second', null],
      ['Viper', invite.body.createdAt],
    ]);
    const [{ summary }] = await auditOf(invite.body.id);
    expect(summary).toBe("Made the invite for a visitor's request, 1 use");
    await admin.client.call('POST', `/admin/invites/${invite.body.id}/revoke`);
    expect((await list()).waiting).toBe(2);
  });

  test('to a request that is gone makes no invite', async () => {
    const id = await givenRequest();
    await dismiss(id);
    const before = (await admin.client.call('GET', '/admin/invites')).body.length;
    expect(await makeInvite({ requestId: id })).toMatchObject({ status: 404, body: { code: 'REQUEST_NOT_FOUND' } });
    expect((await admin.client.call('GET', '/admin/invites')).body).toHaveLength(before);
  });

  test('is closed by a registration with the address, or by the invite with another one', async () => {
    await ask({ email: 'First@example.org', handle: 'First' });
    expect((await register('first@EXAMPLE.org')).status).toBe(201);
    expect(await rows(sql`select 1 from slot_request`)).toEqual([]);

    const id = await givenRequest();
    const { body: invite } = await makeInvite({ requestId: id });
    expect((await register('other@example.org', tokenOf(invite))).status).toBe(201);
    expect(await rows(sql`select 1 from slot_request`)).toEqual([]);
  });

  test('an invite with room for more leaves it open, until its own address registers', async () => {
    const id = await givenRequest();
    const { body: invite } = await makeInvite({ requestId: id, maxUses: 5 });
    expect((await register('friend@example.org', tokenOf(invite))).status).toBe(201);
    expect(await handles()).toEqual(['Viper']);
  });
});
