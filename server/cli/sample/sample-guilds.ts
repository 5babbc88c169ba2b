/** The Discord servers of the sample community, as a bot would have stored them. */
import { DiscordAccount, Guild, GuildEvent } from '#server/schema/guild.ts';
import type { Em } from '#server/schema/orm.ts';
import { isAcceptedGuild } from '#server/schema/predicates.ts';
import { db } from '#server/schema/database.ts';
import { User } from '#server/schema/user.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#server/time/time.ts';
import type { ChannelType, GuildStatus } from '#shared/vocabulary.ts';
import { issueRegistrationSession, registrationUrl } from '#server/discord/registration/registration.ts';
import type { Viewer } from '#server/platform/viewer.ts';

/** Snowflakes contain a timestamp: these are from 2084, so that no real Discord server, channel or user has them. */
const SNOWFLAKE_BASE = 9_000_000_000_000_000_000n;
/** The digits that all of them have in common. */
const SAMPLE_PREFIX = String(SNOWFLAKE_BASE).slice(0, 15);
const snowflake = (n: number): string => String(SNOWFLAKE_BASE + BigInt(n));

type ChannelRow = readonly [
  name: string,
  type: ChannelType,
  topic: string | null,
  rights: { isPostable?: boolean; canSendMessages?: boolean; canEmbedLinks?: boolean; isNsfw?: boolean },
];
interface ChannelPlan {
  id: string;
  name: string;
  type: ChannelType;
  topic: string | null;
  isPostable: boolean;
  canSendMessages: boolean;
  canEmbedLinks: boolean;
  isNsfw: boolean;
}
interface MemberPlan {
  id: string;
  /** Discord name; for linked members also the mailbox */
  name: string;
  isLinked: boolean;
  isModerator: boolean;
  hasLeft: boolean;
}
/** A server with its ids, which are the same in every sample community. */
export interface SampleGuildPlan {
  id: string;
  name: string;
  status: GuildStatus;
  channels: readonly ChannelPlan[];
  members: readonly MemberPlan[];
  botId: string;
}

type EventRow = readonly [hoursAgo: number, eventType: string, eventData: string | null, errorMessage?: string];

interface SampleGuild {
  name: string;
  status: GuildStatus;
  memberCount: number | null;
  installedDaysAgo: number;
  lastSeenMinutesAgo: number;
  /** the first one is the default for announcements, if it is postable */
  channels: readonly ChannelRow[];
  /** mailboxes of pilots whose Discord account is linked */
  linked: readonly string[];
  /** Discord names of members without an account here */
  others: readonly string[];
  moderators: readonly string[];
  left: readonly string[];
  events: readonly EventRow[];
}

const ALL = { isPostable: true, canSendMessages: true, canEmbedLinks: true };
const NONE = {};

const GUILDS: readonly SampleGuild[] = [
  {
    name: 'Lantern Wing',
    status: 'active',
    memberCount: 312,
    installedDaysAgo: 120,
    lastSeenMinutesAgo: 2,
    channels: [
      ['mission-briefs', 'announcement', 'Every tasking, an hour after it is planned', ALL],
      ['ready-room', 'text', 'Talk before and after', ALL],
      ['debrief', 'text', null, { canSendMessages: true }],
      ['after-dark', 'text', 'Off topic, adults only', { isNsfw: true, canSendMessages: true, canEmbedLinks: true }],
      ['kneeboards', 'forum', 'Charts and cards', NONE],
      ['tonight: who is up?', 'thread', null, { canSendMessages: true }],
      ['Guard 243.0', 'other', null, NONE],
    ],
    linked: [
      'vesper',
      'mara',
      'kessel',
      'ostara',
      'marzipan',
      'pemberley',
      'gorse',
      'brakeline',
      'tumbleweed',
      'inari',
    ],
    others: ['afterglow', 'cobalt.nine', 'flapsup', 'hushkit', 'mirrorlake', 'oddjobs', 'pinfold', 'windsock_7'],
    moderators: ['vesper', 'marzipan', 'hushkit'],
    left: ['windsock_7'],
    events: [
      [2880, 'guild_installed', 'Lantern Wing'],
      [2879, 'members_synced', '298 members'],
      [2400, 'registration_completed', 'vesper'],
      [1500, 'moderator_changed', 'marzipan'],
      [700, 'channel_created', 'kneeboards'],
      [180, 'announcement_sent', 'mission-briefs'],
      [96, 'member_left', 'windsock_7'],
      [60, 'announcement_failed', 'debrief', 'Missing permission: Embed Links'],
      [50, 'channel_permissions_changed', 'debrief'],
      [30, 'registration_link_issued', 'afterglow'],
      [26, 'registration_rejected', 'afterglow', 'The link had expired'],
      [14, 'rsvp_from_discord', 'tumbleweed: accepted'],
      [6, 'dm_failed', 'kessel', 'Direct messages are closed'],
      [0.5, 'members_synced', '312 members'],
    ],
  },
  {
    name: 'Southern Cross Virtual',
    status: 'unavailable',
    memberCount: null,
    installedDaysAgo: 33,
    lastSeenMinutesAgo: 190,
    channels: [
      ['operations', 'text', 'Where missions are posted', ALL],
      ['news', 'announcement', null, { canSendMessages: true }],
      ['General', 'other', null, NONE],
    ],
    linked: ['saltbush', 'bunyip', 'yarrow', 'tanabe'],
    others: ['barrelroll', 'drybag', 'softdeck', 'tailhook_jr'],
    moderators: ['saltbush'],
    left: [],
    events: [
      [792, 'guild_installed', 'Southern Cross Virtual'],
      [791, 'members_synced', '8 members'],
      [500, 'account_linked', 'saltbush'],
      [120, 'announcement_sent', 'operations'],
      [3, 'guild_unavailable', null, 'Discord reports an outage of this server'],
    ],
  },
  {
    name: 'Old Harbour Flyers',
    status: 'disabled',
    memberCount: 58,
    installedDaysAgo: 300,
    lastSeenMinutesAgo: 12 * 24 * 60,
    channels: [
      ['notice-board', 'text', 'Read before you ask', NONE],
      ['hangar', 'text', null, { canSendMessages: true }],
    ],
    linked: [],
    others: ['driftwood', 'lowtide'],
    moderators: ['driftwood'],
    left: [],
    events: [
      [7200, 'guild_installed', 'Old Harbour Flyers'],
      [900, 'announcement_failed', 'hangar', 'Missing permission: Embed Links'],
      [288, 'guild_removed', 'Old Harbour Flyers'],
    ],
  },
];

const NO_RIGHTS = { isPostable: false, canSendMessages: false, canEmbedLinks: false, isNsfw: false };

/** The sample servers, their channels and members with their ids: the same ones in every installation. */
export function planSampleGuilds(): readonly SampleGuildPlan[] {
  return planned().map(({ plan }) => plan);
}

function planned(): readonly { sample: SampleGuild; plan: SampleGuildPlan }[] {
  let next = 1;
  const nextId = () => snowflake(next++);
  return GUILDS.map((sample) => {
    // ids are assigned in this order, which must never change
    const channels = sample.channels.map(([name, type, topic, rights]) => ({
      id: nextId(),
      name,
      type,
      topic,
      ...NO_RIGHTS,
      ...rights,
    }));
    const id = nextId();
    const members = [...sample.linked, ...sample.others].map((name) => ({
      id: nextId(),
      name,
      isLinked: sample.linked.includes(name),
      isModerator: sample.moderators.includes(name),
      hasLeft: sample.left.includes(name),
    }));
    return { sample, plan: { id, name: sample.name, status: sample.status, channels, members, botId: nextId() } };
  });
}

/** Create guilds, channels, members, links and events; linked pilots are identified by their mailbox. */
export async function createSampleGuilds(tx: Em, pilots: ReadonlyMap<string, Viewer>, now: Date): Promise<void> {
  const ago = (ms: number) => new Date(now.getTime() - ms);

  for (const { sample, plan } of planned()) {
    const installedAt = ago(sample.installedDaysAgo * DAY_MS);
    await db(tx)
      .insertInto('guild')
      .values({
        id: plan.id,
        name: plan.name,
        status: plan.status,
        member_count: sample.memberCount,
        default_splash_channel_id: plan.channels.find(({ isPostable }) => isPostable)?.id ?? null,
        installed_at: installedAt,
        accepted_at: installedAt,
        last_seen_at: ago(sample.lastSeenMinutesAgo * MINUTE_MS),
      })
      .execute();
    await db(tx)
      .insertInto('guild_channel')
      .values(
        plan.channels.map((channel, position) => ({
          id: channel.id,
          guild_id: plan.id,
          name: channel.name,
          type: channel.type,
          topic: channel.topic,
          position,
          is_nsfw: channel.isNsfw,
          is_postable: channel.isPostable,
          can_send_messages: channel.canSendMessages,
          can_embed_links: channel.canEmbedLinks,
          updated_at: now,
        })),
      )
      .execute();

    const bot = { id: plan.botId, name: 'Marshal', isModerator: false, hasLeft: false };
    await db(tx)
      .insertInto('guild_member')
      .values(
        [...plan.members, bot].map((member, index) => ({
          guild_id: plan.id,
          discord_user_id: member.id,
          discord_username: member.name,
          is_bot: member === bot,
          is_moderator: member.isModerator,
          joined_at: member === bot ? installedAt : new Date(installedAt.getTime() + index * DAY_MS),
          left_at: member.hasLeft ? ago(4 * DAY_MS) : null,
          updated_at: now,
        })),
      )
      .execute();

    for (const [index, member] of plan.members.entries()) {
      const pilot = pilots.get(member.name);
      if (!pilot) continue;
      tx.create(DiscordAccount, {
        discordUserId: member.id,
        user: tx.getReference(User, pilot.id),
        username: member.name,
        linkedAt: new Date(installedAt.getTime() + (index + 1) * DAY_MS),
      });
    }

    const guild = tx.getReference(Guild, plan.id);
    for (const [hoursAgo, eventType, eventData, errorMessage = null] of sample.events) {
      tx.create(GuildEvent, { guild, eventType, eventData, errorMessage, occurredAt: ago(hoursAgo * HOUR_MS) });
    }
  }
}

/**
 * A registration link, as the bot would give it to a member without an account, to try the registration page.
 * @returns the link, valid for 20 minutes; null when every member has registered
 */
export async function issueSampleRegistration(em: Em, publicUrl: string, now: Date): Promise<string | null> {
  const member = await db(em)
    .selectFrom('guild_member as m')
    .innerJoin('guild as g', 'g.id', 'm.guild_id')
    .select(['m.guild_id as guildId', 'm.discord_user_id as discordUserId', 'm.discord_username as discordUsername'])
    .where('g.status', '<>', 'disabled')
    .where(isAcceptedGuild)
    .where(({ fn, val }) => fn<boolean>('starts_with', ['m.guild_id', val(SAMPLE_PREFIX)]))
    .where('m.left_at', 'is', null)
    .where('m.is_bot', '=', false)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('discord_account as d').whereRef('d.discord_user_id', '=', 'm.discord_user_id'))),
    )
    .orderBy('m.guild_id')
    .orderBy('m.discord_username')
    .limit(1)
    .executeTakeFirst();
  if (!member) return null;
  const token = await issueRegistrationSession(em, { ...member, campaignId: null }, now);
  return registrationUrl(publicUrl, member, token);
}
