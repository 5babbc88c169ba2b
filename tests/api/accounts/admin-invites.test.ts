/** Invites for admins whose accounts wait for approval: who still becomes an admin, who confirms it, and what the audit log says. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { takeLock } from '#server/platform/transaction.queries.ts';
import { db } from '#server/schema/database.ts';
import { transact } from '#server/schema/transaction.ts';
import { givenAdmin, hoursFromNow, PASSWORD, type Person } from '#tests/harness/given.ts';
import { createClient, startService, type Service } from '#tests/harness/service.ts';

let service: Service;
let admin: Person;
let people = 0;
beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
});
afterAll(() => service.stop());

const em = () => service.app.orm.em.fork();

async function givenInvite(maker: Person, withApproval = true) {
  const limits = { role: 'admin', maxUses: 1, expiresAt: `${hoursFromNow(20)}:00Z`, withApproval };
  const { status, body } = await maker.client.call('POST', '/admin/invites', { name: 'Deputies', ...limits });
  expect([status, body.message]).toEqual([201, undefined]);
  return { id: String(body.id), token: String(body.url).slice(String(body.url).lastIndexOf('/') + 1) };
}

async function register(invite: string) {
  people += 1;
  const client = createClient(service);
  const account = { email: `deputy-${people}@example.org`, password: PASSWORD, confirmPassword: PASSWORD };
  const { status, body } = await client.call('POST', '/auth/register', { ...account, invite });
  return { status, body, id: String(body.id), client };
}

/** An account that waits for approval, and the invite for admins that it came by. */
async function givenWaiting(maker = admin) {
  const invite = await givenInvite(maker);
  const { id, client, body } = await register(invite.token);
  expect([body.roles, body.approval]).toEqual([[], 'waiting']);
  await client.call('PUT', `/users/${id}`, { displayName: 'Vesper', timeZone: 'UTC' });
  return { id, client, inviteId: invite.id };
}

const approve = (id: string, more: Record<string, unknown> = {}) =>
  admin.client.call('POST', '/admin/waiting-accounts', { ids: [id], decision: 'approve', ...more });
async function becomesAdmin(id: string): Promise<unknown> {
  const { body } = await admin.client.call('GET', '/admin/waiting-accounts');
  return body.accounts.find(({ user }: { user: { id: string } }) => user.id === id).becomesAdmin;
}
const rolesOf = async (id: string) => (await admin.client.call('GET', `/admin/users/${id}/roles`)).body.roles;
const revoke = (inviteId: string) => admin.client.call('POST', `/admin/invites/${inviteId}/revoke`);
interface Entry {
  actor: { id: string } | null;
  action: string;
  summary: string;
}
async function auditOf(id: string) {
  const { body } = await admin.client.call('GET', `/admin/audit?subjectId=${id}`);
  const told: Entry[] = body.entries.filter(({ action }: Entry) => action !== 'signed_in');
  return told.map(({ actor, action, summary }) => ({ actorId: actor?.id, action, summary }));
}

/** The ends of an admin that end what their invites for admins may do. */
const ENDS: [string, (maker: Person) => Promise<unknown>][] = [
  ['is demoted', ({ id }) => admin.client.call('DELETE', `/admin/users/${id}/roles/admin`)],
  ['is suspended', ({ id }) => admin.client.call('DELETE', `/admin/users/${id}/roles/user`)],
  ['is banned', ({ id }) => admin.client.call('POST', `/admin/users/${id}/ban`, { reason: 'Abuse' })],
  ['asks for deletion', ({ client }) => client.call('POST', '/auth/deletion', { currentPassword: PASSWORD })],
];

describe('an account that came by an invite for admins and waits', () => {
  test('becomes an admin only when that is confirmed, and the audit log says so', async () => {
    const { id, client } = await givenWaiting();
    expect(await becomesAdmin(id)).toBe(true);
    const message =
      'Vesper would become an admin by the invite “Deputies”. Please confirm that, or revoke the invite to approve the account as a pilot.';
    expect(await approve(id)).toMatchObject({ status: 409, body: { code: 'ADMIN_UNCONFIRMED', message } });
    expect(await rolesOf(id)).toEqual([]);
    expect((await approve(id, { admins: [id] })).body).toEqual({ decided: 1 });
    expect((await client.call('GET', '/auth/me')).body.roles).toEqual(['admin', 'user']);
    expect(await auditOf(id)).toEqual([
      { actorId: admin.id, action: 'role_added', summary: 'Added the role admin, by the invite “Deputies”' },
      { actorId: admin.id, action: 'account_approved', summary: 'Approved the account' },
    ]);
  });

  test('becomes a pilot once the invite is revoked', async () => {
    const { id, inviteId } = await givenWaiting();
    await revoke(inviteId);
    expect(await becomesAdmin(id)).toBe(false);
    expect((await approve(id)).body).toEqual({ decided: 1 });
    expect(await rolesOf(id)).toEqual(['user']);
    expect((await auditOf(id)).map(({ action }) => action)).toEqual(['account_approved']);
  });

  test.each(ENDS)('becomes a pilot once the creator of the invite %s', async (_end, end) => {
    const maker = await givenAdmin(service);
    const { id } = await givenWaiting(maker);
    expect(await end(maker)).toMatchObject({ status: expect.toSatisfy((status: number) => status < 300) });
    expect(await becomesAdmin(id)).toBe(false);
    expect((await approve(id)).body).toEqual({ decided: 1 });
    expect(await rolesOf(id)).toEqual(['user']);
  });

  test('stays a pilot-to-be when the creator becomes an admin again', async () => {
    const maker = await givenAdmin(service);
    const { id } = await givenWaiting(maker);
    await admin.client.call('DELETE', `/admin/users/${maker.id}/roles/admin`);
    await admin.client.call('POST', `/admin/users/${maker.id}/roles`, { role: 'admin' });
    expect(await becomesAdmin(id)).toBe(false);
  });

  test('keeps the role when the invite is used up and has expired, because it came in time', async () => {
    const { id, inviteId } = await givenWaiting();
    await query(em(), sql`update invite set expires_at = now() where id = ${inviteId}`);
    expect(await becomesAdmin(id)).toBe(true);
    expect((await approve(id, { admins: [id] })).status).toBe(200);
    expect(await rolesOf(id)).toEqual(['admin', 'user']);
  });

  test('is left waiting when the invite was revoked after the list was read, on both surfaces', async () => {
    const { id, inviteId, client } = await givenWaiting();
    await revoke(inviteId);
    const message = 'Vesper no longer becomes an admin, because the invite was revoked. Please look at the list again.';
    expect(await approve(id, { admins: [id] })).toMatchObject({ status: 409, body: { code: 'CHANGED', message } });
    const call = { ids: [id], decision: 'approve' as const, admins: [id] };
    await expect(admin.client.trpc.admin.community.decide.mutate(call)).rejects.toThrow(message);
    expect((await client.call('GET', '/auth/me')).body).toMatchObject({ roles: [], approval: 'waiting' });
    expect(await admin.client.trpc.admin.community.decide.mutate({ ...call, admins: [] })).toEqual({ decided: 1 });
    expect(await rolesOf(id)).toEqual(['user']);
  });

  test('is approved beside others, of whom only the confirmed one becomes an admin', async () => {
    const [one, other] = [await givenWaiting(), await givenWaiting()];
    const decide = (admins: string[]) =>
      admin.client.call('POST', '/admin/waiting-accounts', { ids: [one.id, other.id], decision: 'approve', admins });
    expect((await decide([one.id])).body.code).toBe('ADMIN_UNCONFIRMED');
    expect([await rolesOf(one.id), await rolesOf(other.id)]).toEqual([[], []]);
    await revoke(other.inviteId);
    expect((await decide([one.id])).body).toEqual({ decided: 2 });
    expect([await rolesOf(one.id), await rolesOf(other.id)]).toEqual([['admin', 'user'], ['user']]);
  });

  test('is declined without a confirmation', async () => {
    const { id } = await givenWaiting();
    const { body } = await admin.client.call('POST', '/admin/waiting-accounts', { ids: [id], decision: 'decline' });
    expect(body).toEqual({ decided: 1 });
    expect(await rolesOf(id)).toEqual([]);
  });
});

describe('at the same time', () => {
  /** True once another connection waits for an advisory lock. */
  const isBlocked = async () =>
    (
      await query<{ n: number }>(
        em(),
        sql`select count(*)::int as n from pg_locks where locktype = 'advisory' and not granted`,
      )
    )[0]?.n !== 0;

  test('an approval waits for a revocation that has begun, and then makes no admin', async () => {
    const { id, inviteId } = await givenWaiting();
    let approval: ReturnType<typeof approve> | undefined;
    await transact(em(), async (tx) => {
      await takeLock(tx, 'invites');
      await db(tx).updateTable('invite').set({ revoked_at: new Date() }).where('id', '=', inviteId).execute();
      approval = approve(id, { admins: [id] });
      await expect.poll(isBlocked).toBe(true);
    });
    expect((await approval)?.body.code).toBe('CHANGED');
    expect(await rolesOf(id)).toEqual([]);
  });

  test('a demotion and an approval leave an admin only if the approval came first', async () => {
    for (let turn = 0; turn < 6; turn++) {
      const maker = await givenAdmin(service);
      const { id, inviteId } = await givenWaiting(maker);
      const [approval, demotion] = await Promise.all([
        approve(id, { admins: [id] }),
        admin.client.call('DELETE', `/admin/users/${maker.id}/roles/admin`),
      ]);
      expect(demotion.status).toBe(200);
      const order = await query<{ action: string }>(
        em(),
        sql`select action from audit_entry where (subject_id = ${id} and action = 'role_added')
              or (subject_id = ${inviteId} and action = 'invite_revoked') order by occurred_at, id`,
      );
      const actions = order.map(({ action }) => action);
      if (approval.status === 200) expect(actions).toEqual(['role_added', 'invite_revoked']);
      else expect([approval.body.code, actions]).toEqual(['CHANGED', ['invite_revoked']]);
      expect(await rolesOf(id)).toEqual(approval.status === 200 ? ['admin', 'user'] : []);
    }
  });
});

describe('a registration by an invite for admins without approval', () => {
  test('is in the audit log with the role', async () => {
    const { token } = await givenInvite(admin, false);
    const { id, body } = await register(token);
    expect(body.roles).toEqual(['admin', 'user']);
    expect(await auditOf(id)).toEqual([
      { actorId: id, action: 'role_added', summary: 'Added the role admin, by the invite “Deputies”' },
    ]);
  });

  test.each(ENDS)('is refused once its creator %s', async (_end, end) => {
    const maker = await givenAdmin(service);
    const { token } = await givenInvite(maker, false);
    await end(maker);
    expect(await register(token)).toMatchObject({ status: 403, body: { code: 'INVITE_INVALID' } });
  });

  test('is refused when the creator is no longer an admin, however that came about', async () => {
    const maker = await givenAdmin(service);
    const { token, id } = await givenInvite(maker, false);
    await query(em(), sql`update app_user set roles = '{user}' where id = ${maker.id}`);
    expect(await register(token)).toMatchObject({ status: 403, body: { code: 'INVITE_INVALID' } });
    const { body } = await admin.client.call('GET', '/admin/invites');
    expect(body.find((one: { id: string }) => one.id === id).state).toBe('revoked');
  });
});
