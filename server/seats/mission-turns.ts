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

interface Waiting {
  /** null for an answer that cannot come too late */
  orderId: string | null;
  go: () => void;
  refuse: (error: AppError) => void;
}

/** Those who wait, the longest waiting first, by the mission that somebody works at. */
const waitingFor = new Map<string, Set<Waiting>>();

/** @throws AppError 503 when it takes too long, and the refusal of an answer that has come too late meanwhile */
function waitForTurn(queue: Set<Waiting>, orderId: string | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = (end: () => void): void => {
      clearTimeout(limit);
      queue.delete(waiting);
      end();
    };
    const waiting: Waiting = {
      orderId,
      go: () => leave(resolve),
      refuse: (error) => leave(() => reject(error)),
    };
    const limit = setTimeout(() => {
      waiting.refuse(new AppError('BUSY', copy.busy, { retryAfterSeconds: RETRY_AFTER_SECONDS }));
    }, PATIENCE_MS);
    queue.add(waiting);
  });
}

/** What an answer needs while it waits. */
export interface Turn {
  /** the order that is answered; null for an answer that cannot come too late */
  orderId: string | null;
  /** those of these orders whose answers need no turn any more, because others came first */
  listLate: (orderIds: readonly string[]) => Promise<readonly string[]>;
  /** what they are told */
  refusal: () => AppError;
}

/** Tells all who have come too late meanwhile, and gives the turn to the one who has waited the longest. */
async function passTurn(missionId: string, queue: Set<Waiting>, { listLate, refusal }: Turn): Promise<void> {
  const orderIds = [...queue].flatMap(({ orderId }) => orderId ?? []);
  // without an answer they find out when it is their turn
  const late = new Set(orderIds.length === 0 ? [] : await listLate(orderIds).catch(() => []));
  for (const { orderId, refuse } of queue) if (orderId !== null && late.has(orderId)) refuse(refusal());
  const [next] = queue;
  if (next) next.go();
  else waitingFor.delete(missionId);
}

/**
 * Do work that locks the mission, when it is its turn. In a transaction, which may have locked it already, at once.
 * @throws AppError 503 when too many others come first, and the refusal when one of them makes it too late
 */
export async function inTurn<T>(em: Em, missionId: string, turn: Turn, work: () => Promise<T>): Promise<T> {
  if (em.isInTransaction()) return work();
  const known = waitingFor.get(missionId);
  const queue = known ?? new Set();
  if (known) await waitForTurn(known, turn.orderId);
  else waitingFor.set(missionId, queue);
  try {
    return await work();
  } finally {
    void passTurn(missionId, queue, turn);
  }
}
