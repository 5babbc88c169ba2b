/**
 * Calls that give access: no access token makes them, and a session only soon after a sign-in, with the second factor where one
 * is set. By both transports. `tests/unit/server/http/access.test.ts` holds the list.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { givenAdmin, givenPerson, hoursFromNow, PASSWORD, type Person } from '#tests/harness/given.ts';
import { codeOf, finish, givenAuthenticator } from '#tests/harness/second-factor.ts';
import { createClient, sessionOf, startService, type Service } from '#tests/harness/service.ts';
import { ask, TRANSPORTS, type Transport } from '#tests/harness/transports.ts';

const SESSION = { status: 403, code: 'SESSION_REQUIRED' };
const STALE = {
  status: 403,
  code: 'FRESH_SIGN_IN_REQUIRED',
  message: 'Please confirm that it is you: sign in again, and repeat this within ten minutes.',
};
const expiresAt = `${hoursFromNow(20)}:00Z`;
const ADMIN_INVITE = { name: 'Deputies', role: 'admin', maxUses: 1, expiresAt };

let service: Service;
let admin: Person;
let pilot: Person;
let token: string;
const em = () => service.app.orm.em.fork();
const rolesOf = async ({ id }: Person) =>
  (await query<{ roles: string[] }>(em(), sql`select roles from app_user where id = ${id}`))[0]?.roles;

async function givenToken({ id, client }: Person): Promise<string> {
  const plan = { name: 'Script', scopes: ['read', 'pilot', 'admin'], expiresAt };
  const { status, body } = await client.call('POST', `/users/${id}/tokens`, plan);
  expect([status, body.message]).toEqual([201, undefined]);
  return body.token;
}

/** Make the sessions of an account as old as an admin's who went to lunch. */
const age = ({ id }: Person, minutes = 11) =>
  query(em(), sql`update session set created_at = now() - ${minutes} * interval '1 minute' where user_id = ${id}`);

beforeAll(async () => {
  service = await startService();
  token = await givenToken(await givenAdmin(service));
});
afterAll(() => service.stop());
beforeEach(async () => {
  admin = await givenAdmin(service);
  pilot = await givenPerson(service);
});

/** Calls by which somebody gets access, each with an input that works for a fresh session. */
const CALLS: [string, () => Record<string, unknown>][] = [
  ['admin.addRole', () => ({ id: pilot.id, role: 'admin' })],
  ['admin.community.createInvite', () => ADMIN_INVITE],
  ['admin.passwordLinks', () => ({ ids: [pilot.id] })],
  ['admin.resetPassword', () => ({ id: pilot.id, newPassword: 'nine slow transponders' })],
  ['auth.tokens.create', () => ({ id: admin.id, name: 'More', scopes: ['admin'], expiresAt })],
];
const EVERY = TRANSPORTS.flatMap((transport) => CALLS.map(([name, input]) => [transport, name, input] as const));

describe('what gives others access', () => {
  test.each(EVERY)('is refused to a token: by %s, %s', async (transport, name, input) => {
    expect(await ask(service, transport, name, input(), { token })).toMatchObject(SESSION);
    expect(await rolesOf(pilot)).toEqual(['user']);
  });

  test.each(EVERY)('is refused to a session of eleven minutes: by %s, %s', async (transport, name, input) => {
    await age(admin);
    expect(await ask(service, transport, name, input(), admin.client.cookie())).toMatchObject(STALE);
    expect(await rolesOf(pilot)).toEqual(['user']);
  });

  test.each(EVERY)('works soon after a sign-in: by %s, %s', async (transport, name, input) => {
    await age(admin, 9);
    expect((await ask(service, transport, name, input(), admin.client.cookie())).status).toBeLessThan(300);
  });

  test('goes on to work without access: by token, and in an old session', async () => {
    await age(admin);
    for (const caller of [{ token }, admin.client.cookie()]) {
      for (const transport of TRANSPORTS) {
        const user = { id: pilot.id, role: 'user' };
        expect((await ask(service, transport, 'admin.addRole', user, caller)).status).toBeLessThan(300);
        const invite = await ask(service, transport, 'admin.community.createInvite', { name: 'Recruits' }, caller);
        expect(invite.status).toBeLessThan(300);
      }
    }
  });
});

describe('an invite for admins', () => {
  const listed = async (caller: string | { token: string }, id: string) => {
    const { body } = await ask(service, 'rest', 'admin.community.invites', undefined, caller);
    return (body as { id: string; url: string }[]).find((one) => one.id === id)?.url;
  };

  test('shows its link to no token, and those for pilots do', async () => {
    const deputies = await admin.client.call('POST', '/admin/invites', ADMIN_INVITE);
    const recruits = await admin.client.call('POST', '/admin/invites', { name: 'Recruits' });
    expect(await listed({ token }, deputies.body.id)).toBe('');
    expect(await listed({ token }, recruits.body.id)).toBe(recruits.body.url);
    expect(await listed(admin.client.cookie(), deputies.body.id)).toBe(deputies.body.url);
  });

  test('makes no admin when a token approves, nor in an old session', async () => {
    const { body } = await admin.client.call('POST', '/admin/invites', { ...ADMIN_INVITE, withApproval: true });
    const invite = String(body.url).split('/').at(-1);
    const account = { email: `${pilot.id}@example.org`, password: PASSWORD, confirmPassword: PASSWORD, invite };
    const { id } = (await createClient(service).call('POST', '/auth/register', account)).body;
    await age(admin);
    const decision = { ids: [id], decision: 'approve', admins: [id] };
    for (const transport of TRANSPORTS) {
      expect(await ask(service, transport, 'admin.community.decide', decision, { token })).toMatchObject(SESSION);
      expect(await ask(service, transport, 'admin.community.decide', decision, admin.client.cookie())).toMatchObject(
        STALE,
      );
    }
    await admin.client.call('POST', `/admin/invites/${body.id}/revoke`);
    const asPilot = await ask(service, 'rest', 'admin.community.decide', { ...decision, admins: [] }, { token });
    expect(asPilot).toMatchObject({ status: 200, body: { decided: 1 } });
  });
});

describe('an import', () => {
  let ids = 700_800_900_100_200_300n;
  /** A file with a row that links a Discord account to an admin, one that gives a pilot an email, a new one, and a change. */
  async function givenFile() {
    const [withoutEmail, changed] = [await givenPerson(service), await givenPerson(service)];
    const victim = await givenAdmin(service);
    const discordId = String((ids += 1n));
    const otherId = String((ids += 1n));
    await query(
      em(),
      sql`insert into discord_account (discord_user_id, user_id, username, linked_at, wants_orders)
          values (${otherId}, ${withoutEmail.id}, 'viper', now(), true)`,
    );
    const placeholder = `${withoutEmail.id}@discord.invalid`;
    await query(
      em(),
      sql`update app_user set email = ${placeholder}, email_key = ${placeholder}, password_hash = null where id = ${withoutEmail.id}`,
    );
    const rows = [
      `Victim,${victim.email},${discordId}`,
      `Viper,viper-${otherId}@example.org,${otherId}`,
      `New,new-${otherId}@example.org,`,
      `Renamed,${changed.email},`,
    ];
    return { text: ['Call sign,Email,Discord id', ...rows].join('\n'), victim, withoutEmail, changed };
  }
  type Caller = string | { token: string };
  interface Row {
    row: number;
    state: string;
    problem: string | null;
    digest: string;
    cells: object;
  }
  const preview = async (transport: Transport, text: string, caller: Caller) =>
    ((await ask(service, transport, 'admin.spreadsheet.preview', { text }, caller)).body as { rows: Row[] }).rows;
  const store = (transport: Transport, rows: Row[], caller: Caller) =>
    ask(
      service,
      transport,
      'admin.spreadsheet.import',
      { importId: crypto.randomUUID(), rows: rows.map(({ row, digest, cells }) => ({ row, digest, cells })) },
      caller,
    );
  const linked = async ({ id }: Person) =>
    (await query<{ n: number }>(em(), sql`select count(*)::int as n from discord_account where user_id = ${id}`))[0]?.n;

  test.each(TRANSPORTS)('by token links and mails nobody, and does the rest: by %s', async (transport) => {
    const { text, victim, withoutEmail, changed } = await givenFile();
    const rows = await preview(transport, text, { token });
    expect(rows.map(({ state, problem }) => [state, problem])).toEqual([
      [
        'bad',
        'An access token cannot link a Discord account. Please import this row on the site, or leave the cell blank.',
      ],
      [
        'bad',
        'An access token cannot give an account its email. Please import this row on the site, or leave the cell blank.',
      ],
      ['create', null],
      ['update', null],
    ]);
    // as a script would that does not look at the states, with the digests of a session
    const forged = await preview('rest', text, admin.client.cookie());
    const refused = await store(transport, forged, { token });
    expect(refused).toMatchObject({
      ...SESSION,
      message:
        'Row 2: An access token cannot link a Discord account. Please import this row on the site, or leave the cell blank.',
    });
    expect((await store(transport, rows.slice(2), { token })).status).toBe(200);
    expect(await linked(victim)).toBe(0);
    const [{ email } = { email: '' }] = await query<{ email: string }>(
      em(),
      sql`select email from app_user where id = ${withoutEmail.id}`,
    );
    expect(email).toMatch(/@discord\.invalid$/);
    const renamed = await admin.client.call('GET', `/users/${changed.id}`);
    expect(renamed.body.displayName).toBe('Renamed');
  });

  test('in a session links only soon after a sign-in', async () => {
    const { text, victim } = await givenFile();
    await age(admin);
    const rows = await preview('rest', text, admin.client.cookie());
    expect(rows.map(({ state }) => state)).toEqual(['update', 'update', 'create', 'update']);
    expect(await store('rest', rows, admin.client.cookie())).toMatchObject(STALE);
    expect((await store('rest', rows.slice(2), admin.client.cookie())).status).toBe(200);
    expect(await linked(victim)).toBe(0);
    await age(admin, 1);
    expect((await store('rest', rows, admin.client.cookie())).status).toBe(200);
    expect(await linked(victim)).toBe(1);
  });
});

describe('with a second factor', () => {
  const signIn = (client = admin.client, more = {}) =>
    client.call('POST', '/auth/login', { email: admin.email, password: PASSWORD, ...more });
  const addRole = () => admin.client.call('POST', `/admin/users/${pilot.id}/roles`, { role: 'admin' });

  test('a remembered device does not stand in for it, and the same sign-in can ask for it', async () => {
    const { key } = await givenAuthenticator(admin);
    await signIn();
    await finish(admin.client, { code: codeOf(key), isRemembered: true });
    expect((await addRole()).status).toBe(200);
    await admin.client.call('DELETE', `/admin/users/${pilot.id}/roles/admin`);

    const before = sessionOf(admin.client);
    expect((await signIn()).status).toBe(200);
    expect(sessionOf(admin.client)).not.toBe(before);
    expect(await addRole()).toMatchObject({ status: 403, body: { code: 'FRESH_SIGN_IN_REQUIRED' } });
    expect(await signIn(admin.client, { withSecondFactor: true })).toMatchObject({
      status: 401,
      body: { code: 'SECOND_FACTOR_REQUIRED' },
    });
    // the password alone changes nothing
    expect(await addRole()).toMatchObject({ status: 403, body: { code: 'FRESH_SIGN_IN_REQUIRED' } });
    expect((await finish(admin.client, { code: codeOf(key, 1) })).status).toBe(200);
    expect((await addRole()).status).toBe(200);
  });
});

describe('an account without a password', () => {
  const withoutPassword = ({ id }: Person) =>
    query(em(), sql`update app_user set password_hash = null where id = ${id}`);
  const credentials = { email: 'first@example.org', password: PASSWORD, confirmPassword: PASSWORD };

  test('sets its first one only soon after a sign-in, and by no token', async () => {
    await withoutPassword(pilot);
    await age(pilot);
    for (const transport of TRANSPORTS) {
      expect(await ask(service, transport, 'auth.setCredentials', credentials, { token })).toMatchObject(SESSION);
      expect(await ask(service, transport, 'auth.setCredentials', credentials, pilot.client.cookie())).toMatchObject({
        status: 403,
        code: 'FRESH_SIGN_IN_REQUIRED',
        message: 'Please sign out and sign in again first: this account has no password to confirm with.',
      });
    }
    await age(pilot, 1);
    const set = await ask(service, 'rest', 'auth.setCredentials', credentials, pilot.client.cookie());
    expect(set.status).toBe(200);
  });
});
