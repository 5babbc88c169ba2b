/** Invites, the registration setting, and accounts that wait for approval. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { purgeDeclined } from '#server/accounts/approvals.ts';
import { purgeInvites } from '#server/accounts/invites.ts';
import { query, sql } from '#server/schema/query.ts';
import { givenAdmin, givenPerson, hoursFromNow, PASSWORD, type Person } from '#tests/harness/given.ts';
import { createClient, startService, type Answer, type Client, type Service } from '#tests/harness/service.ts';

const REQUIRED = 'Registration is by invite here. Please ask an admin for an invite link.';
const UNKNOWN = 'This invite link is not valid. Please check that you have copied all of it.';
const EXPIRED = 'This invite has expired. Please ask for a new one.';
const USED_UP = 'This invite has no uses left. Please ask for a new one.';
const REVOKED = 'This invite has been withdrawn. Please ask for a new one.';
const WAITS = 'Your account is waiting for an admin to approve it.';
const DECLINED = 'An admin has declined your request to join. Please ask them if you think this is a mistake.';

let service: Service;
let admin: Person;
let people = 0;
beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
});
afterAll(() => service.stop());
beforeEach(() => setRegistration('open'));

const em = () => service.app.orm.em.fork();
const rows = <Row>(statement: ReturnType<typeof sql<Row>>) => query(em(), statement);

async function setRegistration(registration: string): Promise<void> {
  const { status } = await admin.client.call('PUT', '/admin/community', { name: 'Lantern Wing', registration });
  expect(status).toBe(200);
}

/** @returns the invite and the token of its link */
async function invite(values: Record<string, unknown> = {}) {
  const { status, body } = await admin.client.call('POST', '/admin/invites', { name: 'Recruits', ...values });
  expect([status, body.message]).toEqual([201, undefined]);
  return { ...body, token: String(body.url).slice(String(body.url).lastIndexOf('/') + 1) };
}

async function register(token?: string, client: Client = createClient(service)): Promise<Answer & { client: Client }> {
  people += 1;
  const account = { email: `joins-${people}@example.org`, password: PASSWORD, confirmPassword: PASSWORD };
  const answer = await client.call(
    'POST',
    '/auth/register',
    token === undefined ? account : { ...account, invite: token },
  );
  // the hashing of passwords refuses some of many at once
  return answer.status === 429 ? register(token, client) : { ...answer, client };
}

const check = async (token: string) =>
  (await createClient(service).call('GET', `/auth/registration?invite=${encodeURIComponent(token)}`)).body;
const stateOf = async (id: string) => {
  const { body } = await admin.client.call('GET', '/admin/invites');
  return body.find((one: { id: string }) => one.id === id);
};
const refusalOf = ({ status, body }: Answer) => [status, body.code, body.message];

describe('an invite', () => {
  test('leads to an account that starts with its zone and aircraft, and shows who came by it', async () => {
    const made = await invite({ timeZone: 'Europe/Berlin', aircraftIds: [2, 2], maxUses: 3 });
    expect(await check(made.token)).toEqual({
      community: 'Lantern Wing',
      mode: 'open',
      invite: { problem: null, invitedBy: admin.displayName, needsApproval: false },
      preview: { pilots: expect.any(Number), next: null },
    });
    const { status, body, client } = await register(made.token);
    expect([status, body.roles, body.approval, body.timeZone]).toEqual([201, ['user'], null, 'Europe/Berlin']);
    const listed = await client.call('GET', `/users/${body.id}/proficiencies`);
    expect(listed.body.map(({ aircraftId, level }: Record<string, unknown>) => [aircraftId, level])).toEqual([
      [2, 'basic'],
    ]);
    expect(await stateOf(made.id)).toMatchObject({ uses: 1, maxUses: 3, state: 'open', createdBy: admin.displayName });
    const joined = await admin.client.call('GET', `/admin/invites/${made.id}/accounts`);
    expect(joined.body.map(({ user }: { user: { id: string } }) => user.id)).toEqual([body.id]);
    const audit = await admin.client.call('GET', `/admin/audit?subjectId=${made.id}`);
    expect(audit.body.entries.map((entry: { action: string }) => entry.action)).toEqual([
      'invite_used',
      'invite_created',
    ]);
  });

  test('lets exactly as many in as it may, however many come at once', async () => {
    const { token, id } = await invite({ maxUses: 10 });
    const answers = await Promise.all(Array.from({ length: 40 }, () => register(token)));
    const inside = answers.filter(({ status }) => status === 201);
    expect(inside).toHaveLength(10);
    for (const answer of answers.filter(({ status }) => status !== 201))
      expect(refusalOf(answer)).toEqual([403, 'INVITE_INVALID', USED_UP]);
    expect(await stateOf(id)).toMatchObject({ uses: 10, state: 'used_up' });
    const [{ accounts } = { accounts: 0 }] = await rows(
      sql<{ accounts: number }>`select count(*)::int as accounts from invite_use where invite_id = ${id}`,
    );
    expect(accounts).toBe(10);
    expect((await check(token)).invite.problem).toBe(USED_UP);
  });

  test('does not count a registration that fails', async () => {
    const { token, id } = await invite({ maxUses: 1 });
    const taken = { email: admin.email, password: PASSWORD, confirmPassword: PASSWORD, invite: token };
    expect((await createClient(service).call('POST', '/auth/register', taken)).status).toBe(409);
    expect(await stateOf(id)).toMatchObject({ uses: 0, state: 'open' });
    expect((await register(token)).status).toBe(201);
  });

  test.each([
    ['expired', sql`update invite set expires_at = now() where id = `, EXPIRED],
    ['used up', sql`update invite set max_uses = 1, uses = 1 where id = `, USED_UP],
    ['revoked', sql`update invite set revoked_at = now(), uses = 0, max_uses = 1 where id = `, REVOKED],
    ['deleted', sql`delete from invite where id = `, UNKNOWN],
  ])('that is %s says so when its page loads, and lets nobody in', async (_state, statement, sentence) => {
    const { id, token } = await invite();
    await rows(sql`${statement}${id}`);
    expect((await check(token)).invite.problem).toBe(sentence);
    expect(refusalOf(await register(token))).toEqual([403, 'INVITE_INVALID', sentence]);
  });

  test.each(['nothing', 'a.b', '', '.', 'A'.repeat(200)])('%j is none', async (token) => {
    if (token !== '') expect((await check(token)).invite.problem).toBe(UNKNOWN);
    if (token !== '') expect(refusalOf(await register(token))).toEqual([403, 'INVITE_INVALID', UNKNOWN]);
    else expect((await check(token)).invite).toBeNull();
  });

  test('has a code that can be read aloud, typed in capitals, and not be guessed from another', async () => {
    const [one, other] = [await invite(), await invite()];
    expect(one.token).toMatch(/^[0-9a-hjkmnp-tv-z]{12}$/);
    expect(other.token).not.toBe(one.token);
    const spoken = one.token.toUpperCase().replaceAll('0', 'O').replaceAll('1', 'l').replace(/^.{6}/, '$&-');
    expect((await check(spoken)).invite.problem).toBeNull();
    const forged = `${one.token.slice(0, 6)}${other.token.slice(6)}`;
    expect((await check(forged)).invite.problem).toBe(UNKNOWN);
  });

  test('ends when it is revoked, once, and its pilots stay', async () => {
    const { id, token } = await invite();
    const { client } = await register(token);
    for (const _turn of [1, 2])
      expect((await admin.client.call('POST', `/admin/invites/${id}/revoke`)).body.state).toBe('revoked');
    expect(refusalOf(await register(token))).toEqual([403, 'INVITE_INVALID', REVOKED]);
    expect((await client.call('GET', '/pilot/inbox')).status).toBe(200);
    const audit = await admin.client.call('GET', `/admin/audit?subjectId=${id}&action=invite_revoked`);
    expect(audit.body.total).toBe(1);
  });

  test.each([
    ['is demoted', (id: string) => admin.client.call('DELETE', `/admin/users/${id}/roles/admin`)],
    ['is suspended', (id: string) => admin.client.call('DELETE', `/admin/users/${id}/roles/user`)],
    [
      'asks for deletion',
      (_id: string, leaving: Person) =>
        leaving.client.call('POST', '/auth/deletion', { currentPassword: PASSWORD, confirmation: 'delete' }),
    ],
  ])('for admins ends when its creator %s, and those for pilots stay', async (_when, end) => {
    const leaving = await givenAdmin(service);
    const limits = { role: 'admin', maxUses: 1, expiresAt: `${hoursFromNow(100)}:00Z` };
    const make = async (maker: Person, values: Record<string, unknown>) =>
      (await maker.client.call('POST', '/admin/invites', { name: 'Deputies', ...values })).body.id;
    const own = await make(leaving, limits);
    const [forPilots, ofAnother] = [await make(leaving, {}), await make(admin, limits)];
    expect((await end(leaving.id, leaving)).status).toBe(200);
    const states = await Promise.all([own, forPilots, ofAnother].map(async (id) => (await stateOf(id)).state));
    expect(states).toEqual(['revoked', 'open', 'open']);
    const audit = await admin.client.call('GET', `/admin/audit?subjectId=${own}&action=invite_revoked`);
    const summary = 'Revoked the invite, because its creator lost a role or their account';
    expect(audit.body.entries).toMatchObject([{ subjectName: 'Deputies', summary }]);
  });

  test('for admins is not made by somebody who is demoted meanwhile', async () => {
    const limits = { name: 'Deputies', role: 'admin', maxUses: 1, expiresAt: `${hoursFromNow(100)}:00Z` };
    for (let turn = 0; turn < 5; turn++) {
      const leaving = await givenAdmin(service);
      const [made] = await Promise.all([
        leaving.client.call('POST', '/admin/invites', limits),
        admin.client.call('DELETE', `/admin/users/${leaving.id}/roles/admin`),
      ]);
      if (made.status === 201) expect((await stateOf(made.body.id)).state).toBe('revoked');
      else expect(made.body.code).toBe('ADMINS_ONLY');
    }
  });

  test('for admins makes admins, and needs a limit and an early end', async () => {
    const limits = { role: 'admin', maxUses: 5, expiresAt: `${hoursFromNow(100)}:00Z` };
    for (const wrong of [
      { maxUses: 6 },
      { maxUses: null },
      { expiresAt: null },
      { expiresAt: `${hoursFromNow(200)}:00Z` },
    ]) {
      const { status, body } = await admin.client.call('POST', '/admin/invites', {
        name: 'Staff',
        ...limits,
        ...wrong,
      });
      expect([status, body.code]).toEqual([400, 'VALIDATION']);
    }
    const { token } = await invite({ name: 'Staff', ...limits });
    const { body, client } = await register(token);
    expect(body.roles).toEqual(['admin', 'user']);
    expect((await client.call('GET', '/admin/users')).status).toBe(200);
  });

  test.each([
    [{ name: ' ' }, 'Give the invite a name, for example "Autumn recruits"'],
    [{ name: 'x'.repeat(101) }, 'This text is too long'],
    [{ maxUses: 0 }, 'The number of uses must be a whole number from 1 to 1000'],
    [{ maxUses: 1.5 }, 'The number of uses must be a whole number from 1 to 1000'],
    [{ expiresAt: '2020-01-01T00:00:00Z' }, 'An invite must expire in the future, within 366 days'],
    [{ expiresAt: `${hoursFromNow(24 * 400)}:00Z` }, 'An invite must expire in the future, within 366 days'],
    [{ timeZone: 'Moon/Base' }, 'Please select a timezone'],
    [{ aircraftIds: [9_999] }, 'This aircraft does not exist'],
    [{ role: 'owner' }, 'The role must be admin or user'],
  ])('with %j is refused', async (values, sentence) => {
    const { status, body } = await admin.client.call('POST', '/admin/invites', { name: 'Recruits', ...values });
    expect([status, body.message]).toEqual([400, sentence]);
  });

  test('is made once for one Idempotency-Key', async () => {
    const key = { 'idempotency-key': 'one-invite' };
    const make = () => admin.client.call('POST', '/admin/invites', { name: 'Once' }, key);
    const [first, second] = [await make(), await make()];
    expect(second.body).toEqual(first.body);
  });

  test('is one of at most 100 open ones; ended ones that nobody used go after a month', async () => {
    const fill = sql`insert into invite (id, name, role, with_approval, aircraft_ids, created_at)
      select gen_random_uuid(), 'Full', 'user', false, '{}', now() from generate_series(1, 100)`;
    await rows(fill);
    const { status, body } = await admin.client.call('POST', '/admin/invites', { name: 'One more' });
    expect([status, body.code, body.message]).toEqual([
      409,
      'LIMIT_REACHED',
      'There can be at most 100 open invites. Please revoke one first.',
    ]);
    await rows(sql`update invite set revoked_at = now() - interval '29 days' where name = 'Full'`);
    const used = await invite();
    await register(used.token);
    await rows(sql`update invite set expires_at = now() - interval '31 days' where id = ${used.id}`);
    await purgeInvites(em());
    const names = async () =>
      (await admin.client.call('GET', '/admin/invites')).body.map(({ name }: { name: string }) => name);
    expect((await names()).filter((name: string) => name === 'Full')).toHaveLength(100);
    await rows(sql`update invite set revoked_at = now() - interval '31 days' where name = 'Full'`);
    await purgeInvites(em());
    expect(await names()).not.toContain('Full');
    expect(await stateOf(used.id)).toMatchObject({ state: 'expired', uses: 1 });
  });
});

describe('registration', () => {
  test('is open at first', async () => {
    const { status, body } = await register();
    expect([status, body.roles, body.approval]).toEqual([201, ['user'], null]);
    const seen = await createClient(service).call('GET', '/auth/registration');
    expect(seen.body).toEqual({ community: 'Lantern Wing', mode: 'open', invite: null, preview: null });
  });

  test('by invite needs one', async () => {
    await setRegistration('invite');
    const { token } = await invite();
    expect(refusalOf(await register())).toEqual([403, 'INVITE_REQUIRED', REQUIRED]);
    expect((await register(token)).status).toBe(201);
  });

  test('with approval makes waiting accounts, except by an invite without approval', async () => {
    await setRegistration('approval');
    const [plain, invited] = [await register(), await register((await invite()).token)];
    expect([plain.status, plain.body.roles, plain.body.approval]).toEqual([201, [], 'waiting']);
    expect([invited.body.roles, invited.body.approval]).toEqual([['user'], null]);
  });

  test('refuses a setting that there is not', async () => {
    const { status, body } = await admin.client.call('PUT', '/admin/community', { name: null, registration: 'closed' });
    expect([status, body.message]).toEqual([400, 'Registration must be open, invite or approval']);
  });

  test('tells in the audit log what was changed, and nothing for no change', async () => {
    await setRegistration('approval');
    await setRegistration('approval');
    const audit = await admin.client.call('GET', '/admin/audit?action=community_changed');
    const [{ summary }, { summary: before }] = audit.body.entries;
    expect([summary, before]).not.toContain('Registration: approval to approval');
    expect(summary).toBe('Registration: open to approval');
  });
});

describe('an account that waits for approval', () => {
  test('fills in its profile and its week, and flies nothing yet', async () => {
    const { body, client } = await register((await invite({ withApproval: true })).token);
    const { id } = body;
    const profile = await client.call('PUT', `/users/${id}`, { displayName: 'Vesper', timeZone: 'UTC' });
    const week = await client.call('POST', `/users/${id}/availability/templates`, {
      name: 'Default Weekly Availability',
      isActive: true,
      slots: [{ weekday: 1, startLocal: '18:00', endLocal: '22:00', aircraftCodeId: 0, notes: null }],
    });
    const level = await client.call('PUT', `/users/${id}/proficiencies/2`, { level: 'learning' });
    const light = await client.call('PUT', `/users/${id}/status`, { state: 'dnd' });
    expect([profile.status, week.status, level.status, light.status]).toEqual([200, 201, 200, 200]);
    for (const path of ['/pilot/inbox', '/pilot/openings', '/missions', '/pilot/events', '/pilot/calendar'])
      expect(refusalOf(await client.call('GET', path))).toEqual([403, 'AWAITING_APPROVAL', WAITS]);
    const users = await admin.client.call('GET', '/stats');
    const [{ pilots } = { pilots: -1 }] = await rows(
      sql<{ pilots: number }>`select count(*)::int as pilots from app_user where 'user' = any(roles)`,
    );
    expect(users.body.totalUsers).toBe(pilots);
  });

  test('becomes a pilot when an admin approves it, several at once, once', async () => {
    await setRegistration('approval');
    const [one, other] = [await register(), await register()];
    const list = await admin.client.call('GET', '/admin/waiting-accounts');
    const ids = [one.body.id, other.body.id];
    expect(list.body.accounts.map(({ user }: { user: { id: string } }) => user.id)).toEqual(
      expect.arrayContaining(ids),
    );
    expect(list.body.waiting).toBe(
      list.body.accounts.filter(({ user }: { user: { approval: string } }) => user.approval === 'waiting').length,
    );
    const decide = () => admin.client.call('POST', '/admin/waiting-accounts', { ids, decision: 'approve' });
    expect((await decide()).body).toEqual({ decided: 2 });
    expect((await decide()).body).toEqual({ decided: 0 });
    expect((await one.client.call('GET', '/auth/me')).body).toMatchObject({ roles: ['user'], approval: null });
    expect((await one.client.call('GET', '/pilot/inbox')).status).toBe(200);
    const audit = await admin.client.call('GET', `/admin/audit?subjectId=${one.body.id}&action=account_approved`);
    expect(audit.body.total).toBe(1);
  });

  test('gets the role of its invite only then', async () => {
    const limits = { role: 'admin', maxUses: 1, expiresAt: `${hoursFromNow(20)}:00Z`, withApproval: true };
    const { body, client } = await register((await invite(limits)).token);
    expect(body.roles).toEqual([]);
    expect((await client.call('GET', '/admin/users')).status).toBe(403);
    const decision = { ids: [body.id], decision: 'approve', admins: [body.id] };
    await admin.client.call('POST', '/admin/waiting-accounts', decision);
    expect((await client.call('GET', '/auth/me')).body.roles).toEqual(['admin', 'user']);
  });

  test('that is declined reads so, can still be approved, and is deleted after a month', async () => {
    await setRegistration('approval');
    const { body, client } = await register();
    const decide = (decision: string) =>
      admin.client.call('POST', '/admin/waiting-accounts', { ids: [body.id], decision });
    expect((await decide('decline')).body).toEqual({ decided: 1 });
    expect((await decide('decline')).body).toEqual({ decided: 0 });
    expect(refusalOf(await client.call('GET', '/pilot/inbox'))).toEqual([403, 'NOT_APPROVED', DECLINED]);
    expect(refusalOf(await client.call('PUT', `/users/${body.id}/status`, { state: 'dnd' }))).toEqual([
      403,
      'NOT_APPROVED',
      DECLINED,
    ]);
    expect((await decide('approve')).body).toEqual({ decided: 1 });
    expect((await client.call('GET', '/pilot/inbox')).status).toBe(200);

    const declined = await register();
    await admin.client.call('POST', '/admin/waiting-accounts', { ids: [declined.body.id], decision: 'decline' });
    const exists = async () =>
      (await rows(sql<{ id: string }>`select id from app_user where id = ${declined.body.id}`)).length;
    await purgeDeclined(em());
    expect(await exists()).toBe(1);
    await rows(sql`update app_user set approval_since = now() - interval '31 days' where id = ${declined.body.id}`);
    await purgeDeclined(em());
    expect(await exists()).toBe(0);
  });

  test('is approved by getting the role `user`, too, and a suspended pilot never waits', async () => {
    await setRegistration('approval');
    const { body } = await register();
    await admin.client.call('POST', `/admin/users/${body.id}/roles`, { role: 'user' });
    const [row] = await rows(sql<{ approval: string | null }>`select approval from app_user where id = ${body.id}`);
    expect(row?.approval).toBeNull();
    const pilot = await givenPerson(service);
    await admin.client.call('DELETE', `/admin/users/${pilot.id}/roles/user`);
    const decided = await admin.client.call('POST', '/admin/waiting-accounts', {
      ids: [pilot.id],
      decision: 'approve',
    });
    expect(decided.body).toEqual({ decided: 0 });
    expect((await pilot.client.call('GET', '/pilot/inbox')).body.code).toBe('SUSPENDED');
  });
});
