/** One bot: in a process of its own (`main.ts`), or in the process of a test. */
import { TIMINGS, type BotTimings } from './context.ts';
import { runInstance, type RunningBot } from './instance.ts';
import type { BotLog } from './log.ts';
import { createServerCalls } from './server.ts';

export interface BotOptions {
  token: string;
  /** base of Discord's API without the version, `https://discord.com/api` */
  apiUrl: string;
  /** origin of the server that this bot belongs to */
  serverUrl: string;
  serverToken: string;
  /** names this process among the replicas' bots */
  instanceId: string;
  log: BotLog;
  /** shorter ones, for tests */
  timings?: Partial<BotTimings>;
}

/** Start to act, or to stand by while another instance acts. Never throws: what goes wrong is said and tried again. */
export function startBot({ serverUrl, serverToken, timings, ...options }: BotOptions): RunningBot {
  const server = createServerCalls(serverUrl, serverToken);
  return runInstance({ ...options, server, timings: { ...TIMINGS, ...timings } });
}
