/** The bot's context (token, server calls, log) and its timings. */
import { BOT_BEAT_SECONDS } from '#shared/limits.ts';
import type { BotLog } from './log.ts';
import type { ServerCalls } from './server.ts';

/** Timings in milliseconds. */
export interface BotTimings {
  /** interval between two lease renewals */
  beatMs: number;
  /** how long changes of a guild or of its members are collected before they are sent in one call */
  gatherMs: number;
  /** minimum time between two fetches of all members of a guild */
  membersPauseMs: number;
  /** delay before a rejected or failed member list is fetched again */
  membersAgainMs: number;
  /** interval of full reports, which make up for missed events */
  refreshMs: number;
  /** how long a shard waits for missing guilds until it is ready; interactions wait for that too */
  waitGuildsMs: number;
  /** first and longest back-off of calls and connections; it doubles in between */
  retryMinMs: number;
  retryMaxMs: number;
  /** after which the client of a lost connection is replaced by a new one */
  stuckMs: number;
  /** after which a lost connection is reported to admins, because reconnecting takes a moment */
  awayMs: number;
  /** retry interval for a token that Discord refuses */
  refusedMs: number;
}

const MINUTE_MS = 60_000;

export const TIMINGS: BotTimings = {
  beatMs: BOT_BEAT_SECONDS * 1_000,
  gatherMs: 2_000,
  membersPauseMs: 30_000,
  membersAgainMs: 10 * MINUTE_MS,
  refreshMs: 5 * MINUTE_MS,
  // Discord waits three seconds for an interaction's answer
  waitGuildsMs: 2_000,
  retryMinMs: 1_000,
  retryMaxMs: MINUTE_MS,
  stuckMs: 5 * MINUTE_MS,
  awayMs: 30_000,
  refusedMs: 5 * MINUTE_MS,
};

export interface BotContext {
  token: string;
  /** base address of Discord's API, without the version */
  apiUrl: string;
  /** origin of the site, for links in replies */
  publicUrl: string;
  /** identifies this process among the replicas' bots */
  instanceId: string;
  server: ServerCalls;
  log: BotLog;
  timings: BotTimings;
}
