/** The kneeboard renderer: draws cards in a worker thread, one at a time, and caches them. */
import { createHash } from 'node:crypto';
import type { KneeboardScheme } from '#shared/vocabulary.ts';
import type { KneeboardCard } from '#shared/kneeboard-content.ts';
import type { DrawRequest } from './kneeboard-worker.ts';
import { createThreads } from '#server/platform/threads.ts';

/** More waiting cards are refused with 503. At a tenth of a second each, a request waits two seconds for its turn. */
const QUEUE_MAX = 16;
/** Size of the cache; a card has about 60 KB. */
const KEPT_CARDS = 64;
/** The idle time after which the thread, which holds fonts and two WebAssembly memories, ends. */
const IDLE_MS = 60_000;
/**
 * With the start of the thread, which takes one to two seconds of processor time: the thread yields to everything else, so on a
 * busy machine that is half a minute. A thread that ends at its limit starts again for the next card.
 */
const DRAW_LIMIT_MS = 90_000;

export interface KneeboardRenderer {
  /**
   * The card as PNG, 768 x 1024 px. Equal cards are drawn only once.
   * @throws AppError 503 when too many cards wait
   */
  render(card: KneeboardCard, scheme: KneeboardScheme): Promise<Buffer>;
}

export function createKneeboardRenderer(): KneeboardRenderer {
  const threads = createThreads<DrawRequest, Uint8Array>(new URL('./kneeboard-worker.ts', import.meta.url), {
    threads: 1,
    tasksMax: QUEUE_MAX,
    limitMs: DRAW_LIMIT_MS,
    idleMs: IDLE_MS,
  });
  const kept = new Map<string, Promise<Buffer>>();

  return {
    async render(card, scheme) {
      const request = { card, scheme };
      const key = createHash('sha256').update(JSON.stringify(request)).digest('base64');
      const drawn = kept.get(key) ?? threads.run(() => request).then((png) => Buffer.from(png));
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
