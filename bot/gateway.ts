/**
 * The gateway connection to Discord, open while this instance acts. discord.js reconnects and resumes by itself; this module
 * retries what it gives up on: a refused token, a refused intent (without the intent), a stuck connection.
 */
import { GatewayCloseCodes, Status, type Client } from 'discord.js';
import type { BotState } from '#shared/schemas/bot.ts';
import { createClient } from './client.ts';
import type { BotContext } from './context.ts';
import { watchGuilds, type GuildWatch } from './guilds.ts';
import { leave } from './leave.ts';
import { reasonOf } from './log.ts';
import { backOff, createPause } from './pause.ts';
import { adminSentences } from './bot-text.ts';

export interface Gateway {
  /** State for admins. Called with every beat, which also detects a stuck connection. */
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

type Ending = 'closed' | 'token refused' | 'intent refused' | 'failed';

/** A lost connection is reported to admins only after this time, because reconnecting takes a moment. */
const AWAY_MS = 30_000;

function endingOf(error: unknown): Ending {
  const code = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  if (code === 'TokenInvalid' || reasonOf(error) === 'Authentication failed') return 'token refused';
  return reasonOf(error) === 'Used disallowed intents' ? 'intent refused' : 'failed';
}

const ENDING_OF_CODE: Partial<Record<number, Ending>> = {
  [GatewayCloseCodes.AuthenticationFailed]: 'token refused',
  [GatewayCloseCodes.DisallowedIntents]: 'intent refused',
};

const isWhole = ({ ws }: Client) => ws.shards.size > 0 && ws.shards.every(({ status }) => status === Status.Ready);

export function openGateway(context: BotContext, hooks: GatewayHooks): Gateway {
  const { log, timings, token } = context;
  const pause = createPause();
  const closing = new AbortController();
  let client: Client | null = null;
  let watch: GuildWatch | null = null;
  let end: (ending: Ending) => void = () => undefined;
  let hasMembersIntent: boolean | null = null;
  let problem: string | null = null;
  let awaySince: number | null = null;
  /** last time this client was fully connected, or its creation */
  let wholeMs = Date.now();

  /** Replaces a client whose reconnection is stuck, which can happen in discord.js. */
  function lookAfter(): void {
    if (client === null || isWhole(client)) wholeMs = Date.now();
    if (Date.now() - wholeMs < timings.stuckMs) return;
    log.warn({}, 'the connection to Discord is stuck; creating a new one');
    wholeMs = Date.now();
    end('failed');
  }

  function isConnected(): boolean {
    const isUp = client !== null && isWhole(client) && watch?.isStored() === true;
    awaySince = isUp ? null : (awaySince ?? Date.now());
    return isUp;
  }

  /** Runs one client until its connection ends. */
  async function connect(withMembers: boolean, onStored: () => void): Promise<Ending> {
    const mine = createClient(context, withMembers);
    // late events of this client must not end the next one
    const { promise: ended, resolve: endMine } = Promise.withResolvers<Ending>();
    end = endMine;
    mine.on('shardDisconnect', ({ code }) => endMine(ENDING_OF_CODE[code] ?? 'failed'));
    mine.on('shardResume', hooks.onState);
    client = mine;
    wholeMs = Date.now();
    watch = watchGuilds(mine, context, { hasMembersIntent: withMembers, onStored, onNotActing: hooks.onNotActing });
    mine.login(token).then(
      () => {
        hasMembersIntent = withMembers;
        problem = null;
      },
      (error: unknown) => {
        const ending = endingOf(error);
        if (ending === 'failed') log.warn({ reason: reasonOf(error) }, adminSentences.discordAway);
        endMine(ending);
      },
    );
    const ending = await ended;
    // not stuck: there is no client until the next one connects
    wholeMs = Number.POSITIVE_INFINITY;
    watch.stop();
    await leave(mine).catch((error: unknown) =>
      log.warn({ reason: reasonOf(error) }, 'could not leave Discord cleanly'),
    );
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
      hooks.onState();
      failures += 1;
      const again = backOff(failures, timings.retryMinMs, timings.retryMaxMs);
      await pause.wait(ending === 'token refused' ? timings.refusedMs : again);
    }
  }
  const holding = hold().catch((error: unknown) => {
    log.error({ reason: reasonOf(error) }, 'the bot gave up');
    problem = reasonOf(error).slice(0, 500);
  });

  return {
    state() {
      lookAfter();
      return {
        isConnected: isConnected(),
        hasMembersIntent,
        botUserId: client?.user?.id ?? null,
        botName: client?.user?.username ?? null,
        problem:
          problem ?? (awaySince !== null && Date.now() - awaySince > AWAY_MS ? adminSentences.discordAway : null),
      };
    },
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
