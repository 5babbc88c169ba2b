/** Context and timings of the bot. */
import { BOT_BEAT_SECONDS } from '#shared/limits.ts';
import type { BotLog } from './log.ts';
import type { ServerCalls } from './server.ts';

/** Milliseconds. */
export interface BotTimings {
  /** between two renewals of the lease */
  beatMs: number;
  /** how long changes of one guild, or of its members, are gathered before they are told in one call */
  gatherMs: number;
  /** between two fetches of all members of one guild */
  membersPauseMs: number;
  /** after which a list of members that was not believed is fetched once more */
  membersAgainMs: number;
  /** after which everything is told again, so that nothing that was missed stays missed */
  refreshMs: number;
  /** how long a shard's READY waits for guilds that do not come; what people do is held back as long */
  waitGuildsMs: number;
  /** back-off of calls and of connections, doubling from the first to the last */
  retryMinMs: number;
  retryMaxMs: number;
  /** after which a connection that does not come back by itself is made anew; many shards take minutes to come */
  stuckMs: number;
  /** between two tries with a token that Discord refuses */
  refusedMs: number;
}

const MINUTE_MS = 60_000;

export const TIMINGS: BotTimings = {
  beatMs: BOT_BEAT_SECONDS * 1_000,
  gatherMs: 2_000,
  membersPauseMs: 30_000,
  membersAgainMs: 10 * MINUTE_MS,
  refreshMs: 5 * MINUTE_MS,
  // Discord waits three seconds for an answer
  waitGuildsMs: 2_000,
  retryMinMs: 1_000,
  retryMaxMs: MINUTE_MS,
  stuckMs: 5 * MINUTE_MS,
  refusedMs: 5 * MINUTE_MS,
};

export interface BotContext {
  token: string;
  /** base of Discord's API without the version */
  apiUrl: string;
  /** names this process among the replicas' bots */
  instanceId: string;
  server: ServerCalls;
  log: BotLog;
  timings: BotTimings;
}
