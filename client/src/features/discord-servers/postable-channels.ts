import type { GuildDetailDto } from '#shared/schemas/discord.ts';

/** Where the bot may post, as Discord orders them; nowhere in a server that removed it, whatever it saw before. */
export function postableChannels({ status, channels }: GuildDetailDto): GuildDetailDto['channels'] {
  return status === 'disabled' ? [] : channels.filter(({ isPostable }) => isPostable);
}
