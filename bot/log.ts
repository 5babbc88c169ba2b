/** Logger of the bot, compatible with pino, and the id of the interaction in its lines. Never log tokens, addresses or message text. */
import { AsyncLocalStorage } from 'node:async_hooks';

export interface BotLog {
  debug: (fields: object, message: string) => void;
  info: (fields: object, message: string) => void;
  warn: (fields: object, message: string) => void;
  error: (fields: object, message: string) => void;
}

/** Short cause of an error, without the request that failed. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const requestIds = new AsyncLocalStorage<string>();

/** Run a function, and everything that it starts, under a new id, which the server's log lines of its calls have too. */
export const runAsRequest = <Result>(run: () => Result): Result => requestIds.run(crypto.randomUUID(), run);

/** undefined outside of interactions, as in the reports of servers and members */
export const currentRequestId = (): string | undefined => requestIds.getStore();
