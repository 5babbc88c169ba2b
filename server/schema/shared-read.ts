/**
 * Reads that are the same for everybody and slow in a large community: one runs at a time, and calls that arrive meanwhile
 * share the next one. So none is answered with what was read before it came.
 */
import type { Em } from './orm.ts';

interface Runs<T> {
  next: Promise<T> | null;
  running: Promise<unknown>;
}

/**
 * @param read must use nothing of the caller's entity manager but its connections; `now` comes from the first call that shares
 * the read, at most one read earlier than the others
 */
export function shareRead<T>(read: (em: Em, now: Date) => Promise<T>): (em: Em, now?: Date) => Promise<T> {
  const runsOf = new WeakMap<object, Runs<T>>();
  return (em, now = new Date()) => {
    // a transaction sees what it has written itself
    if (em.isInTransaction()) return read(em, now);
    const connections = em.getConnection();
    const runs: Runs<T> = runsOf.get(connections) ?? { next: null, running: Promise.resolve() };
    runsOf.set(connections, runs);
    runs.next ??= runs.running.then(() => {
      runs.next = null;
      const run = read(em, now);
      runs.running = run.catch(() => undefined);
      return run;
    });
    return runs.next;
  };
}
