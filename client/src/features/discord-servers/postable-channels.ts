import type { GuildDetailDto } from '#shared/schemas/discord.ts';

/** Channels the bot may post in, in Discord's order; none in a server that removed it, whatever it saw before. */
export function postableChannels({ status, channels }: GuildDetailDto): GuildDetailDto['channels'] {
  return status === 'disabled' ? [] : channels.filter(({ isPostable }) => isPostable);
}
