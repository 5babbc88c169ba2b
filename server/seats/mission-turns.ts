/**
 * Turns at a mission's lock. Of the answers to one mission only one at a time holds a connection of the pool: others would wait
 * for the lock with one, which slows down the holder and leaves none for the rest of this process.
 */
import type { Em } from '#server/schema/orm.ts';
import { AppError } from '#server/platform/errors.ts';
import { copy } from '#shared/copy.ts';

/** Waiting here costs nothing, so it may take longer than waiting for a connection or a lock. */
const PATIENCE_MS = 10_000;
const RETRY_AFTER_SECONDS = 2;

/** Callbacks of those who wait, the longest waiting first, by the mission that somebody works at. */
const waitingFor = new Map<string, Set<() => void>>();

/** @throws AppError 503 when it takes too long */
function waitForTurn(waiting: Set<() => void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const go = (): void => {
      clearTimeout(limit);
      resolve();
    };
    const limit = setTimeout(() => {
      waiting.delete(go);
      reject(new AppError('BUSY', copy.busy, { retryAfterSeconds: RETRY_AFTER_SECONDS }));
    }, PATIENCE_MS);
    waiting.add(go);
  });
}

/** Gives the turn to the one who has waited the longest. */
function passTurn(missionId: string, waiting: Set<() => void>): void {
  const [next] = waiting;
  if (next) {
    waiting.delete(next);
    next();
    return;
  }
  waitingFor.delete(missionId);
}

/**
 * Do work that locks the mission, when it is its turn. In a transaction, which may have locked it already, at once.
 * @throws AppError 503 when too many others come first
 */
export async function inTurn<T>(
  em: Em,
  missionId: string,
  work: (turn: { hasWaited: boolean }) => Promise<T>,
): Promise<T> {
  if (em.isInTransaction()) return work({ hasWaited: false });
  const known = waitingFor.get(missionId);
  const waiting = known ?? new Set();
  if (known) await waitForTurn(known);
  else waitingFor.set(missionId, waiting);
  try {
    return await work({ hasWaited: known !== undefined });
  } finally {
    passTurn(missionId, waiting);
  }
}
