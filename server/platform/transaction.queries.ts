/** Locks and settings that end with the transaction. `set local` is raw, because the query builder lacks it. */
import { db } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { query, sql } from '#server/schema/query.ts';

/** Numbers of advisory locks; migrations use 7_311_905, the process that sends to Discord 7_311_920, a backup 7_311_931. */
const LOCKS = {
  /** role changes */
  roles: 7_311_906,
  /** the first admin of an installation */
  firstAdmin: 7_311_907,
  /** callsigns and frequencies of missions that overlap */
  planning: 7_311_908,
  /** the sample community of a new database */
  sample: 7_311_909,
  /** the number of webhooks */
  webhooks: 7_311_910,
  /** aircraft types: their ids and unique names */
  aircraft: 7_311_911,
  /** the number of invites */
  invites: 7_311_912,
  /** bans: shared by whatever makes or uses an account */
  bans: 7_311_913,
  /** the number of visitors' requests */
  requests: 7_311_914,
  /** the number of mission templates */
  missionTemplates: 7_311_917,
  /** the number of series */
  missionSeries: 7_311_918,
  /** requests for a backup */
  backups: 7_311_916,
  /** contents of mission files, which are removed when no file has them */
  missionFiles: 7_311_915,
};

type Lock = keyof typeof LOCKS;

/** Call one of PostgreSQL's functions for advisory locks. @returns what it answers */
async function callLock(tx: Em, name: string, lock: Lock): Promise<unknown> {
  const statement = db(tx).selectNoFrom(({ fn, lit }) => fn(name, [lit(LOCKS[lock])]).as('answer'));
  return (await statement.executeTakeFirst())?.answer;
}

/** Wait for an advisory lock. */
export async function takeLock(tx: Em, lock: Lock): Promise<void> {
  await callLock(tx, 'pg_advisory_xact_lock', lock);
}

/** Wait until nobody holds an advisory lock alone, and share it with others who do. */
export async function takeSharedLock(tx: Em, lock: Lock): Promise<void> {
  await callLock(tx, 'pg_advisory_xact_lock_shared', lock);
}

/** Take an advisory lock unless another transaction has it. @returns true if it was free */
export async function tryLock(tx: Em, lock: Lock): Promise<boolean> {
  return (await callLock(tx, 'pg_try_advisory_xact_lock', lock)) === true;
}

/** Wait for the advisory lock of a name (any text). */
export async function takeNamedLock(tx: Em, name: string): Promise<void> {
  const hashed = db(tx).selectNoFrom(({ fn, val, lit, cast }) =>
    fn('pg_advisory_xact_lock', [fn('hashtextextended', [cast(val(name), 'text'), lit(0)])]).as('answer'),
  );
  await hashed.execute();
}

/** Let each sort, hash or bitmap of the transaction use so many megabytes, instead of the server's usual limit. */
export async function allowMemory(tx: Em, megabytes: number): Promise<void> {
  const setting = db(tx).selectNoFrom(({ fn, val, lit }) =>
    fn('set_config', [val('work_mem'), val(`${megabytes}MB`), lit(true)]).as('answer'),
  );
  await setting.execute();
}

/** Let the transaction be idle between statements for up to `idleMs`, instead of the connection's usual limit. */
export async function allowIdle(tx: Em, idleMs: number): Promise<void> {
  await query(tx, sql`set local idle_in_transaction_session_timeout = ${sql.lit(idleMs)}`);
}
