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

test.runIf(process.platform === 'linux')('connections whose server hangs come back to the pool', async () => {
  const orm = await connect(database.url, { poolSize: 1 });
  let pid = 0;
  try {
    const hung = orm.em.fork().transactional(async (tx) => {
      const [backend] = await query<{ pid: number }>(tx, sql`select pg_backend_pid() as pid`);
      pid = backend?.pid ?? 0;
      process.kill(pid, 'SIGSTOP');
      await query(tx, sql`select 1`);
    });
    await expect(hung).rejects.toThrow();
    const answer = await orm.em.fork().transactional((tx) => query<{ one: number }>(tx, sql`select 1 as one`));
    expect(answer).toEqual([{ one: 1 }]);
    // an idle connection hangs at BEGIN
    const [idle] = await query<{ pid: number }>(orm.em.fork(), sql`select pg_backend_pid() as pid`);
    process.kill(pid, 'SIGCONT');
    pid = idle?.pid ?? 0;
    process.kill(pid, 'SIGSTOP');
    await expect(orm.em.fork().transactional((tx) => query(tx, sql`select 1`))).rejects.toThrow();
    expect(await query<{ one: number }>(orm.em.fork(), sql`select 1 as one`)).toEqual([{ one: 1 }]);
  } finally {
    if (pid > 0) process.kill(pid, 'SIGCONT');
    await orm.close();
  }
});
