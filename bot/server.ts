/** The bot's tRPC client of the server, with its credential. */
import { createTRPCClient, httpLink, type TRPCClient } from '@trpc/client';
import type { BotRouter } from '#server/http/routers/bot.ts';
import { BOT_PATH } from '#shared/schemas/bot.ts';
import { currentRequestId } from './log.ts';

export type ServerCalls = TRPCClient<BotRouter>;

/** Time limit of a call, ms; the largest one carries all members of a guild. */
const TIMEOUT_MS = 10_000;

/** @param url origin of the server that started this bot */
export function createServerCalls(url: string, token: string): ServerCalls {
  return createTRPCClient<BotRouter>({
    links: [
      // no batching: a person's answer must not wait for a member list
      httpLink({
        url: `${url}${BOT_PATH}`,
        headers() {
          const requestId = currentRequestId();
          return { authorization: `Bearer ${token}`, ...(requestId !== undefined && { 'x-request-id': requestId }) };
        },
        fetch: (input, init) =>
          fetch(input instanceof Request ? input.url : input, {
            ...(init as RequestInit),
            signal: AbortSignal.timeout(TIMEOUT_MS),
          }),
      }),
    ],
  });
}
