/** Deliveries of webhooks of an older release: they join those of email in one table, in their order, and go back. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MikroORM } from '@mikro-orm/postgresql';
import { connect } from '#server/schema/orm.ts';
import { createEmptyDatabase } from '#tests/harness/database.ts';
import { withSql } from '#tests/harness/database-digest.ts';

const MIGRATION = 'Migration20261128101551_webhook_deliveries';

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

const FORMER = [
  { state: 'delivered', attempts: 1, replay: false, due: false, status: 204, error: null, delivered: true },
  { state: 'failed', attempts: 9, replay: false, due: false, status: 500, error: 'It answered 500.', delivered: false },
  { state: 'waiting', attempts: 2, replay: true, due: true, status: null, error: 'It was down.', delivered: false },
];

test('rows keep what they said', async () => {
  await orm.migrator.up({ to: MIGRATION });
  await orm.migrator.down({ migrations: [MIGRATION] });
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

  await orm.migrator.up({ to: MIGRATION });
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

  await orm.migrator.down({ migrations: [MIGRATION] });
  expect(await former()).toEqual(FORMER);
  expect(await withSql(database.url, (ask) => ask('select kind from delivery'))).toEqual([{ kind: 'welcome' }]);
});
