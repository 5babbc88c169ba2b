/** Transactions that are retried after a deadlock, a serialization failure or a lost race. */
import { FlushMode } from '@mikro-orm/core';
import { isRetryable, isStalePlan } from './failures.ts';
import { writeEntities } from './flushing.ts';
import type { Em } from './orm.ts';

const ATTEMPTS = 5;

/** Reads by the ORM flush first, as statements of `db` do. Pass a copy: the ORM changes the object. */
const OPTIONS = { flushMode: FlushMode.ALWAYS };

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
  if (em.isInTransaction()) {
    await writeEntities(em);
    return em.fork({ keepTransactionContext: true }).transactional(work, { ...OPTIONS });
  }
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await em.fork().transactional(work, { ...OPTIONS });
    } catch (error) {
      if (attempt >= ATTEMPTS || !(isRetryable(error) || isStalePlan(error) || isLostRace(error))) throw error;
    }
  }
}
