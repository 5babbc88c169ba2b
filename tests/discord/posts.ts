/** Announcements in Discord: stored servers to post to, and the state of a post. */
import { expect } from 'vitest';
import { PermissionFlagsBits as Bits } from 'discord-api-types/v10';
import type { Em } from '#server/schema/orm.ts';
import { query, sql } from '#server/schema/query.ts';
import { postsWithState } from '#tests/harness/discord-posts.ts';
import { transact } from '#server/schema/transaction.ts';
import { queuePost } from '#server/discord/posts/posts.ts';
import { enqueueSending } from '#server/signals/outbox.ts';
import type { GuildStatus } from '#shared/vocabulary.ts';
import type { DiscordWorld, GuildEventRow } from './given.ts';
import { listEvents } from './given.ts';
import type { StoredMessage } from './emulator/types.ts';

type World = Pick<DiscordWorld, 'service' | 'emulator'>;

/** The bot's permissions in a channel besides View Channel; `none` lacks that, too. */
export type Rights = 'all' | 'send' | 'embed' | 'none';

export interface GivenServer {
  /** channels in the order Discord shows them, by name */
  channels?: Record<string, Rights>;
  /** the permissions that Marshal has stored; the real ones by default */
  believed?: Record<string, Rights>;
  status?: GuildStatus;
  /** name of the default channel */
  byDefault?: string | null;
}

export interface Server {
  id: string;
  /** channel ids by name */
  channels: Record<string, string>;
}

const DENIED: Record<Rights, bigint> = {
  all: 0n,
  send: Bits.EmbedLinks,
  embed: Bits.SendMessages,
  none: Bits.ViewChannel,
};

let servers = 0;

/** A server of Discord's that Marshal knows, without a bot to tell it. */
export async function givenServer(world: World, given: GivenServer = {}): Promise<Server> {
  const {
    channels = { rules: 'none', ops: 'all', news: 'all' },
    believed = channels,
    status = 'active',
    byDefault,
  } = given;
  servers += 1;
  const id = String(910_000_000_000_000_000n + BigInt(servers));
  const name = `Wing ${servers}`;
  const made = world.emulator.addGuild({
    id,
    name,
    channels: Object.entries(channels).map(([channel, rights]) => ({
      name: channel,
      overwrites: rights === 'all' ? [] : [{ id, type: 0 as const, deny: DENIED[rights] }],
    })),
  });
  const em = world.service.app.orm.em.fork();
  await query(
    em,
    sql`insert into guild (id, name, status, default_splash_channel_id, installed_at, accepted_at, last_seen_at)
        values (${id}, ${name}, ${status}, ${byDefault === undefined || byDefault === null ? null : (made.channelIds[byDefault] ?? byDefault)}, now(), now(), now())`,
  );
  const rows = Object.entries(believed).map(([channel, rights], position) => ({
    id: made.channelIds[channel],
    channel,
    position,
    send: rights === 'all' || rights === 'send',
    embed: rights === 'all' || rights === 'embed',
  }));
  await query(
    em,
    sql`insert into guild_channel (id, guild_id, name, type, position, is_postable, can_send_messages, can_embed_links, updated_at)
        select id, ${id}, channel, 'text', position, send and embed, send, embed, now()
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
          as c (id text, channel text, position int, send bool, embed bool)`,
  );
  return { id, channels: made.channelIds };
}

export interface PostRow {
  id: string;
  deliveryId: string;
  state: string;
  attempts: number;
  messageId: string | null;
  channelId: string | null;
  error: string | null;
}

/** The announcements of a server, oldest first. */
export function postsOf({ service }: Pick<World, 'service'>, guildId: string): Promise<PostRow[]> {
  return query<PostRow>(
    service.app.orm.em.fork(),
    sql`select id, delivery_id as "deliveryId", state, attempts, message_id as "messageId", channel_id as "channelId", error_message as error
        from ${postsWithState} where guild_id = ${guildId} order by created_at, id`,
  );
}

/** Queue an announcement in this transaction. @returns the row's id */
export function givenPostIn(tx: Em, guildId: string, channelId: string | undefined): Promise<string> {
  if (channelId === undefined) throw new Error('There is no such channel');
  const dedupeKey = `registration:${guildId}:${channelId}`;
  const message = {
    kind: 'registration',
    dedupeKey,
    guildId,
    channelId,
    discordUserId: null,
    subjectId: null,
  } as const;
  return queuePost(tx, { ...message, payload: {} }, new Date());
}

/** Queue an announcement without waiting for it. @returns the row's id */
export function givenPost(
  { service }: Pick<World, 'service'>,
  guildId: string,
  channelId: string | undefined,
): Promise<string> {
  return transact(service.app.orm.em.fork(), (tx) => givenPostIn(tx, guildId, channelId));
}

/** Ends the back-off, so that the post's delivery is made now. */
export async function hurry({ service }: Pick<World, 'service'>, { id }: Pick<PostRow, 'id'>): Promise<void> {
  const em = service.app.orm.em.fork();
  const waiting = await query<{ id: string }>(
    em,
    sql`update delivery set next_attempt_at = now() where post_id = ${id} and state in ('queued', 'sending') returning id`,
  );
  await enqueueSending(
    em,
    'discord',
    waiting.map((delivery) => delivery.id),
  );
}

/** As if the row had first been tried so long ago. */
export async function age({ service }: Pick<World, 'service'>, rowId: string, minutes: number): Promise<void> {
  await query(
    service.app.orm.em.fork(),
    sql`update discord_post set first_tried_at = first_tried_at - make_interval(mins => ${minutes}::int) where id = ${rowId}`,
  );
}

export const announcementEvents = async (world: Pick<World, 'service'>, guildId: string): Promise<GuildEventRow[]> =>
  (await listEvents(world, guildId)).filter(({ type }) => type.startsWith('announcement_'));

/** The announcement of a row and nothing else: an embed, and a button that carries the row. */
export function expectAnnouncement(message: StoredMessage | undefined, rowId: string): void {
  expect(message).toMatchObject({
    content: '',
    embeds: [{ title: 'Fly with us' }],
    components: [{ components: [{ label: 'Register', custom_id: `v1:register:${rowId}` }] }],
    mentions: [],
    mentionsEveryone: false,
  });
}
