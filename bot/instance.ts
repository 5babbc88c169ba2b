/**
 * One of the replicas' bots: it asks the server again and again whether it acts. Only the acting one is connected to
 * Discord. A server that does not answer takes nothing away: the connection stays, and what was missed is told later.
 */
import type { BotContext } from './context.ts';
import { openGateway, type Gateway } from './gateway.ts';
import { reasonOf } from './log.ts';
import { createPause } from './pause.ts';

export interface RunningBot {
  /** whether this is the one that is connected to Discord, or tries to be */
  isActing: () => boolean;
  /** Leave Discord, let another instance act, and end. */
  stop: () => Promise<void>;
}

export function runInstance(context: BotContext): RunningBot {
  const { server, instanceId, log, timings } = context;
  const pause = createPause();
  let gateway: Gateway | null = null;
  const stopping = new AbortController();
  /** calls in a row that the server did not answer; one alone is a server that stops, or a moment */
  let unheard = 0;

  async function standBy(): Promise<void> {
    const closing = gateway;
    gateway = null;
    await closing?.close();
  }

  async function beat(): Promise<void> {
    let isActing: boolean;
    try {
      ({ isActing } = await server.sync.beat.mutate({ instanceId, state: gateway?.state() ?? null }));
      if (unheard > 1) log.info({}, 'the server answers again');
      if (unheard > 0 && isActing) gateway?.catchUp();
      unheard = 0;
    } catch (error) {
      unheard += 1;
      if (unheard === 2) log.warn({ reason: reasonOf(error) }, 'the server does not answer the bot');
      return;
    }
    if (stopping.signal.aborted || isActing === (gateway !== null)) return;
    if (isActing) {
      log.info({ instanceId }, 'this instance of the bot acts');
      // a lease that ran out while the database was away may still be had: the next beat asks, at once
      gateway = openGateway(context, { onState: pause.wake, onNotActing: pause.wake });
    } else {
      log.warn({ instanceId }, 'another instance of the bot acts');
      await standBy();
    }
  }

  async function live(): Promise<void> {
    while (!stopping.signal.aborted) {
      await beat();
      if (!stopping.signal.aborted) await pause.wait(timings.beatMs);
    }
  }
  const living = live();

  async function end(): Promise<void> {
    stopping.abort();
    pause.wake();
    // no beat may take the lease again behind the words that give it up
    await living;
    const wasActing = gateway !== null;
    await standBy();
    if (!wasActing) return;
    await server.sync.standDown.mutate({ instanceId }).catch((error: unknown) => {
      log.debug({ reason: reasonOf(error) }, 'the bot could not stand down');
    });
  }
  let ending: Promise<void> | null = null;

  return {
    isActing: () => gateway !== null,
    stop: () => (ending ??= end()),
  };
}
