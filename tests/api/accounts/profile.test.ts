/** Profile tests: levels, notification choices, sessions, the password. */
import type { z } from 'zod';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import type { profileForm } from '#shared/schemas/auth.ts';
import { givenAdmin, givenPerson, PASSWORD, type Person } from '#tests/harness/given.ts';
import { createClient, sessionOf, startService, type Client, type Service } from '#tests/harness/service.ts';

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1';

let service: Service;
let admin: Person;
beforeAll(async () => {
  service = await startService({ env: { DEV_TOKENS: '1' } });
  admin = await givenAdmin(service);
});
afterAll(() => service.stop());

const VIPER = { aircraftId: 2, aircraftCode: 'F-16C_50', aircraftName: 'F-16C Viper' };

describe('levels', () => {
  const path = (pilot: Person, aircraftId: number | string = '') => `/users/${pilot.id}/proficiencies/${aircraftId}`;
  const list = async (pilot: Person) => (await pilot.client.call('GET', path(pilot))).body;

  test('are set, changed and removed by the pilot, any number of times, and listed by name', async () => {
    const pilot = await givenPerson(service);
    expect(await list(pilot)).toEqual([]);
    const first = await pilot.client.call('PUT', path(pilot, 2), { level: 'learning' });
    expect([first.status, first.body]).toEqual([
      200,
      { ...VIPER, level: 'learning', setByAdmin: false, updatedAt: expect.any(String) },
    ]);
    const again = await pilot.client.call('PUT', path(pilot, 2), { level: 'learning' });
    expect(again.body).toEqual(first.body);
    await pilot.client.call('PUT', path(pilot, 2), { level: 'expert' });
    await pilot.client.call('PUT', path(pilot, 3), { level: 'basic' });
    const rows = await list(pilot);
    expect(rows.map((row: typeof VIPER & { level: string }) => [row.aircraftName, row.level])).toEqual([
      ['A-10C II Warthog', 'basic'],
      ['F-16C Viper', 'expert'],
    ]);
    expect((await pilot.client.trpc.pilot.proficiencies.query({ id: pilot.id })).map((row) => row.level)).toEqual([
      'basic',
      'expert',
    ]);
    for (const time of ['first', 'second']) {
      const gone = await pilot.client.call('DELETE', path(pilot, 3));
      expect([gone.status, gone.body], time).toEqual([200, { success: true }]);
    }
    expect(await list(pilot)).toHaveLength(1);
  });

  test('a level set by an admin stays until an admin changes it', async () => {
    const pilot = await givenPerson(service);
    await pilot.client.call('PUT', path(pilot, 2), { level: 'expert' });
    const set = await admin.client.call('PUT', path(pilot, 2), { level: 'learning' });
    expect(set.body).toMatchObject({ level: 'learning', setByAdmin: true });

    const refusals = [
      await pilot.client.call('PUT', path(pilot, 2), { level: 'expert' }),
      await pilot.client.call('DELETE', path(pilot, 2)),
    ];
    for (const { status, body } of refusals) {
      expect([status, body.message]).toEqual([409, 'An admin set this level; only an admin can change it.']);
    }
    expect(await list(pilot)).toMatchObject([{ level: 'learning', setByAdmin: true }]);

    await admin.client.call('PUT', path(pilot, 2), { level: 'proficient' });
    expect(await list(pilot)).toMatchObject([{ level: 'proficient', setByAdmin: true }]);
    // once an admin takes it off the list the pilot speaks again
    await admin.client.call('DELETE', path(pilot, 2));
    await pilot.client.call('PUT', path(pilot, 2), { level: 'basic' });
    expect(await list(pilot)).toMatchObject([{ level: 'basic', setByAdmin: false }]);

    const notes = await query<{ action: string; detail: unknown }>(
      service.app.orm.em.fork(),
      sql`select action, detail from audit_entry where subject_id = ${pilot.id} and action <> 'signed_in'
          order by occurred_at, id`,
    );
    expect(notes).toEqual([
      { action: 'proficiency_set', detail: { aircraftId: 2, level: 'learning' } },
      { action: 'proficiency_set', detail: { aircraftId: 2, level: 'proficient' } },
      { action: 'proficiency_removed', detail: { aircraftId: 2 } },
    ]);
  });

  test('admins set their own levels as pilots do', async () => {
    const { body } = await admin.client.call('PUT', path(admin, 2), { level: 'expert' });
    expect(body).toMatchObject({ level: 'expert', setByAdmin: false });
  });

  test.each([
    ['aircraft nobody has', 32_000, { level: 'basic' }, 400, 'This aircraft does not exist'],
    ['aircraft that is no number', 'viper', { level: 'basic' }, 400, 'This aircraft does not exist'],
    ['a level nobody knows', 2, { level: 'ace' }, 400, 'The level must be basic, learning, proficient or expert'],
    ['no level', 2, {}, 400, 'The level must be basic, learning, proficient or expert'],
  ])('%s is refused and stores nothing', async (_what, aircraftId, body, status, message) => {
    const pilot = await givenPerson(service);
    const answer = await pilot.client.call('PUT', path(pilot, aircraftId), body);
    expect([answer.status, answer.body.message]).toEqual([status, message]);
    expect(await list(pilot)).toEqual([]);
  });

  test('of an unknown pilot are 404 for an admin', async () => {
    const nobody = { ...admin, id: '0192c0de-0000-7000-8000-000000000000' };
    const answers = [
      await admin.client.call('GET', path(nobody)),
      await admin.client.call('PUT', path(nobody, 2), { level: 'basic' }),
      await admin.client.call('DELETE', path(nobody, 2)),
      await admin.client.call('GET', `/users/${nobody.id}/notifications`),
    ];
    expect(answers.map(({ status, body }) => [status, body.message])).toEqual(
      answers.map(() => [404, 'User not found']),
    );
  });
});

test('a profile is stored with every field of the form', async () => {
  const pilot = await givenPerson(service);
  const form: Required<z.infer<typeof profileForm>> = { displayName: 'Night Heron', timeZone: 'Asia/Kathmandu' };
  await pilot.client.call('PUT', `/users/${pilot.id}`, form);
  expect((await pilot.client.call('GET', '/auth/me')).body).toMatchObject(form);
});

describe('a profile that names what the caller saw', () => {
  const SEEN = { displayName: 'Goose', timeZone: 'UTC' };
  const read = async ({ client }: Person) => {
    const { displayName, timeZone } = (await client.call('GET', '/auth/me')).body;
    return { displayName, timeZone };
  };
  const save = ({ id, client }: Person, profile: object, seen?: object) =>
    client.call('PUT', `/users/${id}`, { ...profile, ...(seen && { seen }) });

  test('keeps what somebody else changed meanwhile, unless it is the same field', async () => {
    const pilot = await givenPerson(service, SEEN);
    expect((await save(pilot, { ...SEEN, timeZone: 'Asia/Tokyo' }, SEEN)).status).toBe(200);
    const other = await save(pilot, { ...SEEN, displayName: 'Maverick' }, SEEN);
    expect([other.status, other.body]).toEqual([
      200,
      expect.objectContaining({ displayName: 'Maverick', timeZone: 'Asia/Tokyo' }),
    ]);
    const third = await save(pilot, { displayName: 'Iceman', timeZone: 'Europe/Paris' }, SEEN);
    expect([third.status, third.body.code, third.body.message]).toEqual([
      409,
      'CHANGED',
      'Your profile has been changed somewhere else. Load it again, then decide which values to keep.',
    ]);
    expect(third.body.issues.map(({ path }: { path: string }) => path)).toEqual(['displayName']);
    expect(await read(pilot)).toEqual({ displayName: 'Maverick', timeZone: 'Asia/Tokyo' });
    // the same change by both is none to ask about
    expect((await save(pilot, { displayName: 'Maverick', timeZone: 'UTC' }, SEEN)).status).toBe(200);
    expect(await read(pilot)).toEqual({ displayName: 'Maverick', timeZone: 'Asia/Tokyo' });
  });

  test('stores one of many at once', async () => {
    const pilot = await givenPerson(service, SEEN);
    const names = ['Alpha', 'Bravo', 'Charlie', 'Delta'];
    const answers = await Promise.all(names.map((displayName) => save(pilot, { ...SEEN, displayName }, SEEN)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409]);
    const stored = names[answers.findIndex(({ status }) => status === 200)];
    expect(await read(pilot)).toEqual({ ...SEEN, displayName: stored });
  });

  test('may have seen no call sign', async () => {
    const pilot = await givenPerson(service);
    await query(service.app.orm.em.fork(), sql`update app_user set display_name = null where id = ${pilot.id}`);
    const seen = { displayName: null, timeZone: 'UTC' };
    expect((await save(pilot, { displayName: 'Merlin', timeZone: 'UTC' }, seen)).status).toBe(200);
    expect((await save(pilot, { displayName: 'Jester', timeZone: 'UTC' }, seen)).status).toBe(409);
  });

  test('is not needed: without it both fields are replaced as before', async () => {
    const pilot = await givenPerson(service, SEEN);
    await save(pilot, { ...SEEN, timeZone: 'Asia/Tokyo' });
    await save(pilot, { ...SEEN, displayName: 'Maverick' });
    expect(await read(pilot)).toEqual({ displayName: 'Maverick', timeZone: 'UTC' });
  });
});

test('notification choices default to orders and changes, and keep what was chosen', async () => {
  const reminders = { reminderMinutes: [1440, 60], remindByDiscord: true, remindByPush: true, remindByEmail: true };
  const pilot = await givenPerson(service);
  const path = `/users/${pilot.id}/notifications`;
  expect((await pilot.client.call('GET', path)).body).toEqual({
    notifyOrders: true,
    notifyChanges: true,
    wantsGlobalEvents: false,
    emailOrders: true,
    emailChanges: true,
    emailRequests: true,
    emailDigest: false,
    ...reminders,
  });
  const given = { notifyOrders: false, notifyChanges: true, wantsGlobalEvents: true };
  const unchanged = { emailOrders: true, emailChanges: true, emailRequests: true, emailDigest: false, ...reminders };
  expect((await pilot.client.call('PUT', path, given)).body).toEqual({ ...given, ...unchanged });
  const chosen = {
    ...given,
    emailOrders: false,
    emailChanges: true,
    emailRequests: false,
    emailDigest: true,
    ...reminders,
    remindByPush: false,
  };
  expect((await pilot.client.call('PUT', path, chosen)).body).toEqual(chosen);
  expect((await pilot.client.call('GET', path)).body).toEqual(chosen);
  const wrong = await pilot.client.call('PUT', path, { notifyOrders: 'yes' });
  expect([wrong.status, wrong.body.message]).toEqual([400, 'The value must be true or false']);
  expect((await pilot.client.call('GET', path)).body).toEqual(chosen);
  // each choice by itself, so that two pages that change different ones keep both
  await pilot.client.call('PUT', path, { notifyOrders: true });
  await pilot.client.call('PUT', path, { wantsGlobalEvents: false });
  expect((await pilot.client.call('GET', path)).body).toEqual({
    ...chosen,
    notifyOrders: true,
    wantsGlobalEvents: false,
  });
});

describe('sessions', () => {
  /** One more sign-in of the person, by a device of that description. */
  async function signIn(person: Person, userAgent: string): Promise<Client> {
    const client = createClient(service);
    const credentials = { email: person.email, password: PASSWORD };
    expect((await client.call('POST', '/auth/login', credentials, { 'user-agent': userAgent })).status).toBe(200);
    return client;
  }
  const list = async (client: Client) => (await client.call('GET', '/auth/sessions')).body;
  const me = async (client: Client) => (await client.call('GET', '/auth/me')).status;

  test('are listed with their devices, the current one first, and without tokens', async () => {
    const pilot = await givenPerson(service);
    const phone = await signIn(pilot, IPHONE);
    const pc = await signIn(pilot, FIREFOX);
    await signIn(pilot, `${'x'.repeat(400)} Windows`);

    const rows = await list(phone);
    expect(rows.map(({ device, kind, isCurrent }: Record<string, unknown>) => [device, kind, isCurrent])).toEqual([
      ['Safari on iPhone', 'browser', true],
      ['Unknown device', 'browser', false],
      ['Firefox on Windows', 'browser', false],
      ['Node.js', 'browser', false],
    ]);
    for (const { id, createdAt, expiresAt } of rows) {
      expect(id).toMatch(/^[0-9a-f]{16}$/);
      // fourteen days, give or take the time of the test
      expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBeGreaterThan(13.9 * 86_400_000);
    }
    const stored = await query<{ longest: number }>(
      service.app.orm.em.fork(),
      sql`select max(length(user_agent)) as longest from session where user_id = ${pilot.id}`,
    );
    expect(stored).toEqual([{ longest: 300 }]);
    const answer = JSON.stringify(rows);
    for (const secret of [sessionOf(phone), sessionOf(pc)]) {
      expect(answer).not.toContain(secret);
    }
  });

  test('end one by one: the ended one is signed out at once, the others stay', async () => {
    const pilot = await givenPerson(service);
    const lost = await signIn(pilot, IPHONE);
    const kept = await signIn(pilot, FIREFOX);
    const { id } = (await list(pilot.client)).find((row: { device: string }) => row.device === 'Safari on iPhone');
    expect(await me(lost)).toBe(200);
    expect((await pilot.client.call('DELETE', `/auth/sessions/${id}`)).body).toEqual({ success: true });
    expect([await me(lost), await me(kept), await me(pilot.client)]).toEqual([401, 200, 200]);
    const again = await pilot.client.call('DELETE', `/auth/sessions/${id}`);
    expect([again.status, again.body.message]).toEqual([404, 'Session not found']);
  });

  test("another pilot's session is not found, and stays signed in", async () => {
    const pilot = await givenPerson(service);
    const other = await givenPerson(service);
    const [{ id }] = await list(other.client);
    for (const caller of [pilot, admin]) {
      const answer = await caller.client.call('DELETE', `/auth/sessions/${id}`);
      expect([answer.status, answer.body.message]).toEqual([404, 'Session not found']);
    }
    expect(await me(other.client)).toBe(200);
  });

  test('the current one cannot be ended, only signed out of', async () => {
    const pilot = await givenPerson(service);
    const [{ id }] = await list(pilot.client);
    const answer = await pilot.client.call('DELETE', `/auth/sessions/${id}`);
    expect([answer.status, answer.body.message]).toEqual([
      409,
      'This is the session you are using. Please sign out instead.',
    ]);
    expect(await me(pilot.client)).toBe(200);
  });

  test('all others end with one call; access tokens and the sessions of other users stay', async () => {
    const pilot = await givenPerson(service);
    const other = await givenPerson(service);
    const phone = await signIn(pilot, IPHONE);
    const { body: script } = await createClient(service).call('POST', '/users/dev-token', { userId: pilot.id });
    for (const time of ['first', 'second']) {
      const answer = await pilot.client.call('POST', '/auth/sessions/end-others');
      expect([answer.status, answer.body], time).toEqual([200, { success: true }]);
    }
    const viaToken = await fetch(`${service.url}/api/v1/auth/me`, {
      headers: { authorization: `Bearer ${script.token}` },
    });
    expect([await me(phone), viaToken.status, await me(pilot.client), await me(other.client)]).toEqual([
      401, 200, 200, 200,
    ]);
    expect(await list(pilot.client)).toHaveLength(1);
  });

  test('a new password ends all others and keeps this one; a wrong current one ends none', async () => {
    const pilot = await givenPerson(service);
    const phone = await signIn(pilot, IPHONE);
    const change = (currentPassword: string) =>
      pilot.client.call('POST', '/auth/password', {
        currentPassword,
        newPassword: 'a horse of another colour',
        confirmPassword: 'a horse of another colour',
      });
    const wrong = await change('not my password');
    expect([wrong.status, wrong.body.message]).toEqual([400, 'The current password is not correct']);
    expect([await me(phone), await me(pilot.client)]).toEqual([200, 200]);
    expect((await change(PASSWORD)).body).toEqual({ success: true });
    expect([await me(phone), await me(pilot.client)]).toEqual([401, 200]);
  });
});
