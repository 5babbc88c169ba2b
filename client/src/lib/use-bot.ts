import type { BotStatusDto } from '#shared/schemas/discord.ts';
import { trpc } from './trpc.ts';

/** Polling interval: a bot that dies sends no event, so only polling notices that its lease has lapsed. */
const BOT_POLL_MS = 10_000;

/** The Discord bot's status; undefined before the first answer. */
export function useBot(): BotStatusDto | undefined {
  return trpc.discord.bot.useQuery(undefined, { refetchInterval: BOT_POLL_MS, staleTime: BOT_POLL_MS }).data;
}
