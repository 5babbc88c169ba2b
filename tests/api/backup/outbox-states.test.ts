/** The outbox of an older release: what one column said of its rows gets columns of its own, and goes back. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MikroORM } from '@mikro-orm/postgresql';
import { connect } from '#server/schema/orm.ts';
import { createEmptyDatabase } from '#tests/harness/database.ts';
import { withSql } from '#tests/harness/database-digest.ts';

const MIGRATION = 'Migration20261127081800_outbox_states';

let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let orm: MikroORM;
beforeAll(async () => {
  database = await createEmptyDatabase();
  orm = await connect(database.url, { timeouts: false });
});
afterAll(async () => {
  await orm.close();
  await database.drop();
});

const THREAD = '{"name":"Op Talk","members":["1","2"],"isArchived":false}';

test('rows keep what they said', async () => {
  await orm.migrator.up({ to: MIGRATION });
  await orm.migrator.down({ migrations: [MIGRATION] });
  const rows: [key: string, kind: string, messageId: string | null, shown: string | null][] = [
    ['1 standing', 'card', '11', 'a-hash'],
    ['2 deleted', 'card', null, 'deleted'],
    ['3 replaced', 'order', null, '10'],
    ['4 event', 'event', '12', 'a-hash'],
    ['5 called off', 'event', null, 'gone'],
    ['6 thread', 'thread', '13', THREAD],
    ['7 deleted thread', 'thread', null, 'gone'],
    ['8 waiting', 'news', null, null],
  ];
  await withSql(database.url, async (ask) => {
    for (const [key, kind, messageId, shown] of rows) {
      const text = (value: string | null) => (value === null ? 'null' : `'${value}'`);
      await ask(`insert into outbox_message (id, dedupe_key, kind, message_id, shown, payload, state, created_at, updated_at)
        values (gen_random_uuid(), '${key}', '${kind}', ${text(messageId)}, ${text(shown)}, '{}', 'sent', now(), now())`);
    }
  });
  await orm.migrator.up({ to: MIGRATION });
  const read = `select dedupe_key as key, message_id as message, shown, posting, removed_at is not null as removed, thread
                from outbox_message order by dedupe_key`;
  const row = (key: string, message: string | null, shown: string | null, rest: object = {}) => ({
    key,
    message,
    shown,
    posting: 0,
    removed: false,
    thread: null,
    ...rest,
  });
  expect(await withSql(database.url, (ask) => ask(read))).toEqual([
    row('1 standing', '11', 'a-hash'),
    row('2 deleted', null, null, { removed: true }),
    row('3 replaced', null, null, { posting: 1 }),
    row('4 event', '12', 'a-hash'),
    row('5 called off', null, null, { removed: true }),
    row('6 thread', '13', null, { thread: { ...JSON.parse(THREAD), strangers: [] } }),
    row('7 deleted thread', null, null, { removed: true }),
    row('8 waiting', null, null),
  ]);
  await orm.migrator.down({ migrations: [MIGRATION] });
  const back = await withSql(database.url, (ask) => ask('select shown from outbox_message order by dedupe_key'));
  const shown = back.map((one) => one['shown'] as string | null);
  expect(shown.map((text, index) => (index === 5 ? JSON.parse(text ?? '') : text))).toEqual([
    'a-hash',
    'deleted',
    '1',
    'a-hash',
    'gone',
    JSON.parse(THREAD),
    'gone',
    null,
  ]);
});
