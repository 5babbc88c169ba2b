import type { BotStatusDto } from '#shared/schemas/discord.ts';
import { trpc } from './trpc.ts';

/** A bot that dies announces nothing: only asking again finds its lease lapsed. */
const BOT_POLL_MS = 10_000;

/** How the bot is; undefined before the first answer. */
export function useBot(): BotStatusDto | undefined {
  return trpc.discord.bot.useQuery(undefined, { refetchInterval: BOT_POLL_MS, staleTime: BOT_POLL_MS }).data;
}
