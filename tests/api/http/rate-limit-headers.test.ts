/** RateLimit-* headers on writes, and Retry-After on every 429, also in a batch. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { givenPerson, type Person } from '#tests/harness/given.ts';
import { createClient, startService, type Service } from '#tests/harness/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService({ env: { WRITES_PER_MINUTE: '3', AUTH_ATTEMPTS_PER_MINUTE: '2' } });
});
afterAll(() => service.stop());

/** Limits count by minutes of the clock. */
const earlyInMinute = () => expect.poll(() => new Date().getUTCSeconds(), { timeout: 50_000 }).toBeLessThan(40);
const limitOf = (headers: Headers) => ['limit', 'remaining'].map((name) => headers.get(`ratelimit-${name}`));
const secondsOf = (headers: Headers) => Number(headers.get('ratelimit-reset'));
const write = ({ client, id }: Person) => client.call('PUT', `/users/${id}/status`, { state: 'dnd' });

test('writes say what is left of the limit, reads do not', async () => {
  const pilot = await givenPerson(service);
  await earlyInMinute();
  const answers = [];
  for (let turn = 0; turn < 4; turn += 1) answers.push(await write(pilot));
  expect(answers.map(({ status, headers }) => [status, ...limitOf(headers)])).toEqual([
    [200, '3', '2'],
    [200, '3', '1'],
    [200, '3', '0'],
    [429, '3', '0'],
  ]);
  const refused = answers[3]?.headers ?? new Headers();
  expect(secondsOf(refused)).toBeGreaterThan(0);
  expect(secondsOf(refused)).toBeLessThanOrEqual(60);
  expect(refused.get('retry-after')).toBe(refused.get('ratelimit-reset'));
  expect(limitOf((await pilot.client.call('GET', `/users/${pilot.id}/status`)).headers)).toEqual([null, null]);
});

test('a batch with refused calls says how long to wait', async () => {
  const { client, id } = await givenPerson(service);
  await earlyInMinute();
  const calls = [0, 1, 2, 3].map(() => 'pilot.setStatus');
  const response = await fetch(`${service.url}/trpc/${calls.join(',')}?batch=1`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: service.url, cookie: client.cookie() },
    body: JSON.stringify(Object.fromEntries(calls.map((_, index) => [index, { id, state: 'dnd' }]))),
  });
  expect(response.status).toBe(207);
  const answers: unknown = await response.json();
  const statuses = Array.isArray(answers) ? answers.map((answer) => Object(answer).error?.data.httpStatus ?? 200) : [];
  expect(statuses).toEqual([200, 200, 200, 429]);
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(limitOf(response.headers)).toEqual(['3', '0']);
});

test('refused attempts to sign in name their limit', async () => {
  await earlyInMinute();
  const { email } = await givenPerson(service);
  const answers = [];
  for (let turn = 0; turn < 3; turn += 1) {
    answers.push(await createClient(service).call('POST', '/auth/login', { email, password: 'not this one' }));
  }
  const refused = answers.find(({ status }) => status === 429)?.headers ?? new Headers();
  expect(limitOf(refused)).toEqual(['2', '0']);
  expect(refused.get('retry-after')).toBe(refused.get('ratelimit-reset'));
});
