/** Every way to sign in leads to the second step, and what happens to the account between the two steps decides. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { issueSignInLink } from '#server/accounts/sign-in-links.ts';
import { agree, openBrowser, startVisits, type VisitWorld } from '#tests/discord/visits.ts';
import { givenAdmin, givenPerson, PASSWORD, type Person } from '#tests/harness/given.ts';
import { codeOf, finish, givenAuthenticator, givenFirstStep, isSignedIn } from '#tests/harness/second-factor.ts';
import { createClient, type Service } from '#tests/harness/service.ts';

let world: VisitWorld;
let service: Service;
let admin: Person;
beforeAll(async () => {
  world = await startVisits();
  ({ service } = world);
  admin = await givenAdmin(service);
});
afterAll(async () => {
  await service.stop();
  expect(world.emulator.violations).toEqual([]);
  await world.emulator.stop();
});

const run = (statement: Parameters<typeof query>[1]) => query(service.app.orm.em.fork(), statement);
const REQUIRED = { status: 401, body: { code: 'SECOND_FACTOR_REQUIRED' } };
const OVER = { status: 401, body: { code: 'SECOND_STEP_OVER' } };

async function givenPilot(): Promise<{ pilot: Person; key: string }> {
  const pilot = await givenPerson(service);
  return { pilot, key: (await givenAuthenticator(pilot)).key };
}

async function linkDiscord({ id }: Person, name: string) {
  const discordUserId = world.givenDiscordUser(name);
  await run(sql`insert into discord_account (discord_user_id, user_id, username, linked_at)
                values (${discordUserId}, ${id}, ${name}, now())`);
  return discordUserId;
}

test('a one-time link is used up by the first step, and the code finishes it', async () => {
  const { pilot, key } = await givenPilot();
  await issueSignInLink(service.app.orm.em.fork(), pilot.id, 'a-link', new Date());
  const client = createClient(service);
  expect(await client.call('POST', '/auth/sign-in-link', { token: 'a-link' })).toMatchObject(REQUIRED);
  expect(await isSignedIn(client)).toBe(false);
  expect((await client.call('POST', '/auth/sign-in-link', { token: 'a-link' })).status).toBe(400);
  expect((await finish(client, { code: codeOf(key) })).status).toBe(200);
  const { body } = await client.call('GET', '/auth/sign-in-history');
  expect(body[0].text).toMatch(/^Signed in with a link from Discord and a code, from 127/);
});

test('a personal link sets the password, which does not take the place of the second factor', async () => {
  const { pilot, key } = await givenPilot();
  const { body: links } = await admin.client.call('POST', '/admin/users/password-links', { ids: [pilot.id] });
  const token = String(links[0].url).split('/').at(-1);
  const client = createClient(service);
  const chosen = { token, password: 'another horse', confirmPassword: 'another horse' };
  expect(await client.call('POST', '/auth/set-password', chosen)).toMatchObject(REQUIRED);
  expect(await isSignedIn(client)).toBe(false);
  expect((await finish(client, { code: codeOf(key) })).status).toBe(200);
  const again = createClient(service);
  expect(await again.call('POST', '/auth/login', { email: pilot.email, password: 'another horse' })).toMatchObject(
    REQUIRED,
  );
});

test('Discord leads to the second step on /login, with the page to return to', async () => {
  const { pilot, key } = await givenPilot();
  const ace = await linkDiscord(pilot, 'ace');
  const browser = openBrowser(service);
  const landing = await browser.open(
    await agree(await browser.leave({ purpose: 'sign-in', from: '/availability' }), ace),
  );
  expect(landing.location).toBe('/login?discord=second-step&from=%2Favailability');
  expect(JSON.parse((await browser.open('/auth/viewer')).body)).toBeNull();
  const cookie = `second-step=${browser.cookies.get('second-step') ?? ''}`;
  const client = createClient(service);
  const finished = await client.call('POST', '/auth/second-step', { code: codeOf(key) }, { cookie });
  expect(finished).toMatchObject({ status: 200, body: { id: pilot.id } });
});

test('unlinking Discord ends a sign-in by it that waits', async () => {
  const { pilot, key } = await givenPilot();
  const ace = await linkDiscord(pilot, 'leaver');
  const browser = openBrowser(service);
  await browser.visit({ purpose: 'sign-in' }, ace);
  expect((await pilot.client.call('DELETE', `/users/${pilot.id}/discord`)).status).toBe(200);
  const cookie = `second-step=${browser.cookies.get('second-step') ?? ''}`;
  expect(
    await createClient(service).call('POST', '/auth/second-step', { code: codeOf(key) }, { cookie }),
  ).toMatchObject(OVER);
});

test('a registration asks for none, and access tokens and the calendar link go on without', async () => {
  const client = createClient(service);
  const form = { email: 'fresh@example.org', password: PASSWORD, confirmPassword: PASSWORD };
  expect((await client.call('POST', '/auth/register', form)).status).toBe(201);
  const { pilot } = await givenPilot();
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
  const made = await pilot.client.call('POST', `/users/${pilot.id}/tokens`, {
    name: 'Roster',
    scopes: ['read'],
    expiresAt,
  });
  const headers = { authorization: `Bearer ${made.body.token}` };
  expect((await createClient(service).call('GET', '/auth/me', undefined, headers)).status).toBe(200);
  const { body: calendar } = await pilot.client.call('POST', '/pilot/calendar');
  expect((await fetch(calendar.url)).status).toBe(200);
  // a token can read nothing of the second factor, and change nothing
  expect((await createClient(service).call('GET', '/auth/second-factor', undefined, headers)).status).toBe(403);
});

describe('between the steps', () => {
  test('a ban ends it', async () => {
    const { pilot, key } = await givenPilot();
    const client = await givenFirstStep(service, pilot);
    expect((await admin.client.call('POST', `/admin/users/${pilot.id}/ban`, { reason: 'Abuse' })).status).toBe(201);
    expect(await finish(client, { code: codeOf(key) })).toMatchObject(OVER);
    expect(await isSignedIn(client)).toBe(false);
  });

  test('a suspension and a demotion do not', async () => {
    const { pilot, key } = await givenPilot();
    const client = await givenFirstStep(service, pilot);
    await run(sql`update app_user set roles = '{}' where id = ${pilot.id}`);
    expect(await finish(client, { code: codeOf(key) })).toMatchObject({ status: 200, body: { roles: [] } });
  });

  test('the request to delete the account ends it, and the erasure leaves nothing', async () => {
    const { pilot, key } = await givenPilot();
    const client = await givenFirstStep(service, pilot);
    const input = { currentPassword: PASSWORD };
    expect((await pilot.client.call('POST', '/auth/deletion', input)).status).toBe(200);
    expect(await finish(client, { code: codeOf(key) })).toMatchObject(OVER);
  });

  test('a session that the browser still has ends, so that nobody can plant one', async () => {
    const { pilot, key } = await givenPilot();
    const stranger = await givenPerson(service);
    const planted = stranger.client.cookie();
    expect(await stranger.client.call('POST', '/auth/login', { email: pilot.email, password: PASSWORD })).toMatchObject(
      REQUIRED,
    );
    // nothing has changed yet
    expect((await stranger.client.call('GET', '/auth/me')).body.id).toBe(stranger.id);
    expect((await finish(stranger.client, { code: codeOf(key) })).status).toBe(200);
    expect((await stranger.client.call('GET', '/auth/me')).body.id).toBe(pilot.id);
    const old = await fetch(`${service.url}/api/v1/auth/me`, { headers: { cookie: planted } });
    expect(old.status).toBe(401);
  });
});
