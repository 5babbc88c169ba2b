/** Work that one process of the installation does at a time: who does it, and who takes over from a dead leader. */
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { startElection } from '#server/jobs/leader.ts';
import { query, sql } from '#server/schema/query.ts';
import { startService, type Service } from '#tests/harness/service.ts';

const LOCK = 7_399_001;
const WAIT = { timeout: 20_000, interval: 20 };

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

/** The names of those that work at the moment. */
const working: string[] = [];
/** The names of those that have begun, in that order. */
let begun: string[] = [];
beforeEach(() => {
  begun = [];
});

const stand = (name: string, begin: () => Promise<void> = () => Promise.resolve()) =>
  startElection({
    databaseUrl: service.databaseUrl,
    lock: LOCK,
    log: service.app.log,
    async begin() {
      await begin();
      working.push(name);
      begun.push(name);
      return () => {
        working.splice(working.indexOf(name), 1);
        return Promise.resolve();
      };
    },
  });

const cut = () =>
  query(
    service.app.orm.em.fork(),
    sql`select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted and objid = ${LOCK}`,
  );

test('one of several leads, and the next takes over when it stops or its connection dies', async () => {
  const stops = new Map(['one', 'two', 'three'].map((name) => [name, stand(name)]));
  await vi.waitFor(() => expect(working).toHaveLength(1), WAIT);
  const [first = ''] = begun;
  await stops.get(first)?.();
  expect(working).not.toContain(first);
  await vi.waitFor(() => expect(begun).toHaveLength(2), WAIT);
  expect(working).toEqual(begun.slice(-1));
  await cut();
  await vi.waitFor(() => {
    expect(begun).toHaveLength(3);
    expect(working).toEqual(begun.slice(-1));
  }, WAIT);
  expect(begun.slice(1)).not.toContain(first);
  await Promise.all([...stops.values()].map((stop) => stop()));
  expect(working).toEqual([]);
});

test('work that cannot begin is tried again, and the lock is free meanwhile', async () => {
  let failures = 0;
  const stop = stand('clumsy', () => {
    failures += 1;
    return failures < 3 ? Promise.reject(new Error('not yet')) : Promise.resolve();
  });
  await vi.waitFor(() => expect(working).toEqual(['clumsy']), WAIT);
  expect(failures).toBe(3);
  await stop();
});
