/**
 * One bot instance among the replicas. It renews or requests the lease with every beat, and only the instance that holds the
 * lease is connected to Discord. While the server does not answer, the connection stays, and reports follow later.
 */
import type { BotContext } from './context.ts';
import { openGateway, type Gateway } from './gateway.ts';
import { reasonOf } from './log.ts';
import { createPause } from './pause.ts';

export interface RunningBot {
  /** true when this instance holds the lease and is connected to Discord, or connecting */
  isActing: () => boolean;
  /** Disconnects from Discord, releases the lease, and ends. */
  stop: () => Promise<void>;
}

export function runInstance(context: BotContext): RunningBot {
  const { server, instanceId, log, timings } = context;
  const pause = createPause();
  let gateway: Gateway | null = null;
  const stopping = new AbortController();
  /** consecutive beats without an answer; a single one is not worth a log line */
  let unheard = 0;

  async function standBy(): Promise<void> {
    const closing = gateway;
    gateway = null;
    await closing?.close();
  }

  async function beat(): Promise<void> {
    let isActing: boolean;
    try {
      const answer = await server.sync.beat.mutate({ instanceId, state: gateway?.state() ?? null });
      ({ isActing } = answer);
      if (isActing) gateway?.setPending(answer.pendingIds);
      if (unheard > 1) log.info({}, 'server responding again');
      if (unheard > 0 && isActing) gateway?.catchUp();
      unheard = 0;
    } catch (error) {
      unheard += 1;
      if (unheard === 2) log.warn({ reason: reasonOf(error) }, 'no answer from the server');
      return;
    }
    if (stopping.signal.aborted || isActing === (gateway !== null)) return;
    if (isActing) {
      log.info({ instanceId }, 'bot instance active');
      // when the lease has lapsed, the next beat asks for it again at once
      gateway = openGateway(context, { onState: pause.wake, onNotActing: pause.wake });
    } else {
      log.warn({ instanceId }, 'another bot instance active');
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
    // no beat may renew the lease after it has been released
    await living;
    const wasActing = gateway !== null;
    await standBy();
    if (!wasActing) return;
    await server.sync.standDown.mutate({ instanceId }).catch((error: unknown) => {
      log.debug({ reason: reasonOf(error) }, 'bot lease not released');
    });
  }
  let ending: Promise<void> | null = null;

  return {
    isActing: () => gateway !== null,
    stop: () => (ending ??= end()),
  };
}
