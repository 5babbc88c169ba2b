/** The readiness check of the database: a query each time, and a write now and then. */
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import { READY_WRITE_SECONDS } from '#shared/limits.ts';
import { probe, probeWrite } from './readiness.queries.ts';

/** @returns a check that rejects if calls cannot be served now */
export function createReadinessCheck(fork: () => Em): () => Promise<void> {
  let writable: Promise<void> | null = null;
  let askedAt = 0;
  return async () => {
    const now = performance.now();
    if (writable === null || now - askedAt > READY_WRITE_SECONDS * 1_000) {
      askedAt = now;
      const asked = transact(fork(), probeWrite);
      writable = asked;
      // after a failure the next check writes again, to notice at once when it is over
      asked.catch(() => {
        if (writable === asked) writable = null;
      });
      return asked;
    }
    await writable;
    await probe(fork());
  };
}
