/**
 * The bot's API, with its own credential and its own path. No browser and no person can call it, so it has neither the
 * guards of other procedures nor a place in the REST table.
 */
import { botReplyRouter } from './bot-reply.ts';
import { botSyncRouter } from './bot-sync.ts';
import { router } from '#server/http/trpc.ts';

export const botRouter = router({ sync: botSyncRouter, reply: botReplyRouter });

/** The bot imports only the type. */
export type BotRouter = typeof botRouter;
