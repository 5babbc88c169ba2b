/** Idempotent calls: each is a separate request with an Idempotency-Key, so that a retry runs only once. */
import { createTRPCClient, httpBatchLink, type Operation } from '@trpc/client';
import type { AppRouter } from '#server/http/routers/app.ts';
import { confirmLink } from './confirm-identity.ts';
import { fetchAnswer } from './trpc.ts';

const KEY = 'idempotencyKey';

function readKey([call]: readonly Operation[]): Record<string, string> {
  const key = call?.context[KEY];
  return typeof key === 'string' ? { 'Idempotency-Key': key } : {};
}

/** Client for calls with `keyed(key)` options. Separate from the app's client, which batches calls: a key is for one call. */
export const onceClient = createTRPCClient<AppRouter>({
  links: [
    confirmLink,
    httpBatchLink({
      url: '/trpc',
      maxItems: 1,
      headers: ({ opList }) => readKey(opList),
      fetch: (input, init) => fetchAnswer(input, init as RequestInit),
    }),
  ],
});

/** Options of an idempotent call: the server repeats its first answer for the same key and input. */
export function keyed(key: string): { context: Record<string, unknown> } {
  return { context: { [KEY]: key } };
}

/** 128 random bits as hex. `crypto.randomUUID` is missing where the site is served without TLS. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
