/**
 * A count of the writes of this process, so that what it remembers is never older than what it has written itself. Writes of
 * others announce themselves by notifications, which may arrive a moment later.
 */
import type { Pool } from 'pg';

let writes = 0;

/** Statements that write nothing by themselves. What follows `begin` is counted by itself, as is its `commit`. */
const READS = /^\s*(?:select|begin|start transaction|savepoint)\b/i;
/** A statement with parts of its own, one of which may write. */
const HAS_PARTS = /^\s*with\b/i;
const WRITES = /\b(?:insert|update|delete|merge)\b/i;

/** True for a statement that writes nothing by itself; in doubt false. */
export const isRead = (text: string): boolean => READS.test(text) || (HAS_PARTS.test(text) && !WRITES.test(text));

/** The text of a statement, however node-postgres was given it. */
export const textOf = (query: unknown): string => {
  const text: unknown = typeof query === 'object' && query !== null ? Reflect.get(query, 'text') : query;
  return typeof text === 'string' ? text : '';
};

/** Count the statements of the pool's connections that may have written, before their callers learn the result. */
export function countWrites(pool: Pool): void {
  pool.on('connect', (client) => {
    const query: (...args: unknown[]) => unknown = client.query.bind(client);
    const queryCounted = (...args: unknown[]): unknown => {
      const result = query(...args);
      if (result instanceof Promise && !isRead(textOf(args[0]))) {
        const count = (): void => void (writes += 1);
        result.then(count, count);
      }
      return result;
    };
    Object.assign(client, { query: queryCounted });
  });
}

/** How many writes of this process have ended. */
export const ownWrites = (): number => writes;
