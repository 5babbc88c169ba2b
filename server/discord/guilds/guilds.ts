/** Stored Discord guilds for admins; the counts are computed from members, links and accounts. */
import type { InferResult } from 'kysely';
import { db, ms } from '#server/schema/database.ts';
import { GuildEvent, RegistrationSession } from '#server/schema/guild.ts';
import type { Em } from '#server/schema/orm.ts';
import { isAcceptedGuild, isActivePilot } from '#server/schema/predicates.ts';
import { discordIcon } from '#server/discord/rules/guild-icon.ts';
import { DAY_MS, toIso } from '#server/time/time.ts';
import { AppError } from '#server/platform/errors.ts';
import { LISTED_MAX } from '#shared/limits.ts';
import type { GuildDetailDto, GuildDto } from '#shared/schemas/discord.ts';

const RECENT_EVENTS = 10;

/** Guilds with their counts. Current members who are not bots and are linked to an active account count as registered. */
const selectGuilds = (em: Em) =>
  db(em)
    .selectFrom('guild as g')
    .leftJoin('guild_member as m', (join) =>
      join.onRef('m.guild_id', '=', 'g.id').on('m.left_at', 'is', null).on('m.is_bot', '=', false),
    )
    .leftJoin('discord_account as d', 'd.discord_user_id', 'm.discord_user_id')
    .leftJoin('app_user as u', (join) => join.onRef('u.id', '=', 'd.user_id').on(isActivePilot('u')))
    .select((eb) => [
      'g.id',
      'g.name',
      'g.icon_url as iconUrl',
      'g.status',
      'g.member_count as memberCount',
      eb.cast<number>(eb.fn.count('u.id'), 'integer').as('registeredMemberCount'),
      eb
        .cast<number>(eb.fn.count('u.id').filterWhere('u.wants_global_events', '=', true), 'integer')
        .as('globalEventOptIns'),
      ms(eb.ref('g.installed_at')).as('installedMs'),
      ms(eb.ref('g.accepted_at')).as('acceptedMs'),
      ms(eb.ref('g.last_seen_at')).as('lastSeenMs'),
      'g.default_splash_channel_id as defaultSplashChannelId',
      eb
        .and([
          eb('g.status', '<>', 'disabled'),
          isAcceptedGuild,
          eb.or([
            eb('g.missions_channel_id', 'is not', null),
            eb.and([eb('g.can_create_events', '=', true), eb('g.has_mission_events', '=', true)]),
          ]),
        ])
        .$castTo<boolean>()
        .as('showsMissions'),
    ])
    .groupBy('g.id')
    .orderBy('g.name')
    .orderBy('g.id')
    .limit(LISTED_MAX.guilds);

type GuildRow = InferResult<ReturnType<typeof selectGuilds>>[number];

const present = ({ iconUrl, installedMs, acceptedMs, lastSeenMs, ...guild }: GuildRow): GuildDto => ({
  ...guild,
  iconUrl: discordIcon(iconUrl),
  installedAt: toIso(installedMs),
  acceptedAt: acceptedMs === null ? null : toIso(acceptedMs),
  lastSeenAt: toIso(lastSeenMs),
});

export async function listGuilds(em: Em): Promise<GuildDto[]> {
  return (await selectGuilds(em).execute()).map(present);
}

async function listMembers(em: Em, guildId: string): Promise<GuildDetailDto['members']> {
  const rows = await db(em)
    .selectFrom('guild_member as m')
    .leftJoin('discord_account as d', 'd.discord_user_id', 'm.discord_user_id')
    .leftJoin('app_user as u', 'u.id', 'd.user_id')
    .select(({ ref, fn, lit }) => [
      'm.discord_user_id as discordUserId',
      'm.discord_username as discordUsername',
      'm.is_moderator as isModerator',
      fn.coalesce(isActivePilot('u'), lit(false)).as('isRegistered'),
      'd.user_id as fightClubUserId',
      fn.coalesce('u.wants_global_events', lit(false)).as('wantsGlobalEvents'),
      ms(ref('m.joined_at')).as('joinedMs'),
      ms(ref('m.updated_at')).as('updatedMs'),
    ])
    .where('m.guild_id', '=', guildId)
    .where('m.left_at', 'is', null)
    .where('m.is_bot', '=', false)
    .orderBy('m.discord_username')
    .orderBy('m.discord_user_id')
    .limit(LISTED_MAX.pilots)
    .execute();
  return rows.map(({ joinedMs, updatedMs, ...member }) => ({
    ...member,
    joinedAt: joinedMs === null ? null : toIso(joinedMs),
    updatedAt: toIso(updatedMs),
  }));
}

async function listChannels(em: Em, guildId: string): Promise<GuildDetailDto['channels']> {
  const rows = await db(em)
    .selectFrom('guild_channel')
    .select(({ ref }) => [
      'id',
      'name',
      'type',
      'topic',
      'is_nsfw as isNsfw',
      'is_postable as isPostable',
      'can_send_messages as canSendMessages',
      'can_embed_links as canEmbedLinks',
      ms(ref('updated_at')).as('updatedMs'),
    ])
    .where('guild_id', '=', guildId)
    .orderBy('position')
    .orderBy('id')
    .limit(LISTED_MAX.guilds)
    .execute();
  return rows.map(({ updatedMs, ...channel }) => ({ ...channel, lastUpdated: toIso(updatedMs) }));
}

async function listRecentEvents(em: Em, guildId: string): Promise<GuildDetailDto['recentEvents']> {
  const rows = await db(em)
    .selectFrom('guild_event')
    .select(({ ref }) => [
      'id',
      'event_type as eventType',
      'event_data as eventData',
      'error_message as errorMessage',
      ms(ref('occurred_at')).as('occurredMs'),
    ])
    .where('guild_id', '=', guildId)
    .orderBy('occurred_at', 'desc')
    .orderBy('id', 'desc')
    .limit(RECENT_EVENTS)
    .execute();
  return rows.map(({ occurredMs, ...event }) => ({ ...event, occurredAt: toIso(occurredMs) }));
}

async function findAnnouncement(em: Em, guildId: string): Promise<GuildDetailDto['announcement']> {
  const row = await db(em)
    .selectFrom('discord_post as o')
    .innerJoinLateral(
      ({ selectFrom }) =>
        selectFrom('delivery')
          .select(['state', 'error_message as errorMessage'])
          .whereRef('post_id', '=', 'o.id')
          .orderBy('seq', 'desc')
          .limit(1)
          .as('d'),
      (join) => join.onTrue(),
    )
    .leftJoin('guild_channel as c', (join) =>
      join.onRef('c.id', '=', 'o.channel_id').onRef('c.guild_id', '=', 'o.guild_id'),
    )
    .select(({ ref }) => [
      'd.state',
      'o.channel_id as channelId',
      'c.name as channelName',
      'd.errorMessage',
      ms(ref('o.updated_at')).as('updatedMs'),
    ])
    .where('o.guild_id', '=', guildId)
    .where('o.kind', '=', 'registration')
    .orderBy('o.created_at', 'desc')
    .orderBy('o.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!row) return null;
  const { updatedMs, state, ...announcement } = row;
  return { ...announcement, state: state === 'dropped' ? 'cancelled' : state, updatedAt: toIso(updatedMs) };
}

/** The server's settings for missions, and the roles that it has. */
async function findMissionSettings(em: Em, guildId: string): Promise<Pick<GuildDetailDto, 'missions' | 'roles'>> {
  const { roles, ...missions } = await db(em)
    .selectFrom('guild')
    .select([
      'missions_channel_id as channelId',
      'missions_role_id as roleId',
      'has_mission_events as hasEvents',
      'can_create_events as canCreateEvents',
      'has_mission_threads as hasThreads',
      'can_create_threads as canCreateThreads',
      'roles',
    ])
    .where('id', '=', guildId)
    .executeTakeFirstOrThrow();
  return { missions, roles };
}

/** One guild in detail; 404 "Guild not found" for an unknown id. */
export async function getGuild(em: Em, guildId: string): Promise<GuildDetailDto> {
  const guild = await selectGuilds(em).where('g.id', '=', guildId).executeTakeFirst();
  if (!guild) throw new AppError('GUILD_NOT_FOUND');
  return {
    ...present(guild),
    registeredMembers: guild.registeredMemberCount,
    members: await listMembers(em, guildId),
    channels: await listChannels(em, guildId),
    recentEvents: await listRecentEvents(em, guildId),
    announcement: await findAnnouncement(em, guildId),
    ...(await findMissionSettings(em, guildId)),
  };
}

const EVENTS_KEPT_DAYS = 90;

/** Delete events older than 90 days, and registration links that can no longer be used. */
export async function purgeGuildHistory(em: Em, now: Date): Promise<void> {
  await em.nativeDelete(GuildEvent, { occurredAt: { $lt: new Date(now.getTime() - EVENTS_KEPT_DAYS * DAY_MS) } });
  await em.nativeDelete(RegistrationSession, { expiresAt: { $lt: new Date(now.getTime() - DAY_MS) }, usedAt: null });
}
