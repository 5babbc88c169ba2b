/** The id of the interaction that the running code handles: in the bot's log, and in the server's for the calls it causes. */
import { AsyncLocalStorage } from 'node:async_hooks';

const ids = new AsyncLocalStorage<string>();

/** Run a function, and everything that it starts, under a new id. */
export const runAsRequest = <Result>(run: () => Result): Result => ids.run(crypto.randomUUID(), run);

/** undefined outside of interactions, as in the reports of servers and members */
export const currentRequestId = (): string | undefined => ids.getStore();
