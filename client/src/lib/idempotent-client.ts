/** Calls that are done once however often they are sent: each carries a key, and shares its request with no other call. */
import { createTRPCClient, httpBatchLink, type Operation } from '@trpc/client';
import type { AppRouter } from '#server/routers/app.ts';
import { fetchAnswer } from './trpc.ts';

const KEY = 'idempotencyKey';

function readKey([call]: readonly Operation[]): Record<string, string> {
  const key = call?.context[KEY];
  return typeof key === 'string' ? { 'Idempotency-Key': key } : {};
}

/** For calls with `keyed(key)` as their options. The app's own client puts calls together, and a key is for one. */
export const onceClient = createTRPCClient<AppRouter>({
  links: [
    httpBatchLink({
      url: '/trpc',
      maxItems: 1,
      headers: ({ opList }) => readKey(opList),
      fetch: (input, init) => fetchAnswer(input, init as RequestInit),
    }),
  ],
});

/** Options of a call that the server answers once: the same key with the same input has the first call's answer. */
export function keyed(key: string): { context: Record<string, unknown> } {
  return { context: { [KEY]: key } };
}

/** 128 random bits as hex. `crypto.randomUUID` is missing where the site is served without TLS. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
