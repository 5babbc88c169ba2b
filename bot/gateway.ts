/**
 * The connection to Discord, held for as long as this process acts. discord.js reconnects and resumes by itself; what it
 * gives up on (a refused token, a refused intent) is tried again here, with what can be changed about it changed.
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
  /** what admins are told; asked for with every beat, which is when a connection that is stuck is found */
  state: () => BotState;
  /** The server answers again: tell it what it missed. */
  catchUp: () => void;
  /** Leave Discord; nothing is told to the server after this. */
  close: () => Promise<void>;
}

export interface GatewayHooks {
  /** the state has changed */
  onState: () => void;
  /** the server says that this process holds no lease */
  onNotActing: () => void;
}

type Ending = 'closed' | 'token refused' | 'intent refused' | 'failed';

/** A reconnect takes a moment; what takes longer is worth a word. */
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
  /** when this client was last seen whole, or made */
  let wholeMs = Date.now();

  /** discord.js reconnects by itself, and can get stuck at that for good: then another client takes its place. */
  function lookAfter(): void {
    if (client === null || isWhole(client)) wholeMs = Date.now();
    if (Date.now() - wholeMs < timings.stuckMs) return;
    log.warn({}, 'the connection to Discord does not come back; making another');
    wholeMs = Date.now();
    end('failed');
  }

  function isConnected(): boolean {
    const isUp = client !== null && isWhole(client) && watch?.isStored() === true;
    awaySince = isUp ? null : (awaySince ?? Date.now());
    return isUp;
  }

  /** One client from its birth to its end. */
  async function connect(withMembers: boolean, onStored: () => void): Promise<Ending> {
    const mine = createClient(context, withMembers);
    // what this one still says when it is over must not end the next
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
    // nothing to look after until the next one
    wholeMs = Number.POSITIVE_INFINITY;
    watch.stop();
    await leave(mine).catch((error: unknown) => log.warn({ reason: reasonOf(error) }, 'leaving Discord'));
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
    catchUp: () => watch?.catchUp(),
    async close() {
      closing.abort();
      pause.wake();
      end('closed');
      await holding;
    },
  };
}
