/** Rows of an older release: a migration that moves what they say to other columns or tables keeps it, and takes it back. */
import { afterEach, expect, test } from 'vitest';
import { connect } from '#server/schema/orm.ts';
import { createEmptyDatabase } from '#tests/harness/database.ts';
import { withSql } from '#tests/harness/database-digest.ts';

let end = (): Promise<void> => Promise.resolve();
afterEach(() => end());

let database: Awaited<ReturnType<typeof createEmptyDatabase>>;

/** A database as it was before a migration. */
async function beforeMigration(name: string) {
  database = await createEmptyDatabase();
  const orm = await connect(database.url, { timeouts: false });
  end = async () => {
    await orm.close();
    await database.drop();
  };
  const migration = {
    up: () => orm.migrator.up({ to: name }),
    down: () => orm.migrator.down({ migrations: [name] }),
  };
  await migration.up();
  await migration.down();
  return migration;
}

const THREAD = '{"name":"Op Talk","members":["1","2"],"isArchived":false}';

test('messages in the outbox of Discord', async () => {
  const migration = await beforeMigration('Migration20261127081800_outbox_states');
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
  await migration.up();
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
  await migration.down();
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

const FORMER = [
  { state: 'delivered', attempts: 1, replay: false, due: false, status: 204, error: null, delivered: true },
  { state: 'failed', attempts: 9, replay: false, due: false, status: 500, error: 'It answered 500.', delivered: false },
  { state: 'waiting', attempts: 2, replay: true, due: true, status: null, error: 'It was down.', delivered: false },
];

test('deliveries of webhooks, in their order', async () => {
  const migration = await beforeMigration('Migration20261128101551_webhook_deliveries');
  await withSql(database.url, async (ask) => {
    await ask(`insert into delivery (id, channel, kind, state, deadline_at, created_at)
      values (gen_random_uuid(), 'mail', 'welcome', 'sent', now(), now())`);
    await ask(`with hook as (insert into webhook (id, url, events, listens_since, secret, created_at, updated_at)
        values (gen_random_uuid(), 'https://receiver.invalid', '{}', now(), 'secret', now(), now()) returning id),
      event as (insert into webhook_event (id, type, stream, data, occurred_at, created_at)
        values (gen_random_uuid(), 'mission.filled', 'a mission', '{}', now(), now()) returning id, stream)
      insert into webhook_delivery (id, webhook_id, event_id, stream, state, attempts, is_replay, next_attempt_at,
        response_status, error_message, delivered_at, created_at)
      select gen_random_uuid(), hook.id, event.id, event.stream, d.state, d.attempts, d.replay,
        case when d.due then now() end, d.status, d.error, case when d.delivered then now() end, now()
      from hook, event, json_to_recordset('${JSON.stringify(FORMER)}')
        as d(state text, attempts int, replay bool, due bool, status int, error text, delivered bool)`);
  });
  const former = () =>
    withSql(database.url, (ask) =>
      ask(`select state, attempts, is_replay as replay, next_attempt_at is not null as due, response_status as status,
        error_message as error, delivered_at is not null as delivered from webhook_delivery order by seq`),
    );
  expect(await former()).toEqual(FORMER);

  await migration.up();
  const rows = await withSql(database.url, (ask) =>
    ask('select channel, kind, state, attempts, stream, is_replay as replay from delivery order by seq'),
  );
  const row = (state: string, attempts: number, replay = false) => ({
    channel: 'webhook',
    kind: 'mission.filled',
    state,
    attempts,
    stream: 'a mission',
    replay,
  });
  expect(rows).toEqual([
    { channel: 'mail', kind: 'welcome', state: 'sent', attempts: 0, stream: null, replay: false },
    row('sent', 1),
    row('failed', 9),
    row('queued', 2, true),
  ]);

  await migration.down();
  expect(await former()).toEqual(FORMER);
  expect(await withSql(database.url, (ask) => ask('select kind from delivery'))).toEqual([{ kind: 'welcome' }]);
});

const POSTS = [
  { key: 'card:1:a', kind: 'card', state: 'sent', attempts: 1, error: null, message: '11' },
  { key: 'frag:a', kind: 'order', state: 'queued', attempts: 2, error: 'Discord did not answer.', message: '12' },
  { key: 'frag:b', kind: 'order', state: 'cancelled', attempts: 0, error: null, message: null },
  { key: 'mention:1', kind: 'mention', state: 'sending', attempts: 1, error: null, message: null },
  {
    key: 'registration:1:2',
    kind: 'registration',
    state: 'uncertain',
    attempts: 3,
    error: 'Nobody knows.',
    message: null,
  },
];

test('messages in Discord, with what became of them', async () => {
  const migration = await beforeMigration('Migration20261129144740_discord_posts');
  await withSql(database.url, (ask) =>
    ask(`insert into outbox_message (id, dedupe_key, kind, state, attempts, error_message, message_id, payload, created_at, updated_at)
      select gen_random_uuid(), m.key, m.kind, m.state, m.attempts, m.error, m.message, '{"turn": 1}', now(), now()
      from json_to_recordset('${JSON.stringify(POSTS)}')
        as m(key text, kind text, state text, attempts int, error text, message text)`),
  );
  const former = () =>
    withSql(database.url, (ask) =>
      ask(`select dedupe_key as key, kind, state, attempts, error_message as error, message_id as message
        from outbox_message order by dedupe_key`),
    );
  expect(await former()).toEqual(POSTS);

  await migration.up();
  const rows = await withSql(database.url, (ask) =>
    ask(`select p.dedupe_key as key, d.kind, d.state, d.attempts, d.error_message as error, p.message_id as message,
        p.payload, d.dedupe_key as waits, d.next_attempt_at is not null as due
      from delivery d join discord_post p on p.id = d.post_id where d.channel = 'discord' order by p.dedupe_key`),
  );
  const rest = { payload: { turn: 1 }, waits: null, due: false };
  expect(rows).toEqual([
    { ...POSTS[0], ...rest },
    { ...POSTS[1], ...rest, waits: 'discord:frag:a', due: true },
    { ...POSTS[2], ...rest, state: 'dropped' },
    { ...POSTS[3], ...rest, due: true },
    { ...POSTS[4], ...rest },
  ]);

  await migration.down();
  expect(await former()).toEqual(POSTS);
  expect(await withSql(database.url, (ask) => ask('select kind from delivery'))).toEqual([]);
});

test('the content of templates and series gets the choice of secret sides', async () => {
  const migration = await beforeMigration('Migration20261128181729_secret_sides');
  const content = { name: 'Op Kept', guildIds: null };
  await withSql(database.url, async (ask) => {
    // without the account of its creator
    await ask('alter table mission_template alter column created_by_id drop not null');
    await ask(`insert into mission_template (id, name, theater, seats, content, created_at, updated_at)
      values (gen_random_uuid(), 'Kept', 'Syria', 2, '${JSON.stringify(content)}', now(), now())`);
  });
  const read = async () => withSql(database.url, (ask) => ask('select content from mission_template'));
  await migration.up();
  expect(await read()).toEqual([{ content: { ...content, secretSides: null } }]);
  await migration.down();
  expect(await read()).toEqual([{ content }]);
});
