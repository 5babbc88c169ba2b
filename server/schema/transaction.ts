import { isRetryable } from './failures.ts';
import type { Em } from './orm.ts';

const ATTEMPTS = 5;

/**
 * Run `work` in one transaction; when PostgreSQL asks for it again (deadlock, serialization), run it whole again.
 * Inside a transaction of the caller's it is a part of that one (a savepoint), and running again is the caller's.
 * @param work gets a fork of its own each time; it must use that and no other connection
 * @param isLostRace errors beyond those that a second look at the data would avoid
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
      if (attempt >= ATTEMPTS || !(isRetryable(error) || isLostRace(error))) throw error;
    }
  }
}
