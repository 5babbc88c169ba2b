/** Sign-in with the emulator, by the library that Marshal signs in with. */
import * as oauth from 'oauth4webapi';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEmulator } from './emulator/start.ts';
import type { Emulator } from './emulator/types.ts';

const REDIRECT = 'http://127.0.0.1:1/discord/callback';
let emulator: Emulator;
let pilot: string;
let server: oauth.AuthorizationServer;
let client: oauth.Client;

beforeAll(async () => {
  emulator = await startEmulator({ redirectUris: [REDIRECT] });
  const guild = emulator.addGuild({ name: 'Wing' });
  pilot = emulator.addMember(guild.id, { username: 'amber', globalName: 'Amber' });
  server = {
    issuer: emulator.url,
    authorization_endpoint: `${emulator.url}/oauth2/authorize`,
    token_endpoint: `${emulator.apiUrl}/oauth2/token`,
  };
  client = { client_id: emulator.applicationId };
});

afterAll(async () => {
  await emulator.stop();
});

const verifier = oauth.generateRandomCodeVerifier();

async function authorize(change: Record<string, string> = {}): Promise<Response> {
  const url = new URL(server.authorization_endpoint ?? '');
  url.search = new URLSearchParams({
    client_id: emulator.applicationId,
    response_type: 'code',
    redirect_uri: REDIRECT,
    scope: 'identify',
    state: 'a state',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...change,
  }).toString();
  return fetch(url, { redirect: 'manual' });
}

async function exchange(response: Response, secret: oauth.ClientAuth, proof = verifier, redirect = REDIRECT) {
  const back = new URL(response.headers.get('location') ?? '');
  const params = oauth.validateAuthResponse(server, client, back, 'a state');
  const options = { [oauth.allowInsecureRequests]: true };
  const answer = await oauth.authorizationCodeGrantRequest(server, client, secret, params, redirect, proof, options);
  return oauth.processAuthorizationCodeResponse(server, client, answer);
}

test.each([
  ['in the header', () => oauth.ClientSecretBasic(emulator.clientSecret)],
  ['in the body', () => oauth.ClientSecretPost(emulator.clientSecret)],
])('a code becomes a token with the secret %s, once', async (_rule, secret) => {
  emulator.signInAs(pilot);
  const consent = await authorize();
  const { access_token: token } = await exchange(consent, secret());
  const me = await fetch(`${emulator.apiUrl}/v10/users/@me`, { headers: { authorization: `Bearer ${token}` } });
  expect(await me.json()).toMatchObject({ id: pilot, username: 'amber', global_name: 'Amber' });
  await expect(exchange(consent, secret())).rejects.toMatchObject({ error: 'invalid_grant' });
  expect(emulator.violations).toEqual([]);
});

test('the code verifier, the secret and the redirect address must match', async () => {
  emulator.signInAs(pilot);
  const secret = oauth.ClientSecretPost(emulator.clientSecret);
  const other = oauth.generateRandomCodeVerifier();
  await expect(exchange(await authorize(), secret, other)).rejects.toMatchObject({ error: 'invalid_grant' });
  await expect(exchange(await authorize(), oauth.ClientSecretPost('no'))).rejects.toMatchObject({
    error: 'invalid_client',
  });
  await expect(exchange(await authorize(), secret, verifier, `${REDIRECT}/other`)).rejects.toMatchObject({
    error: 'invalid_grant',
  });
  expect((await authorize({ redirect_uri: 'http://elsewhere.example/' })).status).toBe(400);
  expect((await authorize({ scope: 'email' })).status).toBe(400);
});

test('the consent page asks, and a refusal is returned as an error', async () => {
  emulator.signInAs(null);
  const page = await authorize();
  expect(await page.text()).toContain(`<button name="user" value="${pilot}">Amber</button>`);
  emulator.signInAs('nobody');
  const back = new URL((await authorize()).headers.get('location') ?? '');
  expect(Object.fromEntries(back.searchParams)).toMatchObject({ error: 'access_denied', state: 'a state' });
});

test('a favicon request is ignored; any other unknown request is a violation', async () => {
  const site = await startEmulator({ redirectUris: [REDIRECT] });
  expect((await fetch(`${site.url}/favicon.ico`)).status).toBe(204);
  expect(site.violations).toEqual([]);
  expect((await fetch(`${site.url}/favicon.png`)).status).toBe(404);
  expect(site.violations).toHaveLength(1);
  await site.stop();
});

test('planted faults apply here too', async () => {
  emulator.signInAs(pilot);
  emulator.fail({ kind: 'status', status: 503, path: /^\/oauth2\/token$/ });
  await expect(exchange(await authorize(), oauth.ClientSecretPost(emulator.clientSecret))).rejects.toThrow();
  expect(emulator.requests.at(-1)).toMatchObject({ path: '/oauth2/token', status: 503, body: null, query: '' });
});
