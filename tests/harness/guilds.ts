/** Helpers that store Discord servers as the bot would, in one call each. */
import { query, sql } from '#server/schema/query.ts';
import type { DeliveryState } from '#server/schema/delivery.ts';
import { givenPostRow } from './discord-posts.ts';
import type { ChannelType, GuildStatus } from '#shared/vocabulary.ts';
import type { Service } from './service.ts';

export interface GivenChannel {
  /** Discord's, where one is asked; otherwise `{server's id}-{name}` */
  id?: string;
  name: string;
  type?: ChannelType;
  topic?: string;
  isNsfw?: boolean;
  /** the bot's permissions there; with both the channel is postable */
  can?: readonly ('send' | 'embed')[];
}

export interface GivenMember {
  name: string;
  /** the account that is linked */
  userId?: string;
  isModerator?: boolean;
}

export interface GivenGuild {
  name: string;
  status?: GuildStatus;
  memberCount?: number | null;
  /** false: it waits for an admin */
  isAccepted?: boolean;
  /** name of the default channel */
  byDefault?: string;
  channels?: readonly GivenChannel[];
  members?: readonly GivenMember[];
  /** names of roles, whose ids are `{server's id}9{number}` */
  roles?: readonly string[];
  /** oldest first, an hour apart */
  events?: readonly (readonly [type: string, data: string | null, error: string | null])[];
}

const INSTALLED = '2026-03-08T12:00:00Z';

/** A server whose channels have the ids `{id}-{name}` by default, and members the ids `{id}{number}`. */
export async function givenGuild({ app }: Pick<Service, 'app'>, id: string, guild: GivenGuild): Promise<void> {
  const em = app.orm.em.fork();
  const {
    name,
    status = 'active',
    memberCount = null,
    isAccepted = true,
    byDefault,
    channels = [],
    members = [],
    roles = [],
    events = [],
  } = guild;
  const found = channels.find((channel) => channel.name === byDefault);
  const defaultChannel = byDefault === undefined ? null : (found?.id ?? `${id}-${byDefault}`);
  await query(
    em,
    sql`insert into guild (id, name, status, member_count, default_splash_channel_id, installed_at, accepted_at, last_seen_at, roles)
        values (${id}, ${name}, ${status}, ${memberCount}, ${defaultChannel}, ${INSTALLED}, ${isAccepted ? INSTALLED : null}, now() - interval '3 minutes',
                ${JSON.stringify(roles.map((role, index) => ({ id: `${id}9${index}`, name: role })))}::jsonb)`,
  );
  const rows = channels.map(
    ({ id: channelId, name: channel, type = 'text', topic = null, isNsfw = false, can = [] }, position) => ({
      id: channelId ?? `${id}-${channel}`,
      channel,
      type,
      topic,
      position,
      nsfw: isNsfw,
      send: can.includes('send'),
      embed: can.includes('embed'),
    }),
  );
  await query(
    em,
    sql`insert into guild_channel (id, guild_id, name, type, topic, position, is_nsfw, is_postable, can_send_messages,
                                   can_embed_links, updated_at)
        select c.id, ${id}, c.channel, c.type, c.topic, c.position, c.nsfw, c.send and c.embed, c.send, c.embed, ${INSTALLED}::timestamptz
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
          as c (id text, channel text, type text, topic text, position int, nsfw bool, send bool, embed bool)`,
  );
  const people = members.map(({ name: member, userId = null, isModerator = false }, index) => ({
    discord: `${id}${String(index + 1).padStart(4, '0')}`,
    member,
    account: userId,
    moderator: isModerator,
    days: index,
  }));
  await query(
    em,
    sql`insert into guild_member (guild_id, discord_user_id, discord_username, is_moderator, joined_at, updated_at)
        select ${id}, m.discord, m.member, m.moderator, ${INSTALLED}::timestamptz + m.days * interval '1 day', now()
        from jsonb_to_recordset(${JSON.stringify(people)}::jsonb) as m (discord text, member text, moderator bool, days int)`,
  );
  await query(
    em,
    sql`insert into discord_account (discord_user_id, user_id, username, linked_at)
        select m.discord, m.account, m.member, now()
        from jsonb_to_recordset(${JSON.stringify(people)}::jsonb) as m (discord text, member text, account uuid)
        where m.account is not null`,
  );
  await query(
    em,
    sql`insert into guild_event (id, guild_id, event_type, event_data, error_message, occurred_at)
        select uuidv7(), ${id}, e.value ->> 0, e.value ->> 1, e.value ->> 2,
               now() - (${events.length}::int - e.ordinality) * interval '1 hour'
        from jsonb_array_elements(${JSON.stringify(events)}::jsonb) with ordinality as e (value, ordinality)`,
  );
}

export interface GivenAnnouncement {
  channelId: string;
  state: DeliveryState;
  errorMessage?: string | null;
  /** time since it got this state; it was created a moment earlier */
  minutesAgo?: number;
}

/** A registration announcement of a server, as the sender leaves it. */
export async function givenAnnouncement(
  { app }: Pick<Service, 'app'>,
  guildId: string,
  { channelId, state, errorMessage = null, minutesAgo = 0 }: GivenAnnouncement,
): Promise<void> {
  const announcement = { kind: 'registration', dedupeKey: `registration:${guildId}:${channelId}` } as const;
  await query(
    app.orm.em.fork(),
    givenPostRow({ ...announcement, guildId, channelId, state, error: errorMessage, minutesAgo }),
  );
}
