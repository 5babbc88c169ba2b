import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect } from '#server/schema/orm.ts';
import { query, sql } from '#server/schema/query.ts';
import { createTestDatabase, type TestDatabase } from '#tests/harness/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('connections that die inside a transaction come back to the pool', async () => {
  const POOL_SIZE = 2;
  const orm = await connect(database.url, { poolSize: POOL_SIZE });
  try {
    for (let round = 0; round < POOL_SIZE * 3; round += 1) {
      const cutShort = orm.em.fork().transactional((tx) =>
        // a backend that ends itself is as dead as one whose server was killed
        query(tx, sql`select pg_terminate_backend(pg_backend_pid())`),
      );
      await expect(cutShort).rejects.toThrow();
    }
    const answers = Array.from({ length: POOL_SIZE }, () =>
      orm.em.fork().transactional((tx) => query<{ one: number }>(tx, sql`select 1 as one`)),
    );
    expect(await Promise.all(answers)).toEqual(Array.from({ length: POOL_SIZE }, () => [{ one: 1 }]));
  } finally {
    await orm.close();
  }
});
