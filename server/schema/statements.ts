/** A hook for every statement of a connection pool: names prepared statements and calls observers. */
import type { Pool, PoolClient } from 'pg';

export interface Statement {
  text: string;
  /** the connection that runs it */
  client: PoolClient;
}

/** Called when a statement begins. @returns a function to call when it ends, before its caller continues; null means success */
export type Observer = (statement: Statement) => ((failure: unknown) => void) | undefined;

/** The text of a statement, however node-postgres was given it. */
const textOf = (query: unknown): string => {
  const text: unknown = typeof query === 'object' && query !== null ? Reflect.get(query, 'text') : query;
  return typeof text === 'string' ? text : '';
};

/** @param nameOf the name of a prepared statement by its text, which the ORM sends without one */
export function observeStatements(
  pool: Pool,
  nameOf: (text: string) => string | undefined,
  observers: readonly Observer[],
): void {
  pool.on('connect', (client) => {
    const send: (...args: unknown[]) => unknown = client.query.bind(client);
    const query = (...args: unknown[]): unknown => {
      const [first, values] = args;
      const text = textOf(first);
      const ends = observers.flatMap((observe) => observe({ text, client }) ?? []);
      const end = (failure: unknown): void => ends.forEach((call) => call(failure));
      const name = typeof first === 'string' ? nameOf(first) : undefined;
      const result = name === undefined ? send(...args) : send({ name, text, values });
      if (result instanceof Promise) result.then(() => end(null), end);
      else end(null);
      return result;
    };
    Object.assign(client, { query });
  });
}
