/** Connection pool fixes: drops dead and read-only connections. */
import type { Pool, PoolClient } from 'pg';
import { isReadOnly } from './failures.ts';

/**
 * Give a connection back to the pool when it dies while in use. Kysely releases a transaction's connection after
 * COMMIT or ROLLBACK; on a dead one both fail and it keeps the place, so that every transaction that a database restart
 * cuts short would cost one connection for ever.
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
 * Close a connection whose server takes no writes: after a failover it leads to the former primary, and would go on
 * refusing whatever it is given. The next one leads to where the address leads by then.
 */
export function dropReadOnlyConnections(pool: Pool): void {
  pool.on('connect', (client) => {
    // after the client's own listener, which has given the error to the query
    client.connection.on('errorMessage', (error: unknown) => {
      if (isReadOnly(error)) client.connection.stream.destroy();
    });
  });
}
