/** Events of Discord servers, of the bot, and of linked accounts. */
import { NOTHING, type Actor, type AuditRecord, type Consequences } from './effects.ts';

interface OfGuild {
  by: Actor;
  guild: { id: string; name: string };
}
interface OfAccount {
  userId: string;
}

export interface DiscordEvents {
  'discord.linked': OfAccount;
  'discord.unlinked': OfAccount;
  /** what a linked pilot gets as messages */
  'discord.choices_changed': OfAccount;
  'guild.accepted': OfGuild;
  'guild.left': OfGuild;
  /** channel and events of missions. @param channel undefined: the same as before */
  'guild.missions_set': OfGuild & { channel?: string | undefined };
  'registration.resent': OfGuild & { channel: string };
  /** what admins see of a server */
  'guild.changed': object;
  /** A server can show more of missions than before. */
  'guild.widened': object;
  /** Pilots can get messages again. @param discordUserIds null: all members */
  'members.reachable': { guildId: string; discordUserIds: readonly string[] | null };
  /** the process that has it, or its connection */
  'bot.changed': object;
}

const guildRecord = ({ by, guild }: OfGuild, action: AuditRecord['action'], detail = {}): AuditRecord => ({
  by,
  action,
  subject: { type: 'guild', id: guild.id },
  detail: { guildName: guild.name, ...detail },
});
const ownRecord = ({ userId }: OfAccount, action: AuditRecord['action']): AuditRecord => ({
  by: { id: userId },
  action,
  subject: { type: 'user', id: userId },
});

const ON_PROFILE = {
  ...NOTHING,
  live: ({ userId }: OfAccount) => [['profile', [userId]] as const],
  discord: ({ userId }: OfAccount) => [{ accounts: [userId] }],
};
/** The admins' pages about servers. */
const ON_SERVERS = { ...NOTHING, live: () => ['guilds' as const] };

export const DISCORD_CONSEQUENCES: Consequences<DiscordEvents> = {
  'discord.linked': { ...ON_PROFILE, audit: (event) => ownRecord(event, 'discord_linked') },
  'discord.unlinked': {
    ...ON_PROFILE,
    audit: (event) => ownRecord(event, 'discord_unlinked'),
    live: ({ userId }) => [['profile', [userId]], 'guilds'],
  },
  'discord.choices_changed': ON_PROFILE,
  'guild.accepted': {
    ...ON_SERVERS,
    audit: (event) => guildRecord(event, 'guild_accepted'),
    // a server that was accepted before still has its members
    discord: ({ guild }) => [{ upcoming: true }, { membersOf: guild.id, of: null }],
  },
  'guild.left': {
    ...ON_SERVERS,
    audit: (event) => guildRecord(event, 'guild_left'),
    discord: ({ guild }) => [{ leave: guild.id }],
  },
  'guild.missions_set': {
    ...ON_SERVERS,
    audit: (event) =>
      guildRecord(event, 'guild_missions_set', event.channel === undefined ? {} : { channel: event.channel }),
  },
  'registration.resent': {
    ...ON_SERVERS,
    audit: (event) => guildRecord(event, 'registration_resent', { channel: event.channel }),
  },
  'guild.changed': ON_SERVERS,
  'guild.widened': { ...NOTHING, discord: () => [{ upcoming: true }] },
  'members.reachable': {
    ...NOTHING,
    discord: ({ guildId, discordUserIds }) => [{ membersOf: guildId, of: discordUserIds }],
  },
  'bot.changed': ON_SERVERS,
};
