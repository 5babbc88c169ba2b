/** A sign-in from a new device, which the other sessions of the account are asked about, by both transports. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { givenPerson, PASSWORD, type Person } from '#tests/harness/given.ts';
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

test('a script is not asked', async () => {
  const pilot = await givenPilot();
  await signInAgain(pilot);
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
  const made = { name: 'Script', scopes: ['read'], expiresAt };
  const { body } = await pilot.client.call('POST', `/users/${pilot.id}/tokens`, made);
  const answer = await ask(service, 'rest', 'auth.viewer', undefined, { token: body.token });
  expect(answer.body).toMatchObject({ newSignIn: null });
});
