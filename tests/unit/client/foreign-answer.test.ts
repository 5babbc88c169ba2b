import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createTRPCClient, httpBatchLink } from '@trpc/client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { errorMessage, errorStatus } from '#client/lib/errors.ts';
import { fetchAnswer } from '#client/lib/trpc.ts';
import type { AppRouter } from '#server/http/routers/app.ts';

let proxy: Server;
let requests: string[];
let answer: { status: number; type: string; body: string };

beforeEach(async () => {
  requests = [];
  proxy = createServer((request, response) => {
    requests.push(request.url ?? '');
    response.writeHead(answer.status, { 'content-type': answer.type }).end(answer.body);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
});
afterEach(() => proxy.close());

/** Error messages of an admin's and a pilot's call that share a failed request. @param first the first call of the batch */
async function sayOf(first: 'admin' | 'pilot'): Promise<{ admin: unknown; pilot: unknown }> {
  const client = createTRPCClient<AppRouter>({
    links: [
      httpBatchLink({
        url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/trpc`,
        fetch: (input, init) => fetchAnswer(input, init as RequestInit),
      }),
    ],
  });
  const calls = { admin: () => client.admin.users.query({}), pilot: () => client.pilot.stats.query() };
  const order = first === 'admin' ? (['admin', 'pilot'] as const) : (['pilot', 'admin'] as const);
  const asked = order.map((kind) =>
    calls[kind]().then(
      () => 'no error',
      (error: unknown) => error,
    ),
  );
  const errors = await Promise.all(asked);
  expect(requests, 'one request').toHaveLength(1);
  const said = order.map((kind, index) => [kind, [errorStatus(errors[index]), errorMessage(errors[index], 'nothing')]]);
  return Object.fromEntries(said) as { admin: unknown; pilot: unknown };
}

test.each([
  ['a page of a proxy', 'text/html', '<h1>Bad Gateway</h1>'],
  ['JSON without a message', 'application/json', '{"error":"upstream"}'],
])('%s: each call shows its own sentence, in any order', async (_what, type, body) => {
  answer = { status: 502, type, body };
  const expected = { admin: [502, `API Error 502: ${body}`], pilot: [502, 'HTTP error! status: 502'] };
  expect(await sayOf('admin')).toEqual(expected);
  requests = [];
  expect(await sayOf('pilot')).toEqual(expected);
});

test('both show a message in JSON', async () => {
  answer = { status: 503, type: 'application/json', body: '{"message":"Back in five minutes"}' };
  const said = [503, 'Back in five minutes'];
  expect(await sayOf('pilot')).toEqual({ admin: said, pilot: said });
});

test('each call shows the sentence that the server gave it', async () => {
  const refusal = (message: string, httpStatus: number) => ({
    error: { message, code: -32_003, data: { httpStatus } },
  });
  const answers = [refusal('Only admins can do this', 403), refusal('User not authenticated', 401)];
  answer = { status: 403, type: 'application/json', body: JSON.stringify(answers) };
  expect(await sayOf('admin')).toEqual({
    admin: [403, 'Only admins can do this'],
    pilot: [401, 'User not authenticated'],
  });
});
