/** Discord's JSON of the emulated world, for answers and events. */
import { discordInstant, timeOf } from './ids.ts';
import { guildPermissions, isThread } from './permissions.ts';
import type {
  Channel,
  Command,
  Guild,
  Interaction,
  Member,
  Message,
  Person,
  Role,
  ScheduledEvent,
  World,
} from './state.ts';
import type { StoredMessage, StoredScheduledEvent, StoredThread } from './types.ts';

/** Flag of a message from which a thread was started. */
const HAS_THREAD = 32;

export function userShape(person: Person) {
  return {
    id: person.id,
    username: person.username,
    avatar: null,
    discriminator: '0',
    public_flags: 0,
    flags: 0,
    ...(person.isBot ? { bot: true } : {}),
    banner: null,
    accent_color: null,
    global_name: person.globalName,
    avatar_decoration_data: null,
    collectibles: null,
    primary_guild: null,
  };
}

export function memberShape(member: Member) {
  return {
    avatar: null,
    banner: null,
    communication_disabled_until: member.timeoutUntil === null ? null : discordInstant(Date.parse(member.timeoutUntil)),
    flags: 0,
    joined_at: discordInstant(Date.parse(member.joinedAt)),
    nick: member.nick,
    pending: false,
    premium_since: null,
    roles: member.roles,
    user: userShape(member.person),
    mute: false,
    deaf: false,
  };
}

export function roleShape(role: Role, world: World) {
  return {
    id: role.id,
    name: role.name,
    permissions: role.permissions.toString(),
    position: role.position,
    color: 0,
    colors: { primary_color: 0, secondary_color: null, tertiary_color: null },
    hoist: false,
    managed: role.isManaged,
    mentionable: role.isMentionable,
    icon: null,
    unicode_emoji: null,
    flags: 0,
    ...(role.isManaged ? { tags: { bot_id: world.bot.id } } : {}),
  };
}

export function channelShape(channel: Channel) {
  const last = channel.messages.findLast((message) => message.ephemeralFor === null)?.id ?? null;
  const base = { id: channel.id, type: channel.type, last_message_id: last, flags: 0 };
  if (channel.recipient !== null) return { ...base, recipients: [userShape(channel.recipient)] };
  const inGuild = { ...base, guild_id: channel.guildId, name: channel.name, parent_id: channel.parentId };
  if (isThread(channel)) {
    return {
      ...inGuild,
      owner_id: channel.ownerId,
      rate_limit_per_user: 0,
      message_count: channel.messages.length,
      member_count: Math.min(channel.threadMembers.size, 50),
      total_message_sent: channel.messages.length,
      thread_metadata: {
        archived: channel.archived,
        archive_timestamp: discordInstant(timeOf(channel.id)),
        auto_archive_duration: channel.archiveMinutes,
        locked: channel.locked,
        create_timestamp: discordInstant(timeOf(channel.id)),
      },
    };
  }
  return {
    ...inGuild,
    topic: channel.topic,
    position: channel.position,
    nsfw: channel.nsfw,
    rate_limit_per_user: 0,
    permission_overwrites: channel.overwrites.map(({ id, type, allow = 0n, deny = 0n }) => ({
      id,
      type,
      allow: allow.toString(),
      deny: deny.toString(),
    })),
  };
}

export function threadMemberShape(thread: Channel, userId: string) {
  const joinedMs = Date.parse(thread.threadMembers.get(userId) ?? '');
  return { id: thread.id, user_id: userId, join_timestamp: discordInstant(joinedMs), flags: 0 };
}

export const storedThread = ({ id, name, archived, archiveMinutes, threadMembers }: Channel): StoredThread => ({
  id,
  name,
  isArchived: archived,
  archiveMinutes,
  members: [...threadMembers.keys()],
});

export function guildShape(guild: Guild, world: World) {
  return {
    id: guild.id,
    name: guild.name,
    icon: null,
    description: null,
    home_header: null,
    splash: null,
    discovery_splash: null,
    features: [],
    banner: null,
    owner_id: guild.ownerId,
    application_id: null,
    region: 'deprecated',
    afk_channel_id: null,
    afk_timeout: 300,
    system_channel_id: null,
    system_channel_flags: 0,
    widget_enabled: false,
    widget_channel_id: null,
    verification_level: 1,
    roles: [...guild.roles.values()].map((role) => roleShape(role, world)),
    default_message_notifications: 1,
    mfa_level: 0,
    explicit_content_filter: 0,
    max_presences: null,
    max_members: 250_000,
    max_stage_video_channel_users: 50,
    max_video_channel_users: 25,
    vanity_url_code: null,
    premium_tier: 0,
    premium_subscription_count: 0,
    preferred_locale: guild.locale,
    rules_channel_id: null,
    safety_alerts_channel_id: null,
    public_updates_channel_id: null,
    premium_progress_bar_enabled: false,
    nsfw: false,
    nsfw_level: 0,
    emojis: [],
    stickers: [],
    incidents_data: null,
  };
}

/** A guild as GUILD_CREATE brings it. Without the presence intent Discord sends no member but the bot. */
export function guildCreateShape(guild: Guild, world: World) {
  const bot = guild.members.get(world.bot.id);
  const channels = [...guild.channels.values()];
  return {
    ...guildShape(guild, world),
    joined_at: discordInstant(Date.parse(bot?.joinedAt ?? new Date().toISOString())),
    large: guild.members.size > 50,
    unavailable: false,
    member_count: guild.members.size,
    voice_states: [],
    members: bot === undefined ? [] : [memberShape(bot)],
    channels: channels.filter((channel) => !isThread(channel)).map((channel) => channelShape(channel)),
    threads: channels.filter(isThread).map((channel) => channelShape(channel)),
    presences: [],
    stage_instances: [],
    guild_scheduled_events: [...guild.events.values()].filter(({ status }) => status < 3).map(eventShape(world)),
    soundboard_sounds: [],
  };
}

export const eventShape = (world: World) => (event: ScheduledEvent) => ({
  id: event.id,
  guild_id: event.guildId,
  name: event.name,
  description: event.description,
  channel_id: null,
  creator_id: world.bot.id,
  creator: userShape(world.bot),
  image: null,
  scheduled_start_time: discordInstant(Date.parse(event.startsAt)),
  scheduled_end_time: event.endsAt === null ? null : discordInstant(Date.parse(event.endsAt)),
  status: event.status,
  entity_type: 3,
  entity_id: null,
  recurrence_rule: null,
  privacy_level: 2,
  guild_scheduled_event_exceptions: [],
  entity_metadata: { location: event.location },
});

export function messageShape(message: Message, world: World) {
  const { interaction } = message;
  const thread = world.channels.get(message.id);
  return {
    id: message.id,
    type: message.type,
    channel_id: message.channelId,
    author: userShape(message.author),
    content: message.content,
    mentions: message.mentions.flatMap((id) => {
      const person = world.people.get(id);
      return person === undefined ? [] : [userShape(person)];
    }),
    mention_roles: message.mentionedRoles,
    mention_everyone: message.mentionsEveryone,
    attachments: [],
    embeds: message.embeds.map(embedShape),
    timestamp: discordInstant(timeOf(message.id)),
    edited_timestamp: message.editedAt === null ? null : discordInstant(Date.parse(message.editedAt)),
    flags: thread === undefined ? message.flags : message.flags | HAS_THREAD,
    ...(thread === undefined ? {} : { thread: channelShape(thread) }),
    components: withComponentIds(message.components),
    pinned: false,
    tts: false,
    ...(message.replyTo === null ? {} : replyShape(message.replyTo, world)),
    ...(interaction === null
      ? {}
      : {
          application_id: world.applicationId,
          webhook_id: world.applicationId,
          interaction_metadata: interactionMetadata(interaction),
        }),
  };
}

/** The message that was answered, with its own text; it is not told which one it answers itself. */
function replyShape(answered: Message, world: World): object {
  const channel = world.channels.get(answered.channelId);
  const isGone = channel?.messages.includes(answered) !== true;
  return {
    message_reference: {
      type: 0,
      channel_id: answered.channelId,
      message_id: answered.id,
      ...(typeof channel?.guildId === 'string' ? { guild_id: channel.guildId } : {}),
    },
    referenced_message: isGone ? null : messageShape({ ...answered, replyTo: null }, world),
  };
}

/** As its author is told when it is made, with its nonce. Whoever reads it later is not told the nonce. */
export function newMessageShape(message: Message, world: World) {
  return { ...messageShape(message, world), ...(message.nonce === null ? {} : { nonce: message.nonce }) };
}

function interactionMetadata(interaction: Interaction) {
  const base = {
    id: interaction.id,
    user: userShape(interaction.person),
    authorizing_integration_owners: integrationOwners(interaction.guildId),
  };
  return interaction.source === null
    ? { ...base, type: 2 }
    : { ...base, type: 3, interacted_message_id: interaction.source.id };
}

export function integrationOwners(guildId: string | null): Record<string, string> {
  return { 0: guildId ?? '0' };
}

function embedShape(embed: Message['embeds'][number]) {
  const { fields, timestamp, ...rest } = embed;
  return {
    ...rest,
    type: 'rich',
    ...(timestamp === undefined ? {} : { timestamp: discordInstant(Date.parse(timestamp)) }),
    ...(fields === undefined ? {} : { fields: fields.map((field) => ({ ...field, inline: field.inline ?? false })) }),
  };
}

/** Discord numbers every component of a message that has no number of its own. */
function withComponentIds(components: Message['components']): unknown {
  let next = 0;
  const number = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(number);
    if (typeof value !== 'object' || value === null || !('type' in value)) return value;
    next += 1;
    const own = { id: next, ...value };
    return Object.fromEntries(
      Object.entries(own).map(([key, inner]) => [
        key,
        ['components', 'accessory'].includes(key) ? number(inner) : inner,
      ]),
    );
  };
  return number(components);
}

export function commandShape(command: Command, world: World, withLocalizations = false) {
  return {
    id: command.id,
    application_id: world.applicationId,
    version: command.id,
    default_member_permissions: command.defaultMemberPermissions,
    type: 1,
    name: command.name,
    description: command.description,
    ...(withLocalizations ? { description_localizations: command.descriptionLocalizations } : {}),
    ...(command.guildId === null
      ? { dm_permission: command.dmPermission, contexts: command.contexts }
      : { guild_id: command.guildId }),
    integration_types: [0],
    ...(command.options.length === 0 ? {} : { options: command.options }),
    nsfw: false,
  };
}

export function applicationShape(world: World) {
  // Gateway Guild Members, for applications in fewer than a hundred guilds
  const flags = world.isMembersIntentRefused ? 0 : 1 << 15;
  return {
    id: world.applicationId,
    name: 'Marshal',
    icon: null,
    description: '',
    type: null,
    flags,
    flags_new: String(flags),
    bot: userShape(world.bot),
    bot_public: world.isPublic,
    bot_require_code_grant: false,
    verify_key: '0'.repeat(64),
    tags: [],
    redirect_uris: [...world.redirectUris],
    eligible_oauth2_scopes: ['bot', 'applications.commands', 'identify'],
    interactions_endpoint_url: null,
    role_connections_verification_url: null,
    owner: userShape(world.bot),
    approximate_guild_count: [...world.guilds.values()].filter((guild) => guild.isInstalled).length,
    approximate_user_install_count: 0,
    approximate_user_authorization_count: 0,
    event_webhooks_url: null,
    event_webhooks_status: 1,
    event_webhooks_types: [],
    explicit_content_filter: 0,
    team: null,
  };
}

/** As GET /users/@me/guilds gives it. */
export function ownGuildShape(guild: Guild, world: World) {
  const bot = guild.members.get(world.bot.id);
  return {
    id: guild.id,
    name: guild.name,
    icon: null,
    banner: null,
    owner: guild.ownerId === world.bot.id,
    permissions: (bot === undefined ? 0n : guildPermissions(guild, bot)).toString(),
    features: [],
  };
}

export function storedMessage(message: Message): StoredMessage {
  return {
    id: message.id,
    channelId: message.channelId,
    authorId: message.author.id,
    content: message.content,
    embeds: message.embeds,
    components: message.components,
    nonce: message.nonce === null ? null : String(message.nonce),
    ephemeralFor: message.ephemeralFor,
    mentions: message.mentions,
    mentionedRoles: message.mentionedRoles,
    replyTo: message.replyTo?.id ?? null,
    mentionsEveryone: message.mentionsEveryone,
    editedAt: message.editedAt,
  };
}

export function storedEvent({
  id,
  guildId,
  name,
  description,
  status,
  startsAt,
  endsAt,
  location,
}: ScheduledEvent): StoredScheduledEvent {
  return { id, guildId, name, description, status, startsAt, endsAt, location };
}
