/**
 * The bot's connections to Discord's gateway, open while this instance acts: as many shards as Discord recommends. Each looks
 * after itself (`shard.ts`); a refused token, a refused intent (then without it) or another number of shards concerns all.
 */
import { REST, Routes, SimpleIdentifyThrottler, type APIGatewayBotInfo, type IIdentifyThrottler } from 'discord.js';
import type { BotState } from '#shared/schemas/bot.ts';
import type { BotContext } from './context.ts';
import { reasonOf } from './log.ts';
import { backOff, createPause } from './pause.ts';
import { endingOf, openShard, type Ending, type Shard } from './shard.ts';
import { adminSentences } from './bot-text.ts';

export interface Gateway {
  /** State for admins. Called with every beat, which also detects stuck connections. */
  state: () => BotState;
  /** Takes the guilds that wait for an admin, as the server lists them. */
  setPending: (guildIds: readonly string[]) => void;
  /** Reports what the server missed while it did not answer. */
  catchUp: () => void;
  /** Disconnects from Discord; no reports follow. */
  close: () => Promise<void>;
}

export interface GatewayHooks {
  onState: () => void;
  /** the server refused a call because this instance does not hold the lease */
  onNotActing: () => void;
}

/** Shares out the turns to identify; kept while this instance acts, because Discord counts over reconnections too. */
function createThrottlers() {
  const made = new Map<number, IIdentifyThrottler>();
  return (maxConcurrency: number): IIdentifyThrottler => {
    const throttler = made.get(maxConcurrency) ?? new SimpleIdentifyThrottler(maxConcurrency);
    made.set(maxConcurrency, throttler);
    return throttler;
  };
}

export function openGateway(context: BotContext, hooks: GatewayHooks): Gateway {
  const { log, timings, token, apiUrl } = context;
  const rest = new REST({ api: apiUrl }).setToken(token);
  const throttlerFor = createThrottlers();
  const pause = createPause();
  const closing = new AbortController();
  let shards: readonly Shard[] = [];
  let end: (ending: Ending) => void = () => undefined;
  let hasMembersIntent: boolean | null = null;
  let problem: string | null = null;
  /** since when each shard is not connected, by its id */
  const awaySince = new Map<number, number>();

  /** Runs all shards until one ends for a reason that concerns all of them. */
  async function connect(withMembers: boolean, onStored: () => void): Promise<Ending> {
    const { promise: ended, resolve } = Promise.withResolvers<Ending>();
    end = resolve;
    // the library drops a token after it was refused once
    const asked = rest.setToken(token).get(Routes.gatewayBot(), { signal: closing.signal });
    const info = await asked.then(
      (answer) => answer as APIGatewayBotInfo,
      (error: unknown) => endingOf(error),
    );
    if (closing.signal.aborted) return 'closed';
    if (typeof info === 'string') {
      if (info === 'failed') log.warn({}, adminSentences.discordAway);
      return info;
    }
    const throttler = throttlerFor(info.session_start_limit.max_concurrency);
    const shardCount = info.shards;
    if (shardCount > 1) log.info({ shards: shardCount }, 'connecting to Discord with several shards');
    shards = Array.from({ length: shardCount }, (_, shardId) =>
      openShard(
        context,
        { shardId, shardCount, withMembers, throttler },
        {
          onState: hooks.onState,
          onStored() {
            hasMembersIntent = withMembers;
            problem = null;
            onStored();
          },
          onNotActing: hooks.onNotActing,
          onEnd: resolve,
        },
      ),
    );
    const ending = await ended;
    const closed = shards;
    shards = [];
    awaySince.clear();
    await Promise.all(closed.map((shard) => shard.close()));
    return ending;
  }

  async function hold(): Promise<void> {
    let withMembers = true;
    let failures = 0;
    while (!closing.signal.aborted) {
      const ending = await connect(withMembers, () => {
        failures = 0;
        hooks.onState();
      });
      if (closing.signal.aborted || ending === 'closed') return;
      if (ending === 'intent refused' && withMembers) {
        log.warn({}, adminSentences.membersIntentOff);
        withMembers = false;
        continue;
      }
      problem = ending === 'token refused' ? adminSentences.tokenRefused : adminSentences.discordAway;
      if (ending === 'token refused') log.error({}, adminSentences.tokenRefused);
      if (ending === 'other shards needed') log.warn({}, 'Discord asks for a different number of shards');
      hooks.onState();
      failures += 1;
      const again = backOff(failures, timings.retryMinMs, timings.retryMaxMs);
      await pause.wait(ending === 'token refused' ? timings.refusedMs : again);
    }
  }
  const holding = hold().catch((error: unknown) => {
    log.error({ reason: reasonOf(error) }, 'bot stopped after an error');
    problem = reasonOf(error).slice(0, 500);
  });

  /** The ids of shards that are connected, and that have been away for long; none before the first plan. */
  function look(): { connected: number[]; away: number[] } {
    const connected = shards.flatMap((shard, id) => (shard.isConnected() ? [id] : []));
    const ids = shards.length === 0 ? [0] : shards.keys();
    for (const id of ids) {
      if (connected.includes(id)) awaySince.delete(id);
      else if (!awaySince.has(id)) awaySince.set(id, Date.now());
    }
    const away = [...awaySince].flatMap(([id, since]) => (Date.now() - since > timings.awayMs ? [id] : []));
    return { connected, away };
  }

  function sayAway(away: readonly number[]): string | null {
    if (away.length === 0) return null;
    return away.length < shards.length
      ? adminSentences.shardsAway(away.length, shards.length)
      : adminSentences.discordAway;
  }

  return {
    state() {
      const { connected, away } = look();
      const user = shards.map((shard) => shard.user()).find((one) => one !== null);
      return {
        isConnected: connected.length > 0,
        hasMembersIntent,
        botUserId: user?.id ?? null,
        botName: user?.username ?? null,
        problem: problem ?? sayAway(away),
      };
    },
    setPending(guildIds) {
      for (const shard of shards) shard.setPending(guildIds);
    },
    catchUp() {
      for (const shard of shards) shard.catchUp();
    },
    async close() {
      closing.abort();
      pause.wake();
      end('closed');
      await holding;
    },
  };
}
