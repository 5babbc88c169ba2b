/** Transactions that are retried after a deadlock, a serialization failure or a lost race. */

import { isRetryable, isStalePlan } from './failures.ts';
import type { Em } from './orm.ts';

const ATTEMPTS = 5;

/**
 * Run `work` in one transaction; after a deadlock or serialization failure, run all of it again.
 * Inside the caller's transaction it is a savepoint, and retrying is up to the caller.
 * @param work gets its own fork each time, and must use no other connection
 * @param isLostRace further errors that running again, with fresh data, would avoid
 */
export async function transact<T>(
  em: Em,
  work: (tx: Em) => Promise<T>,
  isLostRace: (error: unknown) => boolean = () => false,
): Promise<T> {
  if (em.isInTransaction()) return em.fork({ keepTransactionContext: true }).transactional(work);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await em.fork().transactional(work);
    } catch (error) {
      if (attempt >= ATTEMPTS || !(isRetryable(error) || isStalePlan(error) || isLostRace(error))) throw error;
    }
  }
}
