/** Passwords of a call sign, an email or the community's name with little more, refused wherever a password is chosen. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { issueSignInLink } from '#server/accounts/sign-in-links.ts';
import { setPassword } from '#server/accounts/operator.ts';
import { isMadeOf } from '#server/platform/common-passwords.ts';
import { query, sql } from '#server/schema/query.ts';
import { copy } from '#shared/copy.ts';
import { givenAdmin, givenPerson, PASSWORD, type Person } from '#tests/harness/given.ts';
import { createClient, startService, type Service } from '#tests/harness/service.ts';

let service: Service;
let admin: Person;
let pilot: Person;
beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
  pilot = await givenPerson(service, { displayName: 'Night Kestrel' });
  await admin.client.call('PUT', '/admin/community', { name: 'Lantern Wing', registration: 'open' });
});
afterAll(() => service.stop());

const chosen = (password: string) => ({ password, confirmPassword: password });

/** Every entrance for a new password, with what the pilot's account holds. */
const ENTRANCES: Record<string, (password: string) => Promise<{ status: number; body: { message?: string } }>> = {
  registration: (password) =>
    createClient(service).call('POST', '/auth/register', {
      email: 'night.kestrel@lantern-wing.org',
      ...chosen(password),
    }),
  'a change': (password) =>
    pilot.client.call('POST', '/auth/password', {
      currentPassword: PASSWORD,
      newPassword: password,
      confirmPassword: password,
    }),
  'a reset': (newPassword) => admin.client.call('POST', `/admin/users/${pilot.id}/reset-password`, { newPassword }),
  'a personal link': async (password) => {
    const [{ url }] = (await admin.client.call('POST', '/admin/users/password-links', { ids: [pilot.id] })).body;
    const token = String(url).split('/').at(-1);
    return createClient(service).call('POST', '/auth/set-password', { token, ...chosen(password) });
  },
  'a first password': async (password) => {
    const em = service.app.orm.em.fork();
    const member = await givenPerson(service, { displayName: 'Night Kestrel' });
    await query(em, sql`update app_user set password_hash = null where id = ${member.id}`);
    await issueSignInLink(em, member.id, `link-of-${member.id}`, new Date());
    return member.client.call('POST', '/auth/credentials', { email: 'glow@example.org', ...chosen(password) });
  },
  'the command line': (password) =>
    setPassword(service.app.orm.em.fork(), service.app.passwords, pilot.email, password).then(
      () => ({ status: 200, body: {} }),
      (error: Error) => ({ status: 400, body: { message: error.message } }),
    ),
};

describe.each(Object.entries(ENTRANCES))('%s', (_what, choose) => {
  test.each(['Kestrel2026!', 'n1ghtk3str3l#1', 'Lantern-Wing1', 'wing lantern 9'])('refuses %s', async (password) => {
    const { status, body } = await choose(password);
    expect([status, body.message]).toEqual([400, copy.passwordTooPersonal]);
  });
});

test.each([
  ['kestrel flies over the lantern', ['Night Kestrel', 'Lantern Wing'], false],
  ['Viper', ['Viper'], true],
  ['V1PER12345', ['Viper'], true],
  ['only the chief knows', ['only'], false],
  ['three blind mice 7', ['Ace', 'a@b.co'], false],
  ['雷鳥雷鳥雷鳥雷鳥', ['雷鳥雷鳥'], true],
  ['nobody at all', ['', ' '], false],
])('%s with %j', (password, words, isRefused) => expect(isMadeOf(password, words, 8)).toBe(isRefused));

test('a longer password may have such a word in it', async () => {
  const password = 'seven kestrels over Batumi';
  expect((await ENTRANCES['a change']?.(password))?.status).toBe(200);
});
