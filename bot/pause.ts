/** A wait that can be cut short. */
export interface Pause {
  /** Resolve after so many milliseconds, or when woken; at once when it was woken in the meantime. */
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

/** Doubles from `minMs` to `maxMs`. @param failures how often it has gone wrong in a row, from 1 */
export function backOff(failures: number, minMs: number, maxMs: number): number {
  return Math.min(maxMs, minMs * 2 ** Math.min(failures - 1, 20));
}
