/**
 * Queue of the bot's calls to the server. Calls run one after the other, so that the server learns of events in their order.
 * When a call fails, the queue reports everything again, with back-off, until that succeeds.
 */
import { isRefused, refusalOf } from './failures.ts';
import { reasonOf, type BotLog } from './log.ts';
import { backOff } from './pause.ts';

export interface CallQueue {
  /** Appends a call about a guild; it is skipped when everything is about to be reported again anyway. */
  add: (guildId: string, work: () => Promise<unknown>) => void;
  /** Reports everything, and retries until that succeeds. */
  tellAll: () => void;
  /** Retries at once if a call has failed. */
  catchUp: () => void;
  stop: () => void;
}

export interface CallQueueOptions {
  /** reports the complete state */
  everything: () => Promise<void>;
  onTold: () => void;
  /** a call about this guild failed or was skipped, so the server may lack some of its changes */
  onLost: (guildId: string) => void;
  /** the server refused a call because this instance does not hold the lease */
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
    const reason = reasonOf(error);
    if (isNotActing(error)) options.onNotActing();
    else if (reason !== said) options.log.warn({ reason }, 'call to the server failed, trying again');
    said = reason;
    clearTimeout(retry);
    retry = setTimeout(tellAll, backOff(failures, options.retryMinMs, options.retryMaxMs));
  }

  function append(work: () => Promise<unknown>, onFailed: (error: unknown) => void): void {
    chain = chain.then(async () => {
      if (isStopped) return;
      try {
        await work();
      } catch (error) {
        onFailed(error);
      }
    });
  }

  function add(guildId: string, work: () => Promise<unknown>): void {
    append(
      async () => {
        if (isStale) options.onLost(guildId);
        else await work();
      },
      (error) => {
        options.onLost(guildId);
        // what the server refuses of one guild says nothing about the others
        if (!isRefused(error)) onFailure(error);
        else options.log.warn({ guildId, reason: reasonOf(error) }, 'Discord server report refused');
      },
    );
  }

  let isTelling = false;
  function tellAll(): void {
    isStale = true;
    clearTimeout(retry);
    if (isTelling) return;
    isTelling = true;
    append(async () => {
      isTelling = false;
      await options.everything();
      failures = 0;
      said = null;
      isStale = false;
      if (!isStopped) options.onTold();
    }, onFailure);
  }

  return {
    add,
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
