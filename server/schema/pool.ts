/** Connection pool fixes that drop dead, hanging and read-only connections. */
import type { Pool, PoolClient } from 'pg';
import { isReadOnly } from './failures.ts';
import type { Observer } from './statements.ts';

/** node-postgres gives this error no code. */
const READ_TIMEOUT = 'Query read timeout';

/**
 * Release a connection to the pool when it dies while in use. Kysely releases a transaction's connection after COMMIT or
 * ROLLBACK; on a dead connection both fail and it is never released, so every transaction that a database restart
 * interrupts would cost the pool a connection for ever.
 */
export function releaseDeadConnections(pool: Pool): void {
  const connect: () => Promise<PoolClient> = pool.connect.bind(pool);
  const connectWatched = async (): Promise<PoolClient> => {
    const client = await connect();
    const release = client.release.bind(client);
    let isReleased = false;
    const releaseOnce = (error?: Error | boolean) => {
      if (isReleased) return;
      isReleased = true;
      client.off('end', onEnd);
      release(error);
    };
    const onEnd = () => releaseOnce(true);
    client.once('end', onEnd);
    client.release = releaseOnce;
    return client;
  };
  Object.assign(pool, { connect: connectWatched });
}

/**
 * Close a connection whose server has not answered in time. Its query may still be running, and whatever comes next on it
 * waits behind that query. A transaction's connection would also stay in use for ever, because its ROLLBACK fails too.
 */
export const dropHanging: Observer =
  ({ client }) =>
  (failure) => {
    if (failure instanceof Error && failure.message === READ_TIMEOUT) client.connection.stream.destroy();
  };

/**
 * Close a connection whose server is read-only: after a failover it still leads to the former primary and would keep
 * refusing writes. The next connection resolves the address again.
 */
export function dropReadOnlyConnections(pool: Pool): void {
  pool.on('connect', (client) => {
    // runs after the client's own listener, which has passed the error to the query
    client.connection.on('errorMessage', (error: unknown) => {
      if (isReadOnly(error)) client.connection.stream.destroy();
    });
  });
}
