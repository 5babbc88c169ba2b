import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type Service } from '#tests/harness/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

test.each([
  ['a call that succeeds answers 200', 'pilot.stats', 200],
  ['a call that is refused answers its own status', 'pilot.inbox', 401],
  ['calls of one batch with different ends answer 207', 'pilot.stats,pilot.inbox', 207],
])('%s', async (_rule, procedures, status) => {
  const response = await fetch(`${service.url}/trpc/${procedures}?batch=1&input=%7B%7D`);
  expect(response.status).toBe(status);
  const calls: unknown = await response.json();
  expect(calls).toHaveLength(procedures.split(',').length);
});

test('every call of a batch with an invalid access token is refused, and so is the batch', async () => {
  const response = await fetch(`${service.url}/trpc/pilot.stats,pilot.inbox?batch=1&input=%7B%7D`, {
    headers: { authorization: `Bearer mrsh_${'a'.repeat(51)}` },
  });
  const refused = { error: expect.objectContaining({ data: expect.objectContaining({ refusal: 'TOKEN_INVALID' }) }) };
  expect([response.status, await response.json()]).toEqual([401, [refused, refused]]);
});
