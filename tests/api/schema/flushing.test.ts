/** Statements in a transaction see pending changes of entities, without a flush by hand. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { named } from '#server/schema/named.ts';
import { db } from '#server/schema/database.ts';
import { unitOfWork, writeEntities } from '#server/schema/flushing.ts';
import { violatedConstraint } from '#server/schema/failures.ts';
import type { Em } from '#server/schema/orm.ts';
import { query, sql } from '#server/schema/query.ts';
import { transact } from '#server/schema/transaction.ts';
import { User } from '#server/schema/user.ts';
import { startService, type Service } from '#tests/harness/service.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');

let service: Service;
let em: Em;
beforeAll(async () => {
  service = await startService();
  em = service.app.orm.em.fork();
});
afterAll(() => service.stop());

let count = 0;
function create(tx: Em): User {
  count += 1;
  const email = `flush-${count}@example.org`;
  return tx.create(User, { email, emailKey: email, displayName: 'Before', roles: ['user'], timeZone: 'UTC' });
}

const findNamed = named('flushing_test', (source, { id }: { id: string }) =>
  source.selectFrom('app_user').select('display_name as name').where('id', '=', id),
);
const WAYS: readonly [string, (tx: Em, id: string) => Promise<{ name: string | null }[]>][] = [
  [
    'the builder',
    (tx, id) => db(tx).selectFrom('app_user').select('display_name as name').where('id', '=', id).execute(),
  ],
  ['a named statement', (tx, id) => findNamed(tx, { id })],
  ['the ORM', async (tx, id) => (await tx.find(User, { id })).map(({ displayName = null }) => ({ name: displayName }))],
  ['raw SQL', (tx, id) => query(tx, sql`select display_name as name from app_user where id = ${id}`)],
  ['a transaction inside', (tx, id) => transact(tx, (inner) => findNamed(inner, { id }))],
];

test.each(WAYS)('%s reads entities that were created, changed and removed before it', async (_name, read) => {
  await transact(em, async (tx) => {
    const user = create(tx);
    expect(await read(tx, user.id)).toEqual([{ name: 'Before' }]);
    user.displayName = 'After';
    expect(await read(tx, user.id)).toEqual([{ name: 'After' }]);
    tx.remove(user);
    expect(await read(tx, user.id)).toEqual([]);
  });
});

test('a statement wins over a change of an entity before it', async () => {
  const id = await transact(em, async (tx) => {
    const user = create(tx);
    user.displayName = 'First';
    await db(tx).updateTable('app_user').set({ display_name: 'Last' }).where('id', '=', user.id).execute();
    return user.id;
  });
  expect(await findNamed(em, { id })).toEqual([{ name: 'Last' }]);
});

test('a new entity is there for a statement that only refers to it', async () => {
  const leaves = await transact(em, async (tx) => {
    const { id } = create(tx);
    const leave = { user_id: id, first_date: '2026-12-01', last_date: '2026-12-02', updated_at: new Date() };
    await db(tx).insertInto('leave').values(leave).execute();
    return db(tx).selectFrom('leave').select('user_id').where('user_id', '=', id).execute();
  });
  expect(leaves).toHaveLength(1);
});

test('a unit of work of its own writes what it has gained before its own statements, and is rolled back with the rest', async () => {
  const [seen, id] = await transact(em, async (tx) => {
    const own = unitOfWork(tx);
    const user = create(own);
    const before = await findNamed(tx, { id: user.id });
    await findNamed(own, { id: user.id });
    return [[before, await findNamed(tx, { id: user.id })], user.id] as const;
  });
  expect(seen).toEqual([[], [{ name: 'Before' }]]);
  expect(await findNamed(em, { id })).toEqual([{ name: 'Before' }]);
  const lost = transact(em, async (tx) => {
    const own = unitOfWork(tx);
    const user = create(own);
    await writeEntities(own);
    throw new Error(user.id);
  });
  const lostId = await lost.catch((error: unknown) => (error instanceof Error ? error.message : ''));
  expect(await findNamed(em, { id: lostId })).toEqual([]);
});

test('an entity that the database refuses fails the next statement, by its constraint', async () => {
  const failure = await transact(em, async (tx) => {
    const user = create(tx);
    await findNamed(tx, { id: user.id });
    tx.create(User, { email: 'other@example.org', emailKey: user.emailKey, roles: [], timeZone: 'UTC' });
    await findNamed(tx, { id: user.id });
  }).catch((error: unknown) => error);
  expect(violatedConstraint(failure)).toBe('app_user_email_key_unique');
});

test('statements that run at once all see the entity', async () => {
  await transact(em, async (tx) => {
    const { id } = create(tx);
    const answers = await Promise.all(WAYS.slice(0, 4).map(([, read]) => read(tx, id)));
    expect(answers).toEqual(WAYS.slice(0, 4).map(() => [{ name: 'Before' }]));
  });
});

test('a transaction that is over leaves nothing behind in its builder', async () => {
  const [first, second] = [
    await transact(em, async (tx) => create(tx).id),
    await transact(em, async (tx) => create(tx).id),
  ];
  expect([await findNamed(em, { id: first }), await findNamed(em, { id: second })]).toEqual([
    [{ name: 'Before' }],
    [{ name: 'Before' }],
  ]);
});

test('no file of the server flushes by hand', () => {
  const flushes = (source: string) => /\.flush\(\)/.test(source);
  const files = globSync('server/**/*.ts', { cwd: ROOT, exclude: (path) => path.endsWith('node_modules') });
  expect(files.length).toBeGreaterThan(400);
  const found = files.filter((file) => flushes(readFileSync(join(ROOT, file), 'utf8')));
  expect(found).toEqual(['server/schema/flushing.ts']);
  expect(flushes('await tx.flush();')).toBe(true);
});
