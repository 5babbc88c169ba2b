/** Start of one bot, in its own process (`main.ts`) or inside a test. */
import { TIMINGS, type BotTimings } from './context.ts';
import { runInstance, type RunningBot } from './instance.ts';
import type { BotLog } from './log.ts';
import { createServerCalls } from './server.ts';

export interface BotOptions {
  token: string;
  /** base address of Discord's API without the version, such as `https://discord.com/api` */
  apiUrl: string;
  /** origin of the server that this bot belongs to */
  serverUrl: string;
  serverToken: string;
  /** origin of the site, for links in replies */
  publicUrl: string;
  /** identifies this process among the replicas' bots */
  instanceId: string;
  log: BotLog;
  /** shorter timings for tests */
  timings?: Partial<BotTimings>;
}

/** Starts the bot; it stands by while another instance acts. Never throws: failures are logged and retried. */
export function startBot({ serverUrl, serverToken, timings, ...options }: BotOptions): RunningBot {
  const server = createServerCalls(serverUrl, serverToken);
  return runInstance({ ...options, server, timings: { ...TIMINGS, ...timings } });
}
