/** A connection that listens for PostgreSQL notifications (LISTEN) and reconnects. */
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';

const BACK_OFF_MS = { first: 100, longest: 5_000 };
/** How long a connection may take to close: a database that hangs never confirms it. */
const GOODBYE_MS = 1_000;

interface Handlers {
  onNotice: (payload: string) => void;
  /** notifications arrive from now on; earlier ones are lost */
  onListening: () => void;
  onLost: (error: Error) => void;
}

export interface Listener {
  isListening: () => boolean;
  /**
   * Check the connection; one that died without being closed is replaced.
   * @returns true if it answered: all notifications of transactions that had committed before have then arrived
   */
  probe: () => Promise<boolean>;
  stop: () => Promise<void>;
}

/** @param channel a plain SQL name */
export function startListener(databaseUrl: string, channel: string, handlers: Handlers): Listener {
  const stopping = new AbortController();
  let current: Client | null = null;

  /** Resolves when the connection has ended. @returns true if it had listened */
  async function listenOnce(): Promise<boolean> {
    const client = new Client({
      connectionString: databaseUrl,
      application_name: channel,
      connectionTimeoutMillis: 3_000,
      query_timeout: 4_000,
      keepAlive: true,
    });
    const ended = new Promise<void>((resolve) => {
      client.once('end', resolve);
    });
    client.on('error', handlers.onLost);
    client.on('notification', ({ payload }) => handlers.onNotice(payload ?? ''));
    try {
      await client.connect();
      await client.query(`listen ${channel}`);
    } catch (error) {
      handlers.onLost(error instanceof Error ? error : new Error(String(error)));
      void client.end();
      return false;
    }
    if (stopping.signal.aborted) {
      await client.end();
      return false;
    }
    current = client;
    handlers.onListening();
    await ended;
    current = null;
    return true;
  }

  async function run(): Promise<void> {
    for (let failures = 0; !stopping.signal.aborted; failures += 1) {
      if (await listenOnce()) failures = 0;
      const wait = Math.min(BACK_OFF_MS.first * 2 ** failures, BACK_OFF_MS.longest) * (0.5 + Math.random() / 2);
      await pause(wait, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
    }
  }

  const running = run();
  return {
    isListening: () => current !== null,
    async probe() {
      const client = current;
      if (!client) return false;
      // PostgreSQL signals the listeners before it confirms a commit, and they deliver before they answer
      return client.query('select 1').then(
        () => true,
        () => {
          client.connection.stream.destroy();
          return false;
        },
      );
    },
    async stop() {
      stopping.abort();
      const client = current;
      if (client) {
        const cut = setTimeout(() => client.connection.stream.destroy(), GOODBYE_MS);
        await client.end();
        clearTimeout(cut);
      }
      await running;
    },
  };
}
