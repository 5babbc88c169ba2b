/** A direct connection to the database for backups and restores, without the time limits of requests. */
import { Client, type ClientBase } from 'pg';

/** Limits that the role or the server may set; a version that lacks one is not asked. */
const LIMITS = [
  'statement_timeout',
  'lock_timeout',
  'transaction_timeout',
  'idle_in_transaction_session_timeout',
  'idle_session_timeout',
];
/** The notation of values in COPY, the same on every server. */
const NOTATION = {
  datestyle: 'ISO, MDY',
  intervalstyle: 'postgres',
  timezone: 'UTC',
  bytea_output: 'hex',
  extra_float_digits: '1',
};

/** Sets this connection to write and read values in the same way as any other, and to take its time. */
export async function prepareConnection(client: ClientBase): Promise<void> {
  await client.query(`select set_config(name, '0', false) from pg_settings where name = any($1)`, [LIMITS]);
  for (const [name, value] of Object.entries(NOTATION)) {
    await client.query('select set_config($1, $2, false)', [name, value]);
  }
}

/** Connects, does the work, and closes the connection. */
export async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000, keepAlive: true });
  // a lost connection also fails the query that runs
  client.on('error', () => undefined);
  await client.connect();
  try {
    await prepareConnection(client);
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
