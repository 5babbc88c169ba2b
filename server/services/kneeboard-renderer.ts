/** Kneeboard cards drawn in a thread of their own, one at a time, and kept for a while. */
import { createHash } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { AppError } from '#server/errors.ts';
import { copy } from '#shared/copy.ts';
import type { KneeboardScheme } from '#shared/vocabulary.ts';
import type { KneeboardCard } from './kneeboard-content.ts';
import type { DrawReply, DrawRequest } from './kneeboard-worker.ts';

/** What waits beyond this is told to come back: at a tenth of a second each, nobody waits longer than two. */
const QUEUE_MAX = 16;
const RETRY_AFTER_SECONDS = 2;
/** At some 60 KB each. */
const KEPT_CARDS = 64;
/** The thread holds fonts and two WebAssembly memories; it ends when nobody has asked for so long. */
const IDLE_MS = 60_000;
const DRAW_LIMIT_MS = 15_000;

export interface KneeboardRenderer {
  /**
   * The card as PNG, 768 x 1024 px. The same words are drawn once.
   * @throws AppError 503 when too many cards wait
   */
  render(card: KneeboardCard, scheme: KneeboardScheme): Promise<Buffer>;
}

/** Waits for the thread's next message, its end, or too long. */
function nextReply(worker: Worker): Promise<DrawReply> {
  return new Promise((resolve, reject) => {
    const limit = setTimeout(
      () => settle(() => reject(new Error('drawing a kneeboard card took too long'))),
      DRAW_LIMIT_MS,
    );
    const onMessage = (reply: DrawReply) => settle(() => resolve(reply));
    const onError = (error: Error) => settle(() => reject(error));
    const onExit = () => settle(() => reject(new Error('the thread that draws kneeboard cards ended')));
    function settle(finish: () => void): void {
      clearTimeout(limit);
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      finish();
    }
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
  });
}

export function createKneeboardRenderer(): KneeboardRenderer {
  let worker: Worker | null = null;
  let idle: NodeJS.Timeout | undefined;
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  const kept = new Map<string, Promise<Buffer>>();

  function endWorker(): void {
    const ended = worker;
    worker = null;
    void ended?.terminate();
  }

  async function draw(request: DrawRequest): Promise<Buffer> {
    clearTimeout(idle);
    worker ??= new Worker(new URL('./kneeboard-worker.ts', import.meta.url));
    // A drawing in progress never holds a stopping process back.
    worker.unref();
    try {
      const answered = nextReply(worker);
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      worker.postMessage(request);
      const reply = await answered;
      if ('error' in reply) throw new Error(`The kneeboard card could not be drawn: ${reply.error}`);
      return Buffer.from(reply.png);
    } catch (error) {
      endWorker();
      throw error;
    } finally {
      idle = setTimeout(endWorker, IDLE_MS).unref();
    }
  }

  /** One at a time, in the order of asking. */
  async function queue(request: DrawRequest): Promise<Buffer> {
    if (waiting >= QUEUE_MAX) throw new AppError(503, copy.busy, { retryAfterSeconds: RETRY_AFTER_SECONDS });
    waiting += 1;
    const turn = last.then(() => draw(request));
    last = turn.catch(() => undefined);
    try {
      return await turn;
    } finally {
      waiting -= 1;
    }
  }

  return {
    async render(card, scheme) {
      const request = { card, scheme };
      const key = createHash('sha256').update(JSON.stringify(request)).digest('base64');
      const drawn = kept.get(key) ?? queue(request);
      // The last asked for is the last to go.
      kept.delete(key);
      kept.set(key, drawn);
      const [oldest] = kept.keys();
      if (kept.size > KEPT_CARDS && oldest !== undefined) kept.delete(oldest);
      try {
        return await drawn;
      } catch (error) {
        if (kept.get(key) === drawn) kept.delete(key);
        throw error;
      }
    },
  };
}
