/** Admins and second factors: REQUIRE_ADMIN_2FA on every transport, and the reset for pilots who have lost theirs. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createServerCalls } from '#bot/server.ts';
import { query, sql } from '#server/schema/query.ts';
import { OPERATIONS } from '#tests/api/http/operations.ts';
import { givenAdmin, givenPerson, PASSWORD, type Person } from '#tests/harness/given.ts';
import { givenAuthenticator, givenFirstStep } from '#tests/harness/second-factor.ts';
import { createClient, startService, type Service } from '#tests/harness/service.ts';
import { ask, TRANSPORTS } from '#tests/harness/transports.ts';

const REQUIRED = {
  status: 403,
  code: 'ADMIN_SECOND_FACTOR_REQUIRED',
  message: 'Admins need a second factor here. Please set one up on your profile, under Two-step sign-in.',
};

let open: Service;
let strict: Service;
let admin: Person;
beforeAll(async () => {
  open = await startService();
  strict = await startService({ beside: open, env: { REQUIRE_ADMIN_2FA: '1' } });
  admin = await givenAdmin(strict);
});
afterAll(async () => {
  await strict.stop();
  await open.stop();
});

async function givenToken({ id, client }: Person, scopes: readonly string[]): Promise<string> {
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
  const { status, body } = await client.call('POST', `/users/${id}/tokens`, { name: 'Script', scopes, expiresAt });
  expect(status).toBe(201);
  return body.token;
}

const NOTHING = '0192c0de-0000-7000-8000-0000000000fd';
const PARTS = {
  email: 'nobody@example.org',
  orderId: NOTHING,
  missionId: NOTHING,
  flightId: NOTHING,
  templateId: NOTHING,
};
const ADMIN_CALLS = Object.entries(OPERATIONS).filter(([, { policy }]) => policy === 'admin');

describe('where admins need a second factor, an admin without one', () => {
  test.each(ADMIN_CALLS)('%s is refused', async (name, { input }) => {
    for (const transport of TRANSPORTS) {
      expect(
        await ask(strict, transport, name, input({ ...PARTS, id: admin.id }), admin.client.cookie()),
      ).toMatchObject(REQUIRED);
    }
  });

  test('is refused with an access token too, which was made before', async () => {
    const boss = await givenAdmin(open);
    const token = await givenToken(boss, ['read', 'pilot', 'admin']);
    for (const transport of TRANSPORTS) {
      expect((await ask(open, transport, 'admin.users', {}, { token })).status).toBe(200);
      expect(await ask(strict, transport, 'admin.users', {}, { token })).toMatchObject(REQUIRED);
    }
  });

  test("reads and changes nobody else's data, and cannot make a token for it", async () => {
    const pilot = await givenPerson(strict);
    const cookie = admin.client.cookie();
    for (const transport of TRANSPORTS) {
      expect(await ask(strict, transport, 'pilot.status', { id: pilot.id }, cookie)).toMatchObject(REQUIRED);
      const change = { id: pilot.id, displayName: 'Renamed', timeZone: 'UTC' };
      expect(await ask(strict, transport, 'pilot.updateProfile', change, cookie)).toMatchObject(REQUIRED);
    }
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
    const token = { id: admin.id, name: 'Script', scopes: ['read', 'admin'], expiresAt };
    expect(await ask(strict, 'rest', 'auth.tokens.create', token, cookie)).toMatchObject({
      status: 403,
      code: 'ADMINS_ONLY',
    });
  });

  test('works as a pilot, is told, and gets the pages of admins with the set-up', async () => {
    const boss = await givenAdmin(strict);
    for (const path of ['/pilot/inbox', '/auth/me', `/users/${boss.id}/status`, '/missions']) {
      expect((await boss.client.call('GET', path)).status, path).toBe(200);
    }
    const viewer = async () => (await boss.client.call('GET', '/auth/viewer')).body;
    expect(await viewer()).toMatchObject({ needsSecondFactor: true, roles: ['admin', 'user'] });
    expect((await boss.client.call('GET', '/auth/second-factor')).body.isRequired).toBe(true);
    await givenAuthenticator(boss);
    expect((await boss.client.call('GET', '/admin/users')).status).toBe(200);
    expect((await viewer()).needsSecondFactor).toBe(false);
    // turning it off counts at once
    const input = { currentPassword: PASSWORD };
    expect((await boss.client.call('POST', '/auth/second-factor/authenticator/remove', input)).status).toBe(200);
    expect((await boss.client.call('GET', '/admin/users')).status).toBe(403);
  });

  test('other pilots are refused as always, and nothing changes without the setting', async () => {
    const pilot = await givenPerson(strict);
    expect((await pilot.client.call('GET', '/admin/users')).body.code).toBe('ADMINS_ONLY');
    expect((await pilot.client.call('GET', '/auth/viewer')).body.needsSecondFactor).toBe(false);
    const boss = await givenAdmin(open);
    expect((await boss.client.call('GET', '/admin/users')).status).toBe(200);
  });
});

describe('the reset by an admin', () => {
  const reset = (by: Person, id: string) => by.client.call('POST', `/admin/users/${id}/reset-second-factor`);

  test('removes everything, is audited, and the pilot signs in with the password alone', async () => {
    const [boss, pilot] = [await givenAdmin(open), await givenPerson(open)];
    await givenAuthenticator(pilot);
    await givenFirstStep(open, pilot);
    expect((await boss.client.call('GET', `/admin/users?query=${pilot.email}`)).body.users).toMatchObject([
      { hasSecondFactor: true },
    ]);
    expect(await reset(boss, pilot.id)).toMatchObject({ status: 200, body: { success: true } });
    const login = { email: pilot.email, password: PASSWORD };
    expect((await createClient(open).call('POST', '/auth/login', login)).status).toBe(200);
    const { body } = await boss.client.call('GET', `/admin/audit?subjectId=${pilot.id}&action=second_factor_reset`);
    expect(body.entries).toMatchObject([{ actor: { id: boss.id }, summary: 'Reset two-step sign-in' }]);
    const { body: history } = await pilot.client.call('GET', '/auth/sign-in-history');
    expect(history).toContainEqual(expect.objectContaining({ action: 'second_factor_reset', isByAnother: true }));
    const tables = ['authenticator', 'passkey', 'recovery_code', 'remembered_device', 'pending_sign_in'];
    for (const table of tables) {
      const rows = await query(open.app.orm.em.fork(), sql`select from ${sql.ref(table)} where user_id = ${pilot.id}`);
      expect(rows, table).toEqual([]);
    }
    expect(await reset(boss, pilot.id)).toMatchObject({ status: 409, body: { code: 'SECOND_FACTOR_MISSING' } });
  });

  test("is not for one's own account, nor for pilots", async () => {
    const [boss, pilot] = [await givenAdmin(open), await givenPerson(open)];
    await givenAuthenticator(boss);
    expect(await reset(boss, boss.id)).toMatchObject({ status: 409, body: { code: 'OWN_ACCOUNT' } });
    expect((await reset(pilot, boss.id)).status).toBe(403);
    expect((await boss.client.call('GET', '/auth/second-factor')).body.isOn).toBe(true);
  });
});

test('the bot refuses /mission of an admin who has to set up a second factor, as the site does', async () => {
  const [boss, discordUserId] = [await givenAdmin(strict), '700600500400300777'];
  await query(
    strict.app.orm.em.fork(),
    sql`insert into discord_account (discord_user_id, user_id, username, linked_at)
        values (${discordUserId}, ${boss.id}, 'boss', now())`,
  );
  const actor = { discordUserId, discordUsername: 'boss', guildId: null, canManageGuild: false };
  const about = { actor, missionId: NOTHING };
  const codeAt = async (service: Service) =>
    createServerCalls(service.url, service.app.botToken)
      .reply.mission.publish.mutate(about)
      .catch((error: unknown) => Object(error).data.refusal);
  expect(await codeAt(open)).toBe('MISSION_NOT_FOUND');
  expect(await codeAt(strict)).toBe('ADMIN_SECOND_FACTOR_REQUIRED');
});
