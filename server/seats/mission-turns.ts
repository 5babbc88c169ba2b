/**
 * Turns at a mission's lock. Of the answers that wait for one mission only a few hold a connection of the pool: all others
 * would leave none for the rest of this process.
 */
import type { Em } from '#server/schema/orm.ts';
import { AppError } from '#server/platform/errors.ts';
import { copy } from '#shared/copy.ts';

const AT_A_TIME = 4;
/** Waiting here costs nothing, so it may take longer than waiting for a connection or a lock. */
const PATIENCE_MS = 10_000;
const RETRY_AFTER_SECONDS = 2;

interface Turns {
  running: number;
  /** callbacks of those who wait, the longest waiting first */
  waiting: Set<() => void>;
}

const turnsOf = new Map<string, Turns>();

/** @throws AppError 503 when it takes too long */
function waitForTurn({ waiting }: Turns): Promise<void> {
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
function passTurn(missionId: string, turns: Turns): void {
  const [next] = turns.waiting;
  if (next) {
    turns.waiting.delete(next);
    next();
    return;
  }
  turns.running -= 1;
  if (turns.running === 0) turnsOf.delete(missionId);
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
  const turns = turnsOf.getOrInsertComputed(missionId, (): Turns => ({ running: 0, waiting: new Set() }));
  const hasWaited = turns.running >= AT_A_TIME;
  if (hasWaited) await waitForTurn(turns);
  else turns.running += 1;
  try {
    return await work({ hasWaited });
  } finally {
    passTurn(missionId, turns);
  }
}
