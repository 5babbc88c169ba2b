/** Turns of heavy reads: an account has a few in flight, so that one pilot's reads do not slow everybody's. */
import { READ_TURNS } from '#shared/limits.ts';
import { copy } from '#shared/copy.ts';
import { AppError } from './errors.ts';

const RETRY_AFTER_SECONDS = 2;

export interface ReadTurns {
  /**
   * Run a read when it is its turn: in the order of the calls, and at once if the account has few in flight.
   * @throws AppError 429 when too many of the account wait already; otherwise the read's own error
   */
  run<Answer>(accountId: string, read: () => Promise<Answer>): Promise<Answer>;
}

/** Counted in memory, because each process has its own event loop to protect: every replica counts on its own. */
export function createReadTurns({ inFlight, waiting } = READ_TURNS): ReadTurns {
  const accounts = new Map<string, { running: number; queue: (() => void)[] }>();
  return {
    async run(accountId, read) {
      const account = accounts.get(accountId) ?? { running: 0, queue: [] };
      accounts.set(accountId, account);
      if (account.running < inFlight) account.running += 1;
      else {
        if (account.queue.length >= waiting) {
          throw new AppError('RATE_LIMITED', copy.tooManyReads, { retryAfterSeconds: RETRY_AFTER_SECONDS });
        }
        // the one that ends passes its turn on
        await new Promise<void>((resolve) => account.queue.push(resolve));
      }
      try {
        return await read();
      } finally {
        const next = account.queue.shift();
        if (next) next();
        else account.running -= 1;
        if (account.running === 0) accounts.delete(accountId);
      }
    },
  };
}
