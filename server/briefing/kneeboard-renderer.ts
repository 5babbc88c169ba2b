/** Kneeboard cards drawn in a thread of their own, one at a time, and kept for a while. */
import { createHash } from 'node:crypto';
import type { KneeboardScheme } from '#shared/vocabulary.ts';
import type { KneeboardCard } from '#shared/kneeboard.ts';
import type { DrawRequest } from './kneeboard-worker.ts';
import { createThreads } from '#server/platform/threads.ts';

/** What waits beyond this is told to come back: at a tenth of a second each, nobody waits longer than two. */
const QUEUE_MAX = 16;
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
      const drawn = kept.get(key) ?? threads.run(request).then((png) => Buffer.from(png));
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
