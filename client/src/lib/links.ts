/** How calls reach the server, several in one request, and what becomes of an answer that is not the server's. */
import { httpBatchLink, TRPCClientError, type Operation, type TRPCLink } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import type { AppRouter } from '#server/routers/app.ts';
import { ForeignAnswer } from './errors.ts';

/** Ten calls a batch is what the server accepts. */
const BATCH_MAX = 10;

interface LinkOptions {
  /** calls in one request at most */
  maxItems?: number;
  headers?: (calls: { opList: readonly Operation[] }) => Record<string, string>;
}

/**
 * A request carries calls of several kinds, and fails as one: each call words the failure by what it is itself.
 * @param url of the server's tRPC
 */
export function linksTo(url: string, { maxItems = BATCH_MAX, headers }: LinkOptions = {}): TRPCLink<AppRouter>[] {
  return [
    wordForeignAnswers,
    httpBatchLink({
      url,
      maxItems,
      ...(headers && { headers }),
      fetch: (input, init) => fetchAnswer(input instanceof Request ? input : String(input), init as RequestInit),
    }),
  ];
}

const wordForeignAnswers: TRPCLink<AppRouter> =
  () =>
  ({ op, next }) =>
    observable((observer) =>
      next(op).subscribe({
        next: (answer) => observer.next(answer),
        complete: () => observer.complete(),
        error: (error) =>
          observer.error(
            error.cause instanceof ForeignAnswer ? TRPCClientError.from(error.cause.wordedFor(op.path)) : error,
          ),
      }),
    );

/** Without this a page of a proxy would look like no answer at all: tRPC fails to read it and forgets its status. */
async function fetchAnswer(input: Request | string, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, init);
  if (response.ok) {
    return response;
  }
  const body = await response.clone().text();
  if (isOurs(body)) {
    return response;
  }
  throw new ForeignAnswer(response.status, body);
}

/** Every failure that our server words comes in tRPC's envelope, one for each call of the batch. */
function isOurs(body: string): boolean {
  try {
    const answers: unknown = JSON.parse(body);
    return [answers]
      .flat()
      .some((one) => typeof Reflect.get(Object(Reflect.get(Object(one), 'error')), 'code') === 'number');
  } catch {
    return false;
  }
}
