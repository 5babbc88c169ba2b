/** Reads that calls share: never one that began before the call. */
import { expect, test } from 'vitest';
import type { Em } from '#server/schema/orm.ts';
import { shareRead } from '#server/schema/shared-read.ts';

const emOf = (connection: object, isInTransaction = false) =>
  ({ getConnection: () => connection, isInTransaction: () => isInTransaction }) as unknown as Em;

/** A read that goes on until it is told its answer. */
function givenRead() {
  const runs: PromiseWithResolvers<string>[] = [];
  const read = shareRead(() => {
    const run = Promise.withResolvers<string>();
    runs.push(run);
    return run.promise;
  });
  return { runs, read };
}

/** Lets everything run that waits for nothing. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

test('calls that arrive while a read runs share the next one, which begins when it has ended', async () => {
  const { runs, read } = givenRead();
  const em = emOf({});
  const first = read(em);
  await settle();
  const later = [read(em), read(em)];
  await settle();
  expect(runs).toHaveLength(1);
  runs[0]?.resolve('old');
  expect(await first).toBe('old');
  await settle();
  expect(runs).toHaveLength(2);
  runs[1]?.resolve('new');
  expect(await Promise.all(later)).toEqual(['new', 'new']);
});

test('a failure reaches those who shared it, and nobody else', async () => {
  const { runs, read } = givenRead();
  const em = emOf({});
  const first = read(em);
  await settle();
  const second = read(em);
  runs[0]?.reject(new Error('away'));
  await expect(first).rejects.toThrow('away');
  await settle();
  runs[1]?.resolve('back');
  expect(await second).toBe('back');
});

test('other databases and transactions read for themselves', async () => {
  const { runs, read } = givenRead();
  const connection = {};
  const answers = [read(emOf(connection)), read(emOf({})), read(emOf(connection, true))];
  await settle();
  expect(runs).toHaveLength(3);
  for (const run of runs) run.resolve('');
  await Promise.all(answers);
});
