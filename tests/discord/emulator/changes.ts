/** Waiting for something to become true, woken by every change and never by a clock. */
const PATIENCE_MS = 10_000;

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
      // one look after all that happens in this turn
      queueMicrotask(() => {
        isScheduled = false;
        for (const look of waiting) look();
      });
    },
    until: (what, condition, patienceMs = PATIENCE_MS) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(look);
          reject(new Error(`Waited ${patienceMs / 1000} s in vain until ${what}`));
        }, patienceMs);
        const look = () => {
          let isMet: boolean;
          try {
            isMet = condition();
          } catch (error) {
            waiting.delete(look);
            clearTimeout(timer);
            reject(error);
            return;
          }
          if (!isMet) return;
          waiting.delete(look);
          clearTimeout(timer);
          resolve();
        };
        waiting.add(look);
        look();
      }),
  };
}
