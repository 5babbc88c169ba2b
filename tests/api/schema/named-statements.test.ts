/** Named statements in transactions, on the one connection of a pool. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { syncAircraft } from '#server/accounts/pilots/aircraft.ts';
import { named } from '#server/schema/named.ts';
import { connect } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import { query, sql } from '#server/schema/query.ts';
import { createTestDatabase, type TestDatabase } from '#tests/harness/database.ts';

const listAircraft = named('test_aircraft', (source, { id }: { id: number }) =>
  source.selectFrom('aircraft').select('name').where('id', '=', id),
);

let database: TestDatabase;
let orm: Awaited<ReturnType<typeof connect>>;

beforeAll(async () => {
  database = await createTestDatabase();
  orm = await connect(database.url, { poolSize: 1 });
  await syncAircraft(orm.em.fork());
});
afterAll(async () => {
  await orm.close();
  await database.drop();
});

const readInTransaction = () =>
  transact(orm.em, async (tx) => ({
    rows: await listAircraft(tx, { id: 1 }),
    prepared: await query<{ name: string }>(tx, sql`select name from pg_prepared_statements`),
  }));

test('PostgreSQL keeps their plan in transactions too', async () => {
  const before = await readInTransaction();
  expect(before.rows).toHaveLength(1);
  expect(before.prepared).toEqual([{ name: 'test_aircraft' }]);
});

test('a transaction whose plan a migration has made stale is run again on a new connection', async () => {
  const { rows } = await readInTransaction();
  const pid = sql<{ pid: number }>`select pg_backend_pid() as pid`;
  const before = await query(orm.em.fork(), pid);
  const migration = await connect(database.url, { poolSize: 1 });
  await query(migration.em.fork(), sql`alter table aircraft alter column name type varchar(200)`);
  await migration.close();
  expect((await readInTransaction()).rows).toEqual(rows);
  expect(await query(orm.em.fork(), pid)).not.toEqual(before);
});
