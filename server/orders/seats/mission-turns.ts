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

/** Of the waiting answers so many are given together. */
const TOGETHER_MAX = 32;

/** A shared offer that is accepted: answers for different seats can be given together. */
interface Offer {
  orderId: string;
  flightId: string;
  seatIndex: number;
}

/** An answer that waits for its turn, with the functions to refuse it early or to give it together with others. */
export interface Turn<Accepted extends Offer, Answer> {
  /** null for an answer that cannot come too late, and that is given alone */
  offer: Accepted | null;
  /** orders whose answers need no turn any more, because others came first */
  listLate: (orderIds: readonly string[]) => Promise<readonly string[]>;
  /** what they are told */
  refusal: () => AppError;
  /** accepts several offers; offers missing from its answer are handled one by one */
  together: (offers: readonly Accepted[]) => Promise<ReadonlyMap<string, Answer>>;
}

/** The end of waiting: the answer has been given by somebody else, or its turn has come, with others' offers to accept as well. */
type Call<Answer> = { given: Answer } | { others: Waiting[] };

interface Waiting {
  offer: Offer | null;
  /** somebody else works at it just now */
  isHeld: boolean;
  call: (call: Call<unknown>) => void;
  refuse: (error: AppError) => void;
}

/** Those who wait, the longest waiting first, by the mission that somebody works at. */
const waitingFor = new Map<string, Set<Waiting>>();

/** @throws AppError 503 when it takes too long, and the refusal of an answer that has come too late meanwhile */
function waitForTurn(queue: Set<Waiting>, offer: Offer | null): Promise<Call<unknown>> {
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      clearTimeout(limit);
      queue.delete(waiting);
    };
    const waiting: Waiting = {
      offer,
      isHeld: false,
      call(call) {
        leave();
        resolve(call);
      },
      refuse(error) {
        leave();
        reject(error);
      },
    };
    const limit = setTimeout(() => {
      if (!waiting.isHeld) waiting.refuse(new AppError('BUSY', copy.busy, { retryAfterSeconds: RETRY_AFTER_SECONDS }));
    }, PATIENCE_MS);
    queue.add(waiting);
  });
}

/** Those after the first who accept offers of other seats than the first one and each other. They stay in the queue meanwhile. */
function takeOthers(queue: Set<Waiting>, { offer }: Waiting): Waiting[] {
  if (offer === null) return [];
  const seats = new Set<string>();
  const taken: Waiting[] = [];
  for (const waiting of queue) {
    if (waiting.offer === null) continue;
    const seat = `${waiting.offer.flightId} ${waiting.offer.seatIndex}`;
    if (seats.has(seat)) continue;
    seats.add(seat);
    taken.push(waiting);
    if (taken.length === TOGETHER_MAX) break;
  }
  return taken.slice(1);
}

/** Tells all who have come too late meanwhile, and gives the turn to the one who has waited the longest. */
async function passTurn(
  missionId: string,
  queue: Set<Waiting>,
  { listLate, refusal }: Pick<Turn<Offer, unknown>, 'listLate' | 'refusal'>,
): Promise<void> {
  const orderIds = [...queue].flatMap(({ offer }) => offer?.orderId ?? []);
  // without an answer they find out when it is their turn
  const late = new Set(orderIds.length === 0 ? [] : await listLate(orderIds).catch(() => []));
  for (const { offer, refuse } of queue) if (offer && late.has(offer.orderId)) refuse(refusal());
  const [next] = queue;
  if (!next) {
    waitingFor.delete(missionId);
    return;
  }
  next.call({ others: takeOthers(queue, next) });
}

/** Accept an offer and others' offers together. @returns null if its own has to be handled alone */
async function workTogether<Accepted extends Offer, Answer>(
  { offer, together }: Turn<Accepted, Answer>,
  others: readonly Waiting[],
): Promise<Answer | null> {
  if (offer === null) return null;
  for (const other of others) other.isHeld = true;
  const offers = others.flatMap((other) => (other.offer as Accepted | null) ?? []);
  // what fails together is tried again one by one
  const answers = await together([offer, ...offers]).catch(() => new Map<string, Answer>());
  for (const other of others) {
    const given = other.offer ? answers.get(other.offer.orderId) : undefined;
    other.isHeld = false;
    if (given === undefined) other.offer = null;
    else other.call({ given });
  }
  return answers.get(offer.orderId) ?? null;
}

/**
 * Do work that locks the mission, when it is its turn; or have it done together with others'. In a transaction, which may have
 * locked it already, at once.
 * @throws AppError 503 when too many others come first, and the refusal when one of them makes it too late
 */
export async function inTurn<Accepted extends Offer, Answer>(
  em: Em,
  missionId: string,
  turn: Turn<Accepted, Answer>,
  work: () => Promise<Answer>,
): Promise<Answer> {
  if (em.isInTransaction()) return work();
  const known = waitingFor.get(missionId);
  const queue = known ?? new Set();
  if (!known) waitingFor.set(missionId, queue);
  const call = known ? await waitForTurn(known, turn.offer) : { others: [] };
  if ('given' in call) return call.given as Answer;
  try {
    const given = call.others.length > 0 ? await workTogether(turn, call.others) : null;
    return given ?? (await work());
  } finally {
    void passTurn(missionId, queue, turn);
  }
}
