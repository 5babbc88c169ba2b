/**
 * The bot's API, with the service's own credential and on a path of its own: no browser and no person can call it, so
 * it is not part of the ladder of guards and the REST table.
 */
import { botReplyRouter } from './bot-reply.ts';
import { botSyncRouter } from './bot-sync.ts';
import { router } from '#server/http/trpc.ts';

export const botRouter = router({ sync: botSyncRouter, reply: botReplyRouter });

/** The bot imports the type only. */
export type BotRouter = typeof botRouter;
