/**
 * Queue of calls to the server, one after the other: a guild that was left and installed again must not end up as left.
 * A call that fails makes everything stale, and everything is sent again until it arrives.
 */
import { refusalOf } from './failures.ts';
import { reasonOf, type BotLog } from './log.ts';
import { backOff } from './pause.ts';

export interface CallQueue {
  /** Do this behind whatever waits, unless it will be told anew anyway. */
  add: (work: () => Promise<unknown>) => void;
  /** Tell everything, and go on trying until it is told. */
  tellAll: () => void;
  /** The same at once, when something could not be told. */
  catchUp: () => void;
  stop: () => void;
}

export interface CallQueueOptions {
  /** tells everything there is to tell */
  everything: () => Promise<void>;
  onTold: () => void;
  /** something was not told: whatever came one by one is no longer whole */
  onStale: () => void;
  /** the server says that this process holds no lease; the next beat finds out who does */
  onNotActing: () => void;
  log: BotLog;
  retryMinMs: number;
  retryMaxMs: number;
}

const isNotActing = (error: unknown) => refusalOf(error) === 'BOT_STANDS_BY';

export function createCallQueue(options: CallQueueOptions): CallQueue {
  let chain = Promise.resolve();
  let failures = 0;
  let said: string | null = null;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let isStale = false;
  let isStopped = false;

  function onFailure(error: unknown): void {
    if (isStopped) return;
    failures += 1;
    isStale = true;
    options.onStale();
    const reason = reasonOf(error);
    if (isNotActing(error)) options.onNotActing();
    else if (reason !== said) options.log.warn({ reason }, 'the server could not be told; trying again');
    said = reason;
    clearTimeout(retry);
    retry = setTimeout(tellAll, backOff(failures, options.retryMinMs, options.retryMaxMs));
  }

  function append(work: () => Promise<unknown>, isSkipped: () => boolean): void {
    chain = chain.then(async () => {
      if (isStopped || isSkipped()) return;
      try {
        await work();
      } catch (error) {
        onFailure(error);
      }
    });
  }

  let isTelling = false;
  function tellAll(): void {
    isStale = true;
    clearTimeout(retry);
    if (isTelling) return;
    isTelling = true;
    append(
      async () => {
        isTelling = false;
        await options.everything();
        failures = 0;
        said = null;
        isStale = false;
        if (!isStopped) options.onTold();
      },
      () => false,
    );
  }

  return {
    add: (work) => append(work, () => isStale),
    tellAll,
    catchUp() {
      if (failures > 0 && !isStopped) tellAll();
    },
    stop() {
      isStopped = true;
      clearTimeout(retry);
    },
  };
}
