/**
 * Every text column of the database: those that hold what people, Discord and other services write, with the length that the
 * product takes, and those that hold values of Marshal. A new column must be in one of the lists.
 */
import { query, sql } from '#server/schema/query.ts';
import type { Service } from '#tests/harness/service.ts';
import { payloadText } from './payloads.ts';

/** Columns of free text and their lengths. */
export const FREE_TEXT: Readonly<Record<string, number>> = {
  'aircraft.code': 40,
  'aircraft.name': 80,
  'aircraft_slot.additional_notes': 4000,
  'app_user.display_name': 200,
  'availability_override.notes': 2000,
  'availability_slot.notes': 2000,
  'availability_template.name': 200,
  'ban.label': 80,
  'ban.reason': 200,
  'bot_lease.bot_name': 100,
  'bot_lease.problem': 500,
  'community.name': 100,
  'community_message.text': 1000,
  'discord_account.username': 100,
  'flight.callsign': 24,
  'flight.notes': 4000,
  'frag_order.reasons': 400,
  'guild.name': 100,
  'guild_channel.name': 100,
  'guild_channel.topic': 1000,
  'guild_event.error_message': 500,
  'guild_event.event_data': 200,
  'guild_member.discord_username': 100,
  'invite.name': 100,
  'leave.reason': 200,
  'mail_message.error_message': 300,
  'mission.name': 200,
  'mission.notes': 4000,
  'mission_file.name': 120,
  'mission_template.name': 200,
  'outbox_message.error_message': 300,
  'package.callsign': 24,
  'package.notes': 2000,
  'package.objective': 120,
  'package.own_objective': 120,
  'passkey.name': 60,
  'personal_access_token.name': 100,
  'push_subscription.user_agent': 500,
  'registration_session.campaign_id': 100,
  'registration_session.discord_username': 100,
  'remembered_device.user_agent': 500,
  'reminder.push_error': 300,
  'series_occurrence.problem': 500,
  'session.user_agent': 500,
  'slot_request.handle': 200,
  'slot_request.notes': 2000,
  'webhook.description': 200,
  'webhook_delivery.error_message': 300,
};

/** JSON columns, and the names in them that hold free text. */
export const FREE_JSON: Readonly<Record<string, readonly string[]>> = {
  'audit_entry.detail': ['name', 'device', 'label', 'from', 'to', 'reason', 'title'],
  'frag_order.changes': ['from', 'to', 'before', 'after', 'text'],
  'guild.roles': ['name'],
  'mission.links': ['title'],
  'mission_file_content.found': ['title', 'situation', 'mapName', 'weather', 'name', 'type', 'task', 'callsign'],
  'mission_series.content': ['name', 'notes', 'title', 'additionalNotes', 'callsign', 'objective'],
  'mission_template.content': ['name', 'notes', 'title', 'additionalNotes', 'callsign', 'objective'],
  'webhook_event.data': ['name', 'callSign', 'notes', 'reason'],
};

/** Ids, hashes, closed lists, times and zones as text, addresses with a pattern of their own, and what only Marshal reads. */
const FIXED = new Set(
  `aircraft.roles aircraft_slot.role app_user.email app_user.email_key app_user.time_zone app_user.roles app_user.password_hash
  app_user.approval app_user.roles_before_deletion attempt.bucket audit_entry.action audit_entry.subject_type
  audit_entry.subject_id authenticator.sealed_key availability_override.kind availability_override.start_local
  availability_override.end_local availability_slot.start_local availability_slot.end_local ban.email_hash ban.discord_hash
  bot_lease.name bot_lease.holder bot_lease.bot_user_id calendar_feed.token_hash community.registration
  discord_account.discord_user_id discord_account.dm_channel_id discord_account.locale flight.role flight.radio_freq
  frag_order.status frag_order.status_reason frag_order.rsvp frag_order.attendance guild.id guild.icon_url guild.status
  guild.default_splash_channel_id guild.missions_channel_id guild.missions_role_id guild.locale guild_channel.id
  guild_channel.guild_id guild_channel.type guild_event.guild_id guild_event.event_type guild_member.guild_id
  guild_member.discord_user_id idempotency_key.key idempotency_key.request_hash idempotency_key.answer invite.role
  invite.time_zone mail_message.kind mail_message.address mail_message.subject_id mail_message.topic mail_message.dedupe_key
  mail_message.state mail_opt_out.address_hash mikro_orm_migrations.name mission.theater mission.status mission.time_zone
  mission.guild_ids mission_file.content_sha256 mission_file_chunk.content_sha256 mission_file_content.sha256
  mission_template.theater outbox_message.dedupe_key outbox_message.guild_id outbox_message.channel_id outbox_message.discord_user_id
  outbox_message.payload outbox_message.state outbox_message.message_id outbox_message.kind outbox_message.subject_id
  outbox_message.shown passkey.credential_id passkey.public_key passkey.transports passkey_challenge.holder
  passkey_challenge.challenge pending_sign_in.token_hash pending_sign_in.way pending_sign_in.password_mark
  personal_access_token.token_hash personal_access_token.scopes pilot_status.state proficiency.level push_subscription.endpoint
  push_subscription.p256dh push_subscription.auth recovery_code.code_hash registration_session.token_hash
  registration_session.guild_id registration_session.discord_user_id registration_session.locale remembered_device.token_hash
  reminder.channels seat_swap.state server_secret.name server_secret.value session.id sign_in_link.token_hash
  sign_in_link.purpose slot_request.email slot_request.email_key slot_request.module slot_request.level slot_request.slot
  turnout_warning.stage turnout_warning.channels webhook.url webhook.events webhook.disabled_reason webhook.secret
  webhook.previous_secret webhook_delivery.stream webhook_delivery.state webhook_event.type webhook_event.stream
  webhook_event.dedupe_key`.split(/\s+/),
);

/** For strings within JSON. */
const JSON_TEXT_MAX = 80;

type Column = { name: string; type: 'text' | '_text' | 'jsonb' };

const listColumns = ({ app }: Pick<Service, 'app'>) =>
  query<Column>(
    app.orm.em.fork(),
    sql`select table_name || '.' || column_name as name, udt_name as type from information_schema.columns
        where table_schema = 'public' and udt_name in ('text', '_text', 'varchar', '_varchar', 'json', 'jsonb')
          and table_name in (select tablename from pg_tables where schemaname = 'public')
        order by table_name, ordinal_position`,
  );

const isFree = (name: string): boolean => name in FREE_TEXT || name in FREE_JSON;

/** Text columns that are in neither list. */
export async function findUnlisted(service: Pick<Service, 'app'>): Promise<string[]> {
  const columns = await listColumns(service);
  return columns.map(({ name }) => name).filter((name) => !isFree(name) && !FIXED.has(name));
}

/** The value with the strings of these names replaced, at any depth. */
function withStrings(value: unknown, names: readonly string[], replace: () => string): unknown {
  if (Array.isArray(value)) return value.map((one) => withStrings(one, names, replace));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      typeof one === 'string' && names.includes(name) ? replace() : withStrings(one, names, replace),
    ]),
  );
}

/**
 * Writes payloads into every row of every column of free text, in each other ones.
 * @param from the payload to begin with
 * @returns columns without a row
 */
export async function plantEverywhere({ app }: Pick<Service, 'app'>, from = 0): Promise<string[]> {
  const em = app.orm.em.fork();
  let at = from;
  const next = (max: number): string => payloadText(max, (at += 1));
  const empty: string[] = [];
  for (const { name, type } of (await listColumns({ app })).filter(({ name: one }) => isFree(one))) {
    const [table, column] = name.split('.').map((part) => sql.ref(part));
    const rows = await query<{ row: string; value: unknown }>(
      em,
      sql`select ctid::text as row, ${column} as value from ${table} order by ctid`,
    );
    if (rows.length === 0) empty.push(name);
    const valueOf = (value: unknown): string => {
      const max = FREE_TEXT[name] ?? JSON_TEXT_MAX;
      if (type === 'text') return next(max);
      return JSON.stringify(
        type === '_text' ? [next(max), next(max)] : withStrings(value, FREE_JSON[name] ?? [], () => next(max)),
      );
    };
    const planted = {
      text: sql`v.value`,
      jsonb: sql`v.value::jsonb`,
      _text: sql`array(select jsonb_array_elements_text(v.value::jsonb))`,
    };
    await query(
      em,
      sql`update ${table} as t set ${column} = ${planted[type]}
          from unnest(${rows.map(({ row }) => row)}::tid[], ${rows.map(({ value }) => valueOf(value))}::text[]) as v (row, value)
          where t.ctid = v.row`,
    );
  }
  return empty;
}

/** Columns with a payload in them. */
export async function findPlanted({ app }: Pick<Service, 'app'>): Promise<string[]> {
  const columns = (await listColumns({ app })).map(({ name }) => name);
  const parts = columns.map((name) => {
    const [table, column] = name.split('.').map((part) => sql.ref(part));
    return sql`select ${name} as name where exists (select from ${table} where ${column}::text like '%canary%' or ${column}::text like '%xss()%')`;
  });
  const found = await query<{ name: string }>(app.orm.em.fork(), sql`${sql.join(parts, sql` union all `)}`);
  return found.map(({ name }) => name).toSorted();
}
