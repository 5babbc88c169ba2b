/** Waits for a condition, which is checked after every change; the clock only limits the wait. */
const PATIENCE_MS = 10_000;
const TICK_MS = 50;

export interface Changes {
  changed: () => void;
  until: (what: string, condition: () => boolean, patienceMs?: number) => Promise<void>;
}

export function createChanges(): Changes {
  const waiting = new Set<() => void>();
  let isScheduled = false;
  return {
    changed: () => {
      if (isScheduled) return;
      isScheduled = true;
      // one check after all changes of this turn
      queueMicrotask(() => {
        isScheduled = false;
        for (const look of waiting) look();
      });
    },
    until: (what, condition, patienceMs = PATIENCE_MS) =>
      new Promise((resolve, reject) => {
        let left = patienceMs;
        let tickedMs = Date.now();
        // time during which this process was suspended on a busy machine does not count
        const ticks = setInterval(() => {
          left -= Math.min(Date.now() - tickedMs, 2 * TICK_MS);
          tickedMs = Date.now();
          if (left <= 0) end(() => reject(new Error(`Waited ${patienceMs / 1000} s in vain until ${what}`)));
        }, TICK_MS);
        const end = (settle: () => void) => {
          waiting.delete(look);
          clearInterval(ticks);
          settle();
        };
        const look = () => {
          try {
            if (condition()) end(resolve);
          } catch (error) {
            end(() => reject(error));
          }
        };
        waiting.add(look);
        look();
      }),
  };
}
