/** Discord guilds as stored; the counts follow from members, links and accounts. */
import type { OutboxState } from '#server/schema/operations.ts';
import type { Em } from '#server/schema/orm.ts';
import { isActivePilot } from '#server/schema/predicates.ts';
import { msOf, query, sql } from '#server/schema/query.ts';
import { discordIcon } from '#server/discord/rules/guild-icon.ts';
import { toIso } from '#server/time/time.ts';
import { AppError } from '#server/platform/errors.ts';
import { copy } from '#shared/copy.ts';
import { LISTED_MAX } from '#shared/limits.ts';
import type { GuildDetailDto, GuildDto } from '#shared/schemas/discord.ts';
import type { ChannelType, GuildStatus } from '#shared/vocabulary.ts';

const RECENT_EVENTS = 10;

type GuildRow = {
  id: string;
  name: string;
  icon_url: string | null;
  status: GuildStatus;
  member_count: number | null;
  registered: number;
  opted_in: number;
  installed_ms: number;
  seen_ms: number;
  default_channel: string | null;
};

/** Present members who are no bots and are linked to an active account count as registered. */
async function loadGuilds(em: Em, guildId: string | null): Promise<GuildRow[]> {
  return query<GuildRow>(
    em,
    sql`select g.id, g.name, g.icon_url, g.status, g.member_count, ${msOf('g.installed_at')} as installed_ms,
               ${msOf('g.last_seen_at')} as seen_ms, g.default_splash_channel_id as default_channel,
               count(u.id)::int as registered, (count(u.id) filter (where u.wants_global_events))::int as opted_in
        from guild g
        left join guild_member m on m.guild_id = g.id and m.left_at is null and not m.is_bot
        left join discord_account d on d.discord_user_id = m.discord_user_id
        left join app_user u on u.id = d.user_id and ${isActivePilot('u')}
        where ${guildId}::text is null or g.id = ${guildId}
        group by g.id order by g.name, g.id limit ${sql.lit(LISTED_MAX.guilds)}`,
  );
}

function present(row: GuildRow): GuildDto {
  return {
    id: row.id,
    name: row.name,
    iconUrl: discordIcon(row.icon_url),
    status: row.status,
    memberCount: row.member_count,
    registeredMemberCount: row.registered,
    globalEventOptIns: row.opted_in,
    installedAt: toIso(row.installed_ms),
    lastSeenAt: toIso(row.seen_ms),
    defaultSplashChannelId: row.default_channel,
  };
}

export async function listGuilds(em: Em): Promise<GuildDto[]> {
  return (await loadGuilds(em, null)).map(present);
}

type MemberRow = {
  id: string;
  name: string;
  is_moderator: boolean;
  user_id: string | null;
  is_registered: boolean;
  wants: boolean | null;
  joined_ms: number | null;
  updated_ms: number;
};
type ChannelRow = {
  id: string;
  name: string;
  type: ChannelType;
  topic: string | null;
  is_nsfw: boolean;
  is_postable: boolean;
  can_send: boolean;
  can_embed: boolean;
  updated_ms: number;
};
type AnnouncementRow = {
  state: OutboxState;
  channel_id: string | null;
  channel_name: string | null;
  error: string | null;
  updated_ms: number;
};
type EventRow = { id: string; type: string; data: string | null; error: string | null; occurred_ms: number };

/** 404 "Guild not found" for an id nobody knows. */
export async function getGuild(em: Em, guildId: string): Promise<GuildDetailDto> {
  const [guild] = await loadGuilds(em, guildId);
  if (!guild) throw new AppError('GUILD_NOT_FOUND', copy.guildNotFound);
  const members = await query<MemberRow>(
    em,
    sql`select m.discord_user_id as id, m.discord_username as name, m.is_moderator, d.user_id,
               coalesce(${isActivePilot('u')}, false) as is_registered, u.wants_global_events as wants, ${msOf('m.joined_at')} as joined_ms, ${msOf('m.updated_at')} as updated_ms
        from guild_member m
        left join discord_account d on d.discord_user_id = m.discord_user_id
        left join app_user u on u.id = d.user_id
        where m.guild_id = ${guildId} and m.left_at is null and not m.is_bot
        order by m.discord_username, m.discord_user_id limit ${sql.lit(LISTED_MAX.pilots)}`,
  );
  const channels = await query<ChannelRow>(
    em,
    sql`select id, name, type, topic, is_nsfw, is_postable, can_send_messages as can_send, can_embed_links as can_embed,
               ${msOf('updated_at')} as updated_ms
        from guild_channel where guild_id = ${guildId} order by position, id limit ${sql.lit(LISTED_MAX.guilds)}`,
  );
  const events = await query<EventRow>(
    em,
    sql`select id, event_type as type, event_data as data, error_message as error, ${msOf('occurred_at')} as occurred_ms
        from guild_event where guild_id = ${guildId} order by occurred_at desc, id desc limit ${sql.lit(RECENT_EVENTS)}`,
  );
  const [announcement] = await query<AnnouncementRow>(
    em,
    sql`select o.state, o.channel_id, c.name as channel_name, o.error_message as error, ${msOf('o.updated_at')} as updated_ms
        from outbox_message o left join guild_channel c on c.id = o.channel_id and c.guild_id = o.guild_id
        where o.guild_id = ${guildId} and o.kind = 'registration' order by o.created_at desc, o.id desc limit 1`,
  );
  return {
    ...present(guild),
    registeredMembers: guild.registered,
    members: members.map((row) => ({
      discordUserId: row.id,
      discordUsername: row.name,
      isModerator: row.is_moderator,
      isRegistered: row.is_registered,
      fightClubUserId: row.user_id,
      wantsGlobalEvents: row.wants ?? false,
      joinedAt: row.joined_ms === null ? null : toIso(row.joined_ms),
      updatedAt: toIso(row.updated_ms),
    })),
    channels: channels.map((row) => ({
      id: row.id,
      name: row.name,
      type: row.type,
      topic: row.topic,
      isNsfw: row.is_nsfw,
      isPostable: row.is_postable,
      canSendMessages: row.can_send,
      canEmbedLinks: row.can_embed,
      lastUpdated: toIso(row.updated_ms),
    })),
    recentEvents: events.map((row) => ({
      id: row.id,
      eventType: row.type,
      eventData: row.data,
      errorMessage: row.error,
      occurredAt: toIso(row.occurred_ms),
    })),
    announcement: announcement
      ? {
          state: announcement.state,
          channelId: announcement.channel_id,
          channelName: announcement.channel_name,
          errorMessage: announcement.error,
          updatedAt: toIso(announcement.updated_ms),
        }
      : null,
  };
}

const EVENTS_KEPT_DAYS = 90;

/** Events older than 90 days and registration links nobody can use any more. */
export async function purgeGuildHistory(em: Em): Promise<void> {
  await query(
    em,
    sql`delete from guild_event where occurred_at < now() - make_interval(days => ${sql.lit(EVENTS_KEPT_DAYS)})`,
  );
  await query(
    em,
    sql`delete from registration_session where expires_at < now() - make_interval(days => 1) and used_at is null`,
  );
}
