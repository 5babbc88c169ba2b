/**
 * One shard of the gateway connection, in a client of its own. discord.js reconnects and resumes on its own; this module
 * replaces a client whose connection has failed or is stuck, and leaves the other shards alone.
 */
import { GatewayCloseCodes, Status, type Client, type IIdentifyThrottler } from 'discord.js';
import { createClient } from './client.ts';
import type { BotContext } from './context.ts';
import { watchGuilds, type GuildWatch } from './guilds.ts';
import { leave } from './leave.ts';
import { reasonOf } from './log.ts';
import { backOff, createPause } from './pause.ts';
import { adminSentences } from './bot-text.ts';

/** Why a connection ended. All but `failed` concern every shard. */
export type Ending = 'closed' | 'token refused' | 'intent refused' | 'other shards needed' | 'failed';

export interface ShardPlan {
  shardId: number;
  shardCount: number;
  /** true to request the privileged Server Members intent */
  withMembers: boolean;
  /** shared by all shards, because Discord limits how many of them may identify at once */
  throttler: IIdentifyThrottler;
}

interface ShardHooks {
  /** the connection or its stored reports have changed */
  onState: () => void;
  /** a full report of this shard has reached the server */
  onStored: () => void;
  /** the server refused a call because this instance does not hold the lease */
  onNotActing: () => void;
  /** this shard has ended for a reason that concerns all of them */
  onEnd: (ending: Ending) => void;
}

export interface Shard {
  /** Also replaces a client that is stuck; called with every beat. */
  isConnected: () => boolean;
  user: () => Client['user'];
  /** Takes the guilds that wait for an admin, of any shard. */
  setPending: (guildIds: readonly string[]) => void;
  /** Reports what the server missed while it did not answer. */
  catchUp: () => void;
  /** Disconnects from Discord; no reports follow. */
  close: () => Promise<void>;
}

export function endingOf(error: unknown): Ending {
  const code = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  const status = error instanceof Error ? Reflect.get(error, 'status') : undefined;
  if (code === 'TokenInvalid' || status === 401) return 'token refused';
  return ENDING_OF_REASON[reasonOf(error)] ?? 'failed';
}

/** How discord.js words the close codes when it has not connected yet. */
const ENDING_OF_REASON: Partial<Record<string, Ending>> = {
  'Authentication failed': 'token refused',
  'Used disallowed intents': 'intent refused',
  'Invalid shard': 'other shards needed',
  'Sharding is required': 'other shards needed',
};

const ENDING_OF_CODE: Partial<Record<number, Ending>> = {
  [GatewayCloseCodes.AuthenticationFailed]: 'token refused',
  [GatewayCloseCodes.DisallowedIntents]: 'intent refused',
  [GatewayCloseCodes.InvalidShard]: 'other shards needed',
  [GatewayCloseCodes.ShardingRequired]: 'other shards needed',
};

const isWhole = ({ ws }: Client) => ws.shards.size > 0 && ws.shards.every(({ status }) => status === Status.Ready);

export function openShard(context: BotContext, plan: ShardPlan, hooks: ShardHooks): Shard {
  const { log, timings, token } = context;
  const { shardId: shard, throttler } = plan;
  const pause = createPause();
  const closing = new AbortController();
  let client: Client | null = null;
  let watch: GuildWatch | null = null;
  let end: (ending: Ending) => void = () => undefined;
  /** last time this client was connected, or its creation */
  let wholeMs = Date.now();

  /** Waiting for one's turn to identify is not being stuck, however many shards come before. */
  const ownThrottler: IIdentifyThrottler = {
    async waitForIdentify(id, signal) {
      const before = wholeMs;
      wholeMs = Number.POSITIVE_INFINITY;
      try {
        await throttler.waitForIdentify(id, signal);
      } finally {
        if (wholeMs === Number.POSITIVE_INFINITY) wholeMs = signal.aborted ? before : Date.now();
      }
    },
  };

  /** Replaces a client whose reconnection is stuck, which can happen in discord.js. */
  function lookAfter(): void {
    if (client === null) return;
    if (isWhole(client)) wholeMs = Date.now();
    if (Date.now() - wholeMs < timings.stuckMs) return;
    log.warn({ shard }, 'Discord connection stuck, creating a new one');
    wholeMs = Date.now();
    end('failed');
  }

  /** Runs one client until its connection ends. */
  async function connect(onStored: () => void): Promise<Ending> {
    const mine = createClient(context, { ...plan, throttler: ownThrottler });
    // late events of this client must not end the next one
    const { promise: ended, resolve: endMine } = Promise.withResolvers<Ending>();
    end = endMine;
    mine.on('shardDisconnect', ({ code }) => endMine(ENDING_OF_CODE[code] ?? 'failed'));
    mine.on('shardResume', hooks.onState);
    client = mine;
    wholeMs = Date.now();
    const watching = { hasMembersIntent: plan.withMembers, onStored, onNotActing: hooks.onNotActing };
    watch = watchGuilds(mine, context, watching);
    mine.login(token).catch((error: unknown) => {
      const ending = endingOf(error);
      if (ending === 'failed') log.warn({ shard, reason: reasonOf(error) }, adminSentences.discordAway);
      endMine(ending);
    });
    const ending = await ended;
    client = null;
    watch.stop();
    await leave(mine).catch((error: unknown) =>
      log.warn({ shard, reason: reasonOf(error) }, 'Discord connection not closed cleanly'),
    );
    return ending;
  }

  async function hold(): Promise<void> {
    let failures = 0;
    while (!closing.signal.aborted) {
      const ending = await connect(() => {
        failures = 0;
        hooks.onStored();
      });
      if (closing.signal.aborted) return;
      if (ending !== 'failed') return hooks.onEnd(ending);
      hooks.onState();
      failures += 1;
      await pause.wait(backOff(failures, timings.retryMinMs, timings.retryMaxMs));
    }
  }
  const holding = hold().catch((error: unknown) => {
    log.error({ shard, reason: reasonOf(error) }, 'Discord connection stopped after an error');
    hooks.onEnd('failed');
  });

  return {
    isConnected() {
      lookAfter();
      return client !== null && isWhole(client) && watch?.isStored() === true;
    },
    user: () => client?.user ?? null,
    setPending: (guildIds) => watch?.setPending(guildIds),
    catchUp: () => watch?.catchUp(),
    async close() {
      closing.abort();
      pause.wake();
      end('closed');
      await holding;
    },
  };
}
