/** A sign-in from a new device, which the other sessions of the account are asked about, by both transports. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { givenAdmin, givenPerson, PASSWORD, type Person } from '#tests/harness/given.ts';
import { createClient, startService, type Client, type Service } from '#tests/harness/service.ts';
import { ask, TRANSPORTS } from '#tests/harness/transports.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

/** An account that has been used: its first sign-in ever is no news. */
async function givenPilot(): Promise<Person> {
  const pilot = await givenPerson(service);
  await pilot.client.call('GET', '/auth/me');
  return pilot;
}

async function signInAgain({ email }: Person, client = createClient(service)): Promise<Client> {
  expect((await client.call('POST', '/auth/login', { email, password: PASSWORD })).status).toBe(200);
  return client;
}
const newSignIn = async (client: Client) => (await client.trpc.auth.viewer.query())?.newSignIn ?? null;

test('the first sign-in, and one by a known browser, are no news', async () => {
  const pilot = await givenPilot();
  expect(await newSignIn(pilot.client)).toBeNull();
  // the same browser, with its device cookie
  await signInAgain(pilot, pilot.client);
  expect(await newSignIn(pilot.client)).toBeNull();
});

test.each(TRANSPORTS)('by %s: the other sessions are asked, the oldest first, and each once', async (transport) => {
  const pilot = await givenPilot();
  const first = await signInAgain(pilot);
  const second = await signInAgain(pilot);
  const asked = await newSignIn(pilot.client);
  expect(asked).toMatchObject({ device: 'Node.js' });
  const confirm = (client: Client, id = asked?.id) =>
    ask(service, transport, 'auth.confirmSession', { id }, client.cookie());
  // nobody confirms the own one, or one of somebody else
  expect((await confirm(first)).status).toBe(404);
  expect((await confirm((await givenPerson(service)).client)).status).toBe(404);
  expect((await newSignIn(second))?.id).toBe(asked?.id);
  expect((await confirm(second)).status).toBe(200);
  expect(await newSignIn(second)).toBeNull();
  const next = await newSignIn(pilot.client);
  expect(next?.id).not.toBe(asked?.id);
  expect((await confirm(pilot.client, next?.id)).status).toBe(200);
  expect(await newSignIn(pilot.client)).toBeNull();
});

test('what an account does to its own access is in the audit log', async () => {
  const pilot = await givenPilot();
  const { client } = pilot;
  const sessionOf = async (who: Client) => {
    const { body } = await who.call('GET', '/auth/sessions');
    return (body as { id: string; isCurrent: boolean }[]).find(({ isCurrent }) => isCurrent)?.id;
  };
  const second = await sessionOf(await signInAgain(pilot));
  await client.call('POST', `/auth/sessions/${second}/confirm`);
  await client.call('DELETE', `/auth/sessions/${second}`);
  // an answer that changed nothing is no entry
  await client.call('DELETE', `/auth/sessions/${second}`);
  await client.call('POST', '/auth/sessions/end-others');
  await signInAgain(pilot);
  await signInAgain(pilot);
  await client.call('POST', '/auth/sessions/end-others');
  await client.call('POST', '/pilot/calendar');
  await client.call('DELETE', '/pilot/calendar');
  await client.call('DELETE', '/pilot/calendar');
  const password = { currentPassword: PASSWORD, newPassword: 'another correct battery' };
  expect(
    (await client.call('POST', '/auth/password', { ...password, confirmPassword: password.newPassword })).status,
  ).toBe(200);
  const admin = await givenAdmin(service);
  const { body } = await admin.client.call('GET', `/admin/audit?subjectId=${pilot.id}`);
  const entries = (body.entries as { action: string; actor: { id: string } | null; summary: string }[]).toReversed();
  expect(
    entries
      .filter(({ action }) => action !== 'signed_in')
      .map(({ action, actor, summary }) => [action, actor?.id, summary]),
  ).toEqual([
    ['session_confirmed', pilot.id, 'Confirmed a sign-in from a new device (Node.js)'],
    ['session_ended', pilot.id, 'Ended a session (Node.js)'],
    ['other_sessions_ended', pilot.id, 'Ended all other sessions: 2'],
    ['calendar_link_made', pilot.id, 'Made a new calendar link'],
    ['calendar_link_ended', pilot.id, 'Ended the calendar link'],
    ['password_changed', pilot.id, 'Changed the password'],
  ]);
});

test('a script is not asked', async () => {
  const pilot = await givenPilot();
  await signInAgain(pilot);
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
  const made = { name: 'Script', scopes: ['read'], expiresAt };
  const { body } = await pilot.client.call('POST', `/users/${pilot.id}/tokens`, made);
  const answer = await ask(service, 'rest', 'auth.viewer', undefined, { token: body.token });
  expect(answer.body).toMatchObject({ newSignIn: null });
});
