import type { GuildDetailDto } from '#shared/schemas/discord.ts';

/** Channels that the bot can post in, in Discord's order; none in a server that removed the bot. */
export function postableChannels({ status, channels }: GuildDetailDto): GuildDetailDto['channels'] {
  return status === 'disabled' ? [] : channels.filter(({ isPostable }) => isPostable);
}
