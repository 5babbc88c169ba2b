/** Changes to guilds, their members, channels and roles; sent as Discord sends them. */
import { GatewayIntentBits as Intents, PermissionFlagsBits as Bits } from 'discord-api-types/v10';
import { nextId } from './ids.ts';
import { publishMessage, removeMessage } from './messages.ts';
import { isThread } from './permissions.ts';
import { channelShape, guildCreateShape, guildShape, memberShape, roleShape, userShape } from './shapes.ts';
import {
  guildOf,
  personOf,
  type Channel,
  type Guild,
  type Member,
  type Person,
  type Role,
  type World,
} from './state.ts';
import type { ChannelSpec, Emulator, MemberSpec, PersonSpec, Snowflake } from './types.ts';

/** ViewChannel, SendMessages, EmbedLinks, ReadMessageHistory, CreateEvents, SendMessagesInThreads. */
const INVITED = 17_918_603_643_904n;
/** Discord's default permissions of everyone in a new server that matter for text. */
const EVERYONE =
  Bits.ViewChannel |
  Bits.SendMessages |
  Bits.SendMessagesInThreads |
  Bits.EmbedLinks |
  Bits.AttachFiles |
  Bits.ReadMessageHistory |
  Bits.MentionEveryone |
  Bits.AddReactions |
  Bits.UseApplicationCommands |
  Bits.CreatePublicThreads |
  Bits.CreateInstantInvite |
  Bits.ChangeNickname |
  Bits.Connect |
  Bits.Speak;

type GuildActs = Pick<
  Emulator,
  | 'addGuild'
  | 'installBot'
  | 'kickBot'
  | 'setOutage'
  | 'renameGuild'
  | 'setGuildLocale'
  | 'addMember'
  | 'removeMember'
  | 'updateMember'
  | 'addChannel'
  | 'updateChannel'
  | 'deleteChannel'
  | 'updateRole'
  | 'deleteMessage'
  | 'publishMessage'
  | 'setClosedDms'
> & { addRole: Emulator['addRole']; deleteRole: Emulator['deleteRole']; forgetGuild: Emulator['forgetGuild'] };

/** Ends the bot's membership: it was removed, or has left. */
export function removeBot(world: World, guildId: Snowflake): void {
  const guild = guildOf(world, guildId);
  const bot = guild.members.get(world.bot.id);
  for (const [id, role] of guild.roles) if (role.isManaged && bot?.roles.includes(id)) guild.roles.delete(id);
  guild.members.delete(world.bot.id);
  for (const [id, command] of world.commands) if (command.guildId === guildId) world.commands.delete(id);
  guild.isInstalled = false;
  world.dispatch('GUILD_DELETE', guildId, { id: guildId }, Intents.Guilds);
}

export function createGuildActs(world: World): GuildActs {
  /** Guilds in an outage or without the bot send no events. */
  const tell = (guild: Guild, event: string, data: object, intents: number) => {
    if (guild.isInstalled && !guild.isOut) world.dispatch(event, guild.id, data, intents);
    else world.changed();
  };
  const tellCreated = (guild: Guild) =>
    world.dispatch('GUILD_CREATE', guild.id, guildCreateShape(guild, world), Intents.Guilds);

  function join(guild: Guild, spec: MemberSpec): Member {
    const person = meet(world, spec);
    const member: Member = {
      person,
      nick: spec.nick ?? null,
      roles: [...(spec.roles ?? [])],
      joinedAt: spec.joinedAt ?? new Date().toISOString(),
      timeoutUntil: null,
    };
    guild.members.set(person.id, member);
    return member;
  }

  function install(guild: Guild): void {
    const role = makeRole({ name: world.bot.username, permissions: guild.botPermissions, position: 1 }, true);
    guild.roles.set(role.id, role);
    join(guild, { id: world.bot.id, username: world.bot.username, isBot: true, roles: [role.id] });
    guild.isInstalled = true;
  }

  function channelIn(guild: Guild, channelId: Snowflake): Channel {
    const channel = guild.channels.get(channelId);
    if (channel === undefined) throw new Error(`There is no channel ${channelId} in ${guild.name}`);
    return channel;
  }

  function addChannelTo(guild: Guild, spec: ChannelSpec): Channel {
    const channel: Channel = {
      id: spec.id ?? nextId(),
      guildId: guild.id,
      recipient: null,
      type: spec.type ?? 0,
      name: spec.name,
      topic: spec.topic ?? null,
      position: spec.position ?? guild.channels.size,
      nsfw: spec.nsfw ?? false,
      parentId: spec.parentId ?? null,
      archived: spec.archived ?? false,
      locked: spec.locked ?? false,
      ownerId: guild.ownerId,
      archiveMinutes: 4320,
      threadMembers: new Map([[guild.ownerId, new Date().toISOString()]]),
      overwrites: spec.overwrites ?? [],
      messages: [],
    };
    guild.channels.set(channel.id, channel);
    world.channels.set(channel.id, channel);
    return channel;
  }

  const tellChannel = (guild: Guild, kind: 'CREATE' | 'UPDATE' | 'DELETE', channel: Channel) =>
    tell(guild, `${isThread(channel) ? 'THREAD' : 'CHANNEL'}_${kind}`, channelShape(channel), Intents.Guilds);

  return {
    addGuild: (spec) => {
      const id = spec.id ?? nextId();
      const guild: Guild = {
        id,
        name: spec.name,
        ownerId: spec.ownerId ?? nextId(),
        roles: new Map(),
        channels: new Map(),
        members: new Map(),
        events: new Map(),
        isInstalled: false,
        isOut: false,
        botPermissions: spec.botPermissions ?? INVITED,
        locale: spec.locale ?? 'en-US',
      };
      world.guilds.set(id, guild);
      const everyone = makeRole({ id, name: '@everyone', permissions: spec.everyone ?? EVERYONE, position: 0 });
      const roles = (spec.roles ?? []).map((role, index) => makeRole({ position: index + 2, ...role }));
      for (const role of [everyone, ...roles]) guild.roles.set(role.id, role);
      const channels = (spec.channels ?? []).map((channel) => addChannelTo(guild, channel));
      for (const member of spec.members ?? []) join(guild, member);
      if (!guild.members.has(guild.ownerId)) join(guild, { id: guild.ownerId, username: `owner-${id.slice(-6)}` });
      if (spec.isInstalled !== false) {
        install(guild);
        tellCreated(guild);
      }
      world.changed();
      return {
        id,
        roleIds: Object.fromEntries([...guild.roles.values()].map((role) => [role.name, role.id])),
        channelIds: Object.fromEntries(channels.map((channel) => [channel.name, channel.id])),
      };
    },
    installBot: (guildId) => {
      const guild = guildOf(world, guildId);
      if (guild.isInstalled) return;
      install(guild);
      tellCreated(guild);
    },
    kickBot: (guildId) => removeBot(world, guildId),
    setOutage: (guildId, isOut) => {
      const guild = guildOf(world, guildId);
      if (guild.isOut === isOut) return;
      guild.isOut = isOut;
      if (!guild.isInstalled) return;
      if (isOut) world.dispatch('GUILD_DELETE', guildId, { id: guildId, unavailable: true }, Intents.Guilds);
      else tellCreated(guild);
    },
    setGuildLocale: (guildId, locale) => {
      const guild = guildOf(world, guildId);
      guild.locale = locale;
      tell(guild, 'GUILD_UPDATE', guildShape(guild, world), Intents.Guilds);
    },
    renameGuild: (guildId, name) => {
      const guild = guildOf(world, guildId);
      guild.name = name;
      tell(guild, 'GUILD_UPDATE', guildShape(guild, world), Intents.Guilds);
    },
    forgetGuild: (guildId) => {
      const guild = guildOf(world, guildId);
      guild.isInstalled = false;
      guild.members.delete(world.bot.id);
      world.changed();
    },
    addMember: (guildId, spec) => {
      const guild = guildOf(world, guildId);
      const member = join(guild, spec);
      tell(guild, 'GUILD_MEMBER_ADD', { ...memberShape(member), guild_id: guildId }, Intents.GuildMembers);
      return member.person.id;
    },
    removeMember: (guildId, userId) => {
      const guild = guildOf(world, guildId);
      if (!guild.members.delete(userId)) throw new Error(`${userId} is no member of ${guild.name}`);
      for (const { threadMembers } of guild.channels.values()) threadMembers.delete(userId);
      const user = userShape(personOf(world, userId));
      tell(guild, 'GUILD_MEMBER_REMOVE', { guild_id: guildId, user }, Intents.GuildMembers);
    },
    updateMember: (guildId, userId, change) => {
      const guild = guildOf(world, guildId);
      const member = guild.members.get(userId);
      if (member === undefined) throw new Error(`${userId} is no member of ${guild.name}`);
      if (change.nick !== undefined) member.nick = change.nick;
      if (change.roles !== undefined) member.roles = [...change.roles];
      if (change.timeoutUntil !== undefined) member.timeoutUntil = change.timeoutUntil;
      // a bot gets events about itself without the intent, too
      const intents = userId === world.bot.id ? 0 : Intents.GuildMembers;
      tell(guild, 'GUILD_MEMBER_UPDATE', { ...memberShape(member), guild_id: guildId }, intents);
    },
    addChannel: (guildId, spec) => {
      const guild = guildOf(world, guildId);
      const channel = addChannelTo(guild, spec);
      tellChannel(guild, 'CREATE', channel);
      return channel.id;
    },
    updateChannel: (guildId, channelId, { parentId, overwrites, ...change }) => {
      const guild = guildOf(world, guildId);
      const channel = channelIn(guild, channelId);
      Object.assign(channel, change);
      if (parentId !== undefined) channel.parentId = parentId;
      if (overwrites !== undefined) channel.overwrites = overwrites;
      tellChannel(guild, 'UPDATE', channel);
    },
    deleteChannel: (guildId, channelId) => {
      const guild = guildOf(world, guildId);
      const channel = channelIn(guild, channelId);
      // its threads are deleted without events
      const threads = [...guild.channels.values()].filter((one) => isThread(one) && one.parentId === channelId);
      for (const { id } of [channel, ...threads]) {
        guild.channels.delete(id);
        world.channels.delete(id);
      }
      tellChannel(guild, 'DELETE', channel);
    },
    addRole: (guildId, spec) => {
      const guild = guildOf(world, guildId);
      const role = makeRole({ position: guild.roles.size, ...spec });
      guild.roles.set(role.id, role);
      tell(guild, 'GUILD_ROLE_CREATE', { guild_id: guildId, role: roleShape(role, world) }, Intents.Guilds);
      return role.id;
    },
    updateRole: (guildId, roleId, change) => {
      const guild = guildOf(world, guildId);
      const role = guild.roles.get(roleId);
      if (role === undefined) throw new Error(`There is no role ${roleId} in ${guild.name}`);
      if (change.name !== undefined) role.name = change.name;
      if (change.permissions !== undefined) role.permissions = change.permissions;
      if (change.isMentionable !== undefined) role.isMentionable = change.isMentionable;
      tell(guild, 'GUILD_ROLE_UPDATE', { guild_id: guildId, role: roleShape(role, world) }, Intents.Guilds);
    },
    deleteRole: (guildId, roleId) => {
      const guild = guildOf(world, guildId);
      if (!guild.roles.delete(roleId)) throw new Error(`There is no role ${roleId} in ${guild.name}`);
      for (const member of guild.members.values()) member.roles = member.roles.filter((id) => id !== roleId);
      tell(guild, 'GUILD_ROLE_DELETE', { guild_id: guildId, role_id: roleId }, Intents.Guilds);
    },
    deleteMessage: (channelId, messageId) => {
      const channel = world.channels.get(channelId);
      if (channel === undefined) throw new Error(`There is no channel ${channelId}`);
      removeMessage(world, channel, messageId);
    },
    publishMessage: (channelId, messageId) => {
      const channel = world.channels.get(channelId);
      const message = channel?.messages.find(({ id }) => id === messageId);
      if (channel === undefined || message === undefined) throw new Error(`There is no message ${messageId}`);
      publishMessage(world, channel, message);
    },
    setClosedDms: (userId, isClosed) => {
      personOf(world, userId).hasClosedDms = isClosed;
      world.changed();
    },
  };
}

function makeRole(
  spec: { id?: Snowflake; name: string; permissions: bigint; position: number; isMentionable?: boolean },
  isManaged = false,
): Role {
  return { isManaged, isMentionable: false, ...spec, id: spec.id ?? nextId() };
}

/** A person known by this id, or a new one. */
function meet(world: World, spec: PersonSpec): Person {
  const known = spec.id === undefined ? undefined : world.people.get(spec.id);
  if (known !== undefined) return known;
  const person: Person = {
    id: spec.id ?? nextId(),
    username: spec.username,
    globalName: spec.globalName ?? null,
    isBot: spec.isBot ?? false,
    hasClosedDms: false,
    locale: spec.locale ?? 'en-US',
  };
  world.people.set(person.id, person);
  return person;
}
