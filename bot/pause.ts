/** Interruptible wait. */
export interface Pause {
  /** Resolves after `ms`, or when woken; at once if it was woken since the last wait. */
  wait: (ms: number) => Promise<void>;
  wake: () => void;
}

export function createPause(): Pause {
  let isWoken = false;
  let end: (() => void) | null = null;
  return {
    async wait(ms) {
      if (!isWoken) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          end = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      end = null;
      isWoken = false;
    },
    wake() {
      isWoken = true;
      end?.();
    },
  };
}

/** Exponential back-off from `minMs` to `maxMs`. @param failures consecutive failures, from 1 */
export function backOff(failures: number, minMs: number, maxMs: number): number {
  return Math.min(maxMs, minMs * 2 ** Math.min(failures - 1, 20));
}
