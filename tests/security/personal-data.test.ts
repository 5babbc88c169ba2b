/**
 * The erasure of one of two pilots with names that overlap: nothing of the one is left anywhere in the database, and every word of the
 * other one stays. A column that is planted is exported and erased by its declaration alone.
 */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { eraseDueAccounts } from '#server/accounts/erase-account.ts';
import { sql } from '#server/schema/query.ts';
import { givenPostRow } from '#tests/harness/discord-posts.ts';
import { givenAdmin, givenPerson } from '#tests/harness/given.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { copyRows, dump, fillOwn, ownedTables, read, rowsOf, type Owner } from './personal-rows.ts';
import { givenStoredRows } from './stored-rows.ts';

const LATER = new Date(Date.now() + 3_600_000);

const ask = (service: Service, id: string) =>
  read(
    service,
    sql`update app_user set deletion_due_at = now(), roles_before_deletion = roles, roles = '{}' where id = ${id}`,
  );

const mission = { type: 'mission', id: randomUUID() };

/** Stores an event of a webhook, an audit entry about the account or somebody else, and an answer of the admin. */
async function storeCopies(
  service: Service,
  adminId: string,
  key: string,
  detail: object,
  about: { type: string; id: string },
): Promise<void> {
  const value = JSON.stringify(detail);
  await read(
    service,
    sql`insert into webhook_event (id, type, stream, data, occurred_at, created_at)
        values (gen_random_uuid(), 'order.issued', ${key}, ${value}::jsonb, now(), now())`,
  );
  await read(
    service,
    sql`insert into audit_entry (id, action, subject_type, subject_id, detail, occurred_at)
        values (gen_random_uuid(), 'pilot_assigned', ${about.type}, ${about.id}, ${value}::jsonb, now())`,
  );
  await read(
    service,
    sql`insert into idempotency_key (user_id, key, request_hash, answer, created_at)
        values (${adminId}, ${key}, 'hash', ${value}::jsonb, now())`,
  );
}

async function copiesOf(service: Service, key: string): Promise<unknown[]> {
  const rows = await read<{ value: unknown }>(
    service,
    sql`select data as value from webhook_event where stream = ${key}
        union all select answer from idempotency_key where key = ${key}`,
  );
  return rows.map(({ value }) => value);
}

test('a text column of accounts is exported and erased by its declaration alone, and its copies go', async () => {
  const service = await startService();
  const admin = await givenAdmin(service);
  const pilot = await givenPerson(service, { displayName: 'Viper' });
  const other = await givenPerson(service, { displayName: 'Viper Two' });
  await read(service, sql`alter table app_user add column planted text`);
  await read(service, sql`update app_user set planted = 'Night Owls' where id in (${pilot.id}, ${other.id})`);
  const userOf = (id: string) => ({ user: { id, displayName: 'x', planted: 'Night Owls' } });
  const seatsOf = (id: string) => ({
    flights: [{ callsign: 'Viper 1', assignments: [{ userId: id, planted: 'Night Owls' }] }],
  });
  for (const [name, { id }] of Object.entries({ pilot, other })) {
    await storeCopies(service, admin.id, `${name} user`, userOf(id), { type: 'user', id });
    await storeCopies(service, admin.id, `${name} seats`, seatsOf(id), mission);
    await storeCopies(service, admin.id, `${name} text`, { reason: 'Left the Night Owls' }, { type: 'user', id });
    await storeCopies(service, admin.id, `${name} field`, { userId: id, profile: { planted: 'Night Owls' } }, mission);
  }
  await read(service, sql`delete from webhook_event where stream like '% text'`);
  await read(service, sql`delete from idempotency_key where key like '% text'`);
  const isOthers = (row: string) => row.includes(other.id);
  const before = (await dump(service)).filter(isOthers);

  await ask(service, pilot.id);
  const script = join(import.meta.dirname, 'planted-column.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [
    script,
    service.databaseUrl,
    pilot.id,
    LATER.toISOString(),
  ]);
  expect(JSON.parse(stdout)).toMatchObject({ account: { callSign: 'Viper', planted: 'Night Owls' } });

  expect(await read(service, sql`select planted, display_name as name from app_user where id = ${pilot.id}`)).toEqual([
    { planted: null, name: 'former pilot' },
  ]);
  const after = await dump(service);
  expect(after.filter((row) => row.includes('Night Owls') && !isOthers(row))).toEqual([]);
  expect(after.filter(isOthers)).toEqual(before);
  expect(await copiesOf(service, 'pilot seats')).toEqual(
    Array.from({ length: 2 }, () => ({
      flights: [{ callsign: 'Viper 1', assignments: [{ userId: pilot.id, planted: null }] }],
    })),
  );
  await service.stop();
});

/** What only calls with devices, Discord and mail make. */
const moreRows = ({ id, email, discordUserId }: Owner) => [
  sql`delete from discord_account where user_id = ${id}`,
  sql`insert into discord_account (discord_user_id, user_id, username, linked_at, dm_channel_id)
      values (${discordUserId}, ${id}, 'viper', now(), '880011')`,
  sql`insert into guild_member (guild_id, discord_user_id, discord_username, updated_at) values ('1', ${discordUserId}, 'viper', now())`,
  sql`update registration_session set discord_user_id = ${discordUserId}, user_id = ${id}`,
  givenPostRow({ kind: 'order', dedupeKey: 'order:a', discordUserId, state: 'sent' }),
  sql`insert into slot_request (id, handle, email, email_key, module, level, slot, notes, created_at)
      values (gen_random_uuid(), 'Viper', ${email}, ${email}, 'Other', 'basic', 'Flexible', 'Evenings', now())`,
  sql`insert into authenticator (user_id, sealed_key, last_step, created_at) values (${id}, 'sealed', 0, now())`,
  sql`insert into recovery_code (code_hash, user_id, created_at) values ('a-code', ${id}, now())`,
  sql`insert into pending_sign_in (token_hash, user_id, way, password_mark, created_at, expires_at)
      values ('a-token', ${id}, 'password', 'mark', now(), now() + interval '1 hour')`,
  sql`insert into passkey_challenge (holder, user_id, challenge, expires_at) values ('a-holder', ${id}, 'c', now() + interval '1 hour')`,
  sql`insert into sign_in_link (token_hash, user_id, purpose, created_at, expires_at)
      values ('a-link', ${id}, 'sign_in', now(), now() + interval '1 hour')`,
  sql`insert into calendar_feed (user_id, token_hash, created_at) values (${id}, 'a-feed', now()) on conflict do nothing`,
  sql`insert into idempotency_key (user_id, key, request_hash, answer, created_at) values (${id}, 'a-key', 'hash', '{}', now())`,
  sql`insert into personal_access_token (id, user_id, name, token_hash, scopes, created_at, expires_at)
      values (gen_random_uuid(), ${id}, 'Relay', 'a-pat', '{read}', now(), now() + interval '1 day')`,
  sql`insert into push_subscription (id, user_id, endpoint, p256dh, auth, user_agent, created_at)
      values (gen_random_uuid(), ${id}, 'https://push.example.org/a', 'p', 'a', 'Firefox', now())`,
  sql`insert into pilot_status (user_id, state, updated_at) values (${id}, 'dnd', now()) on conflict do nothing`,
  sql`insert into last_seen (user_id, seen_at) values (${id}, now()) on conflict do nothing`,
];

test('nothing of an erased pilot is left anywhere, and every word of another one with such a name stays', async () => {
  const service = await startService();
  const { admin, pilot } = await givenStoredRows(service);
  const second = await givenPerson(service, { displayName: 'Viper Two' });
  const gone: Owner = { id: pilot.id, email: 'viper@example.org', discordUserId: '700600500400300299' };
  const other: Owner = { id: second.id, email: 'superviper@example.org', discordUserId: '7006005004003002991' };
  for (const { id, email } of [gone, other]) {
    await read(service, sql`update app_user set email = ${email}, email_key = ${email} where id = ${id}`);
  }
  await read(service, sql`update app_user set display_name = 'Viper' where id = ${gone.id}`);
  await read(service, sql`update delivery set address = ${gone.email}`);
  for (const table of ['pilot_status', 'last_seen', 'session']) {
    await read(service, sql`delete from ${sql.ref(table)} where user_id = ${other.id}`);
  }
  for (const statement of moreRows(gone)) await read(service, statement);
  expect(await copyRows(service, gone, other)).toEqual([]);
  await read(
    service,
    sql`update discord_account set username = 'viper2', dm_channel_id = '8800112' where user_id = ${other.id}`,
  );
  const texts = await fillOwn(service, gone, 'Xanthippe');
  await fillOwn(service, other, 'Xanthippes');
  for (const [{ discordUserId }, username] of [
    [gone, 'viper'],
    [other, 'viper2'],
  ] as const) {
    await read(
      service,
      sql`update discord_account set username = ${username} where discord_user_id = ${discordUserId}`,
    );
    await read(
      service,
      sql`update guild_member set discord_username = ${username} where discord_user_id = ${discordUserId}`,
    );
  }

  // what others have written and stored about both of them
  const both = `Ask ${gone.email} or ${other.email}, ${gone.discordUserId} or ${other.discordUserId}.`;
  const left = `Ask former pilot or ${other.email}, former pilot or ${other.discordUserId}.`;
  const seats = (first: string) => ({
    mission: { name: 'Viper', notes: 'Viper leads', timeZone: 'UTC' },
    seats: [
      { userId: gone.id, userDisplayName: first, flightCallsign: 'Viper' },
      { userId: other.id, userDisplayName: 'Viper Two', notes: 'Viper' },
    ],
  });
  await storeCopies(service, admin.id, 'both', seats('Viper'), mission);
  await read(service, sql`update mission set name = 'Viper', notes = ${both}`);
  await read(
    service,
    sql`update frag_order set changes = ${JSON.stringify([{ field: 'callsign', from: 'Viper', to: both }])}::jsonb`,
  );
  await read(service, sql`update webhook set description = ${both}`);
  await read(service, sql`update delivery set error_message = ${both} where channel = 'discord'`);
  const members = (ids: string[]) => ({ name: 'Viper', members: ids, isArchived: false, strangers: ids });
  await read(
    service,
    givenPostRow({
      kind: 'thread',
      dedupeKey: 'thread:1',
      guildId: '1',
      state: 'sent',
      thread: members([gone.discordUserId, other.discordUserId]),
    }),
  );
  const lines = [
    ['member_joined', 'viper', 'a former member'],
    ['member_joined', 'viper2', 'viper2'],
    ['rsvp_from_discord', 'viper: FRAG-001 accepted', 'a former member: FRAG-001 accepted'],
    ['guild_updated', 'viper2 chose #viper for missions', 'viper2 chose #viper for missions'],
    ['channel_created', 'viper', 'viper'],
  ] as const;
  await read(service, sql`delete from guild_event`);
  for (const [type, line] of lines) {
    await read(
      service,
      sql`insert into guild_event (id, guild_id, event_type, event_data, occurred_at) values (gen_random_uuid(), '1', ${type}, ${line}, now())`,
    );
  }
  for (const { id } of [gone, other]) {
    await read(
      service,
      sql`insert into ban (id, email_hash, label, reason, user_id, created_at) values (gen_random_uuid(), ${`hash ${id}`}, 'Viper', 'Viper', ${id}, now())`,
    );
  }

  const rowsOfOther = async () =>
    Object.fromEntries(
      await Promise.all(
        [...ownedTables(service).keys()].map(async (table) => [table, await rowsOf(service, table, other)] as const),
      ),
    );
  const words = await rowsOfOther();
  await ask(service, gone.id);
  await eraseDueAccounts(service.app.orm.em.fork(), LATER);

  const rows = await dump(service);
  const traces = [/(?<!super)viper@example\.org/i, /700600500400300299(?!1)/, /880011(?!2)/, /(?<!\w)viper(?=: FRAG)/];
  for (const trace of traces)
    expect(
      rows.filter((row) => trace.test(row)),
      String(trace),
    ).toEqual([]);
  for (const text of texts)
    expect(
      rows.filter((row) => row.includes(text)),
      text,
    ).toEqual([]);
  for (const table of ownedTables(service).keys()) expect(await rowsOf(service, table, gone), table).toEqual([]);

  expect(await rowsOfOther()).toEqual(words);
  expect(await copiesOf(service, 'both')).toEqual([seats('former pilot'), seats('former pilot')]);
  expect(await read(service, sql`select distinct name, notes from mission`)).toEqual([{ name: 'Viper', notes: left }]);
  expect(await read(service, sql`select distinct changes from frag_order`)).toEqual([
    { changes: [{ field: 'callsign', from: 'Viper', to: left }] },
  ]);
  expect(await read(service, sql`select event_data as line from guild_event order by id`)).toHaveLength(lines.length);
  const stored = await read<{ line: string }>(service, sql`select event_data as line from guild_event`);
  expect(stored.map(({ line }) => line).toSorted()).toEqual(lines.map(([, , line]) => line).toSorted());
  expect(await read(service, sql`select thread from discord_post where kind = 'thread'`)).toEqual([
    { thread: members([other.discordUserId]) },
  ]);
  expect(await read(service, sql`select label, reason from ban where user_id = ${gone.id}`)).toEqual([
    { label: 'former pilot', reason: 'No longer known' },
  ]);
  expect(await read(service, sql`select label, reason from ban where user_id = ${other.id}`)).toEqual([
    { label: 'Viper', reason: 'Viper' },
  ]);
  await service.stop();
}, 120_000);
