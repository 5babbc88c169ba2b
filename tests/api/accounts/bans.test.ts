/** Bans: who is refused at every way in or back, what a ban does to an account, races, and what is stored. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eraseDueAccounts } from '#server/accounts/erase-account.ts';
import { lockBans } from '#server/accounts/ban-check.ts';
import { issueRegistrationSession } from '#server/discord/registration/registration.ts';
import { linkAccount } from '#server/discord/sign-in/link.ts';
import { findLinkedUser } from '#server/discord/sign-in/sign-in.ts';
import { backfillForPilot } from '#server/orders/pilot-backfill.ts';
import { newId } from '#server/schema/base.ts';
import { query, sql } from '#server/schema/query.ts';
import { transact } from '#server/schema/transaction.ts';
import { givenAdmin, givenPerson, PASSWORD, type Person } from '#tests/harness/given.ts';
import { givenMissionIn, givenPilot, orderOf, respond, retirePilots } from '#tests/harness/orders.ts';
import { createClient, startService, type Answer, type Service } from '#tests/harness/service.ts';

const REFUSED = "This account can't be created or used here. Please ask an admin of this community.";
const GUILD = '100200300400500600';

let service: Service;
let admin: Person;
let count = 0;
beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
  await rows(sql`insert into guild (id, name, status, installed_at, accepted_at, last_seen_at)
                 values (${GUILD}, 'Lantern Wing', 'active', now(), now(), now())`);
});
afterAll(() => service.stop());

const em = () => service.app.orm.em.fork();
const rows = <Row>(statement: Parameters<typeof query<Row>>[1]) => query<Row>(em(), statement);
const refusal = ({ status, body }: Answer) => [status, body.code, body.message];
const nextAddress = () => `banned-${(count += 1)}@example.org`;
const nextDiscordId = () => `7008009001002${String((count += 1)).padStart(5, '0')}`;
const add = (values: Record<string, unknown>, by = admin) =>
  by.client.call('POST', '/admin/bans', { label: 'Somebody', reason: 'Abuse', ...values });
const banAccount = (userId: string, by = admin) =>
  by.client.call('POST', `/admin/users/${userId}/ban`, { reason: 'Abuse' });
const lift = (id: string) => admin.client.call('DELETE', `/admin/bans/${id}`);
const list = async () => (await admin.client.call('GET', '/admin/bans')).body;
async function register(email: string, more: Record<string, unknown> = {}): Promise<Answer> {
  const account = { email, password: PASSWORD, confirmPassword: PASSWORD, ...more };
  const answer = await createClient(service).call('POST', '/auth/register', account);
  // the hashing of passwords refuses some of many at once
  return answer.status === 429 ? register(email, more) : answer;
}
const link = (userId: string, discordUserId: string) =>
  transact(em(), (tx) => linkAccount(tx, userId, { discordUserId, username: 'glow' }, new Date()));
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: { code?: string }) => error.code,
  );

describe('a banned email', () => {
  test('is refused however it is written, with and without an invite, until the ban is lifted', async () => {
    const added = await add({ email: 'Ban.Me@BÜCHER.example', label: 'Ban me' });
    expect([added.status, added.body]).toEqual([
      201,
      [expect.objectContaining({ label: 'Ban me', reason: 'Abuse', hasEmail: true, hasDiscord: false, userId: null })],
    ]);
    expect(refusal(await register('ban.me@xn--bcher-kva.example'))).toEqual([403, 'ACCOUNT_REFUSED', REFUSED]);
    const invite = await admin.client.call('POST', '/admin/invites', { name: 'Recruits' });
    const token = String(invite.body.url).split('/').at(-1);
    expect(refusal(await register('BAN.ME@bücher.example', { invite: token }))).toEqual([
      403,
      'ACCOUNT_REFUSED',
      REFUSED,
    ]);
    const [{ uses }] = (await admin.client.call('GET', '/admin/invites')).body;
    expect(uses).toBe(0);
    expect((await register('ban.me@xn--bcher-kva.example.org')).status).toBe(201);
    expect((await lift(added.body[0].id)).body).toEqual({ success: true });
    expect((await register('ban.me@bücher.example')).status).toBe(201);
    expect(refusal(await lift(added.body[0].id))).toEqual([404, 'BAN_NOT_FOUND', 'Ban not found']);
  });

  test('cannot be given to an account that has none', async () => {
    const email = nextAddress();
    await add({ email });
    const pilot = await givenPerson(service);
    await rows(sql`update app_user set password_hash = null where id = ${pilot.id}`);
    const credentials = { email, password: PASSWORD, confirmPassword: PASSWORD };
    expect(refusal(await pilot.client.call('POST', '/auth/credentials', credentials))).toEqual([
      403,
      'ACCOUNT_REFUSED',
      REFUSED,
    ]);
  });

  test('is a bad row of a spreadsheet, and cannot slip in between preview and import', async () => {
    const [email, late] = [nextAddress(), nextAddress()];
    const discordId = nextDiscordId();
    await add({ email });
    await add({ discordUserId: discordId });
    const text = `Email,Call sign,Discord id\n${email},Raven,\n,Crow,${discordId}\n${late},Finch,`;
    const preview = await admin.client.call('POST', '/admin/users/import/preview', { text });
    const told = preview.body.rows.map((row: { state: string; problem: string | null }) => [row.state, row.problem]);
    const problem = 'This email or Discord id is banned. Lift the ban first.';
    expect(told).toEqual([
      ['bad', problem],
      ['bad', problem],
      ['create', null],
    ]);
    await add({ email: late });
    const planned = preview.body.rows.filter((row: { state: string }) => row.state === 'create');
    const toSend = planned.map(({ row, digest, cells }: Record<string, unknown>) => ({ row, digest, cells }));
    const sent = await admin.client.call('POST', '/admin/users/import', { importId: newId(), rows: toSend });
    expect(sent.body.code).toBe('CHANGED');
    expect(await rows(sql`select from app_user where email_key in (${email}, ${late})`)).toEqual([]);
  });
});

describe('a banned Discord id', () => {
  test('gets no registration link, cannot complete one, and is neither linked nor signed in', async () => {
    const discordUserId = nextDiscordId();
    const request = { guildId: GUILD, discordUserId, discordUsername: 'glow', campaignId: null };
    const session = await issueRegistrationSession(em(), request, new Date());
    const [{ id }] = (await add({ discordUserId })).body;
    expect(await codeOf(issueRegistrationSession(em(), request, new Date()))).toBe('ACCOUNT_REFUSED');
    const visitor = createClient(service);
    const search = new URLSearchParams({ discordUserId, guildId: GUILD, session });
    expect((await visitor.call('GET', `/public/registration/link?${search.toString()}`)).body.problem).toBe(REFUSED);
    const form = { discordUserId, guildId: GUILD, session, callSign: 'Glow', timeZone: 'UTC' };
    expect(refusal(await visitor.call('POST', '/public/registration/complete', form))).toEqual([
      403,
      'ACCOUNT_REFUSED',
      REFUSED,
    ]);
    const pilot = await givenPerson(service);
    expect(await codeOf(link(pilot.id, discordUserId))).toBe('ACCOUNT_REFUSED');
    const identity = { discordUserId, username: 'glow' };
    expect(await codeOf(transact(em(), (tx) => findLinkedUser(tx, identity)))).toBe('ACCOUNT_REFUSED');
    await lift(id);
    expect(await codeOf(link(pilot.id, discordUserId))).toBe('done');
    expect(await codeOf(transact(em(), (tx) => findLinkedUser(tx, identity)))).toBe('done');
  });
});

describe('a banned account', () => {
  test('is suspended and signed out, loses its seats, and cannot come back by any way before the ban is lifted', async () => {
    const pilot = await givenPilot(service);
    const discordUserId = nextDiscordId();
    await link(pilot.id, discordUserId);
    await givenMissionIn(service, admin, 30);
    const order = await orderOf(pilot);
    expect((await respond(pilot, order, 'accepted')).status).toBe(200);
    const passwordLink = await admin.client.call('POST', '/admin/users/password-links', { ids: [pilot.id] });

    const { status, body } = await banAccount(pilot.id);
    expect([status, body]).toMatchObject([
      201,
      { label: pilot.displayName, userId: pilot.id, hasEmail: true, hasDiscord: true },
    ]);
    expect((await pilot.client.call('GET', '/auth/me')).status).toBe(401);
    await backfillForPilot(em(), pilot.id, new Date());
    expect(await rows(sql`select from seat where pilot_id = ${pilot.id}`)).toEqual([]);

    const stranger = createClient(service);
    const signIn = () => stranger.call('POST', '/auth/login', { email: pilot.email, password: PASSWORD });
    expect(refusal(await signIn())).toEqual([403, 'ACCOUNT_REFUSED', REFUSED]);
    const wrong = await stranger.call('POST', '/auth/login', { email: pilot.email, password: 'not this one' });
    expect(wrong.body.code).toBe('LOGIN_FAILED');
    expect(await codeOf(transact(em(), (tx) => findLinkedUser(tx, { discordUserId, username: 'glow' })))).toBe(
      'ACCOUNT_REFUSED',
    );
    const [token] = passwordLink.body.map(({ url }: { url: string }) => url.split('/').at(-1));
    const setPassword = { token, password: `${PASSWORD} 2`, confirmPassword: `${PASSWORD} 2` };
    expect((await stranger.call('POST', '/auth/set-password', setPassword)).status).toBeGreaterThanOrEqual(400);
    const anew = await admin.client.call('POST', '/admin/users/password-links', { ids: [pilot.id] });
    const another = { ...setPassword, token: String(anew.body[0].url).split('/').at(-1) };
    expect(refusal(await stranger.call('POST', '/auth/set-password', another))).toEqual([
      403,
      'ACCOUNT_REFUSED',
      REFUSED,
    ]);

    const restore = () => admin.client.call('POST', `/admin/users/${pilot.id}/roles`, { role: 'user' });
    expect(refusal(await restore())).toEqual([409, 'BANNED', 'This account is banned. Lift the ban first.']);
    const listed = await admin.client.call('GET', `/admin/users?query=${encodeURIComponent(pilot.email)}`);
    expect(listed.body.users[0]).toMatchObject({ roles: [], ban: { id: body.id, reason: 'Abuse' } });
    expect(refusal(await banAccount(pilot.id))).toEqual([409, 'BANNED', 'This is banned already.']);
    await lift(body.id);
    expect((await restore()).status).toBe(200);
    expect((await signIn()).status).toBe(200);
    const log = await admin.client.call('GET', `/admin/audit?subjectId=${pilot.id}`);
    const actions = log.body.entries.map(({ action }: { action: string }) => action);
    expect(actions).toEqual(expect.arrayContaining(['ban_added', 'ban_lifted']));
    await retirePilots(service);
  });

  test('is also found by an address that an admin types, with its other identifiers', async () => {
    const [one, other] = [await givenPerson(service), await givenPerson(service)];
    const [ofOne, ofOther, ofNobody] = [nextDiscordId(), nextDiscordId(), nextDiscordId()];
    await link(one.id, ofOne);
    await link(other.id, ofOther);
    const two = await add({ email: one.email.toUpperCase(), discordUserId: ofOther });
    expect(
      two.body.map(({ userId, hasEmail, hasDiscord }: Record<string, unknown>) => [userId, hasEmail, hasDiscord]),
    ).toEqual([
      [one.id, true, true],
      [other.id, true, true],
    ]);
    for (const { client } of [one, other]) expect((await client.call('GET', '/auth/me')).status).toBe(401);
    expect((await add({ discordUserId: ofOne })).body.code).toBe('BANNED');
    const third = await givenPerson(service);
    const mixed = await add({ email: third.email, discordUserId: ofNobody });
    expect(mixed.body.map(({ userId }: { userId: string | null }) => userId)).toEqual([third.id, null]);
  });

  test('that waited for approval is declined, and approving it says why not', async () => {
    await admin.client.call('PUT', '/admin/community', { name: null, registration: 'approval' });
    const { body: account } = await register(nextAddress());
    await admin.client.call('PUT', '/admin/community', { name: null, registration: 'open' });
    expect((await banAccount(account.id)).status).toBe(201);
    const approve = () =>
      admin.client.call('POST', '/admin/waiting-accounts', { ids: [account.id], decision: 'approve' });
    expect((await approve()).body.code).toBe('BANNED');
  });

  test('cannot be undone by keeping an account that was about to be deleted', async () => {
    const pilot = await givenPerson(service);
    await pilot.client.call('POST', '/auth/deletion', { currentPassword: PASSWORD });
    expect((await banAccount(pilot.id)).status).toBe(201);
    expect((await pilot.client.call('DELETE', '/auth/deletion')).status).toBe(401);
    const again = await createClient(service).call('POST', '/auth/login', { email: pilot.email, password: PASSWORD });
    expect(again.body.code).toBe('ACCOUNT_REFUSED');
  });

  test('stays banned after its deletion, and the ban then names nobody', async () => {
    const pilot = await givenPerson(service);
    const name = `Gone ${newId().slice(-6)}`;
    await pilot.client.call('PUT', `/users/${pilot.id}`, { displayName: name, timeZone: 'UTC' });
    const reason = `Wrote to everybody from ${pilot.email}`;
    await admin.client.call('POST', `/admin/users/${pilot.id}/ban`, { reason });
    const other = await add({ discordUserId: nextDiscordId(), label: name, reason });
    await rows(sql`update app_user set deletion_due_at = now() - interval '1 minute' where id = ${pilot.id}`);
    await eraseDueAccounts(em(), new Date());
    const stored = JSON.stringify(await rows(sql`select * from ban`));
    for (const text of [name, pilot.email]) expect(stored).not.toContain(text);
    expect((await list()).find(({ id }: { id: string }) => id === other.body[0].id)).toMatchObject({
      label: 'former pilot',
    });
    expect(refusal(await register(pilot.email))).toEqual([403, 'ACCOUNT_REFUSED', REFUSED]);
  });
});

describe('an admin', () => {
  test('cannot ban their own account or address, and others cannot ban at all', async () => {
    const own = [409, 'OWN_ACCOUNT', 'You cannot ban yourself.'];
    expect(refusal(await banAccount(admin.id))).toEqual(own);
    expect(refusal(await add({ email: admin.email }))).toEqual(own);
    const pilot = await givenPerson(service);
    expect((await banAccount(admin.id, pilot)).status).toBe(403);
    expect((await add({ email: nextAddress() }, pilot)).status).toBe(403);
    expect((await pilot.client.call('GET', '/admin/bans')).status).toBe(403);
  });

  test('two admins who ban each other at once leave one of them', async () => {
    const [one, two] = [await givenAdmin(service), await givenAdmin(service)];
    const answers = await Promise.all([banAccount(two.id, one), banAccount(one.id, two)]);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const left = await rows(sql`select from app_user where 'admin' = any(roles) and id in (${one.id}, ${two.id})`);
    expect(left).toHaveLength(1);
  });

  test.each([
    [{}, 'email', 'Enter an email, a Discord id, or both'],
    [{ email: 'nobody' }, 'email', 'Invalid email address'],
    [{ discordUserId: 'glow' }, 'discordUserId', 'A Discord id has 5 to 20 digits'],
    [{ email: 'a@example.org', reason: ' ' }, 'reason', 'Please give a reason'],
    [{ email: 'a@example.org', label: '' }, 'label', 'Please give the entry a label'],
  ])('reads what is wrong with %j', async (values, field, message) => {
    const { status, body } = await add(values);
    expect([status, body.issues]).toEqual([400, [{ path: field, message }]]);
  });
});

test('a ban that is made while a registration is under way finds the account', async () => {
  const email = nextAddress();
  // The registration has checked its address and waits here for the ban, which has not looked for accounts yet.
  let registration: Promise<Answer> | undefined;
  await transact(em(), async (tx) => {
    await lockBans(tx);
    registration = register(email);
    await expect
      .poll(() => rows(sql`select from pg_locks where locktype = 'advisory' and not granted`), { timeout: 10_000 })
      .not.toEqual([]);
  });
  const [registered, banned] = await Promise.all([registration, add({ email })]);
  expect(banned.status).toBe(201);
  const [account] = await rows<{ roles: string[] }>(sql`select roles from app_user where email_key = ${email}`);
  if (registered?.status === 201) expect(account?.roles).toEqual([]);
  else expect([registered?.body.code, account]).toEqual(['ACCOUNT_REFUSED', undefined]);
});

test('nothing that names a person is stored', async () => {
  const [email, discordUserId] = [nextAddress(), nextDiscordId()];
  await add({ email, discordUserId });
  const stored = JSON.stringify(await rows(sql`select * from ban`));
  expect([stored.includes(email), stored.includes(discordUserId)]).toEqual([false, false]);
});

test('an installation has at most 5,000 bans', async () => {
  const known = await list();
  await rows(sql`insert into ban (id, email_hash, label, reason, created_at)
                 select gen_random_uuid(), 'hash ' || n, 'Many', 'Abuse', now()
                 from generate_series(1, ${5_000 - known.length}::int) as n`);
  expect((await add({ email: nextAddress() })).body.code).toBe('LIMIT_REACHED');
  await rows(sql`delete from ban where label = 'Many'`);
});
