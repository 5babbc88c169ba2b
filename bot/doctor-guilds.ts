/** Bot doctor's check of one Discord server: where the bot can post, and which permissions it lacks. */
import type { REST } from '@discordjs/rest';
import {
  type APIGuildChannel,
  type APIGuildMember,
  type APIRole,
  ChannelType,
  type RESTAPIPartialCurrentUserGuild,
  Routes,
} from 'discord-api-types/v10';
import { type Finding, hint, missing, ok } from './doctor-findings.ts';
import { channelPermissions, guildPermissions, has, INSTALLED, lacking, POSTING } from './doctor-permissions.ts';

/** Maximum channels listed by name; the others are counted. */
const NAMED = 3;

type TextChannel = APIGuildChannel<ChannelType.GuildText | ChannelType.GuildAnnouncement>;

/** @throws what `rest` throws */
export async function examineGuild(
  rest: REST,
  guild: RESTAPIPartialCurrentUserGuild,
  botId: string,
): Promise<Finding[]> {
  const about = `Server ${guild.name}`;
  const [channels, roles, member] = (await Promise.all([
    rest.get(Routes.guildChannels(guild.id)),
    rest.get(Routes.guildRoles(guild.id)),
    rest.get(Routes.guildMember(guild.id, botId)),
  ])) as [APIGuildChannel[], APIRole[], APIGuildMember];
  const subject = {
    guildId: guild.id,
    isOwner: guild.owner,
    roles,
    member: { roles: member.roles, userId: botId },
  };
  const until = member.communication_disabled_until;
  if (until && Date.parse(until) > Date.now()) {
    return [missing(about, `The bot is timed out until ${until}: someone has to remove the timeout in that server.`)];
  }

  const seen = channels.filter(isText).map((channel) => ({
    name: channel.name,
    bits: channelPermissions(subject, channel.permission_overwrites ?? []),
  }));
  const postable = seen.filter(({ bits }) => has(bits, POSTING));
  if (postable.length === 0) return [missing(about, sayNone(seen))];

  const guildLacks = lacking(guildPermissions(subject), INSTALLED);
  const says = `It can post in ${list(postable.map(({ name }) => `#${name}`))}.`;
  return guildLacks.length === 0
    ? [ok(about, says)]
    : [hint(about, `${says} Its role lacks ${guildLacks.join(', ')}: open the install link again.`)];
}

function sayNone(seen: readonly { name: string; bits: bigint }[]): string {
  if (seen.length === 0) return 'It has no text or announcement channel.';
  const lacks = seen.map(({ name, bits }) => ({ name, names: lacking(bits, POSTING) }));
  const [nearest] = lacks.toSorted((a, b) => a.names.length - b.names.length);
  return nearest
    ? `It cannot post in any channel. In #${nearest.name} the bot lacks ${nearest.names.join(', ')}: allow it there.`
    : '';
}

function isText(channel: APIGuildChannel): channel is TextChannel {
  return channel.type === ChannelType.GuildText || channel.type === ChannelType.GuildAnnouncement;
}

function list(names: readonly string[]): string {
  const shown = names.slice(0, NAMED).join(', ');
  return names.length > NAMED ? `${shown} and ${names.length - NAMED} more` : shown;
}
