/** Sends what is kept on this device. Loads once something is to be sent. */
import type { QueryClient } from '@tanstack/react-query';
import { youAreIn } from '#shared/labels.ts';
import type { Rsvp } from '#shared/vocabulary.ts';
import { isNoAnswer } from './connection.ts';
import { errorCode, errorStatus } from './errors.ts';
import { failureOf } from './failure.ts';
import { keyed, newKey, onceClient } from './idempotent-client.ts';
import { ANSWER_MS, dropKept, isStillKept, keep, listKept, type Kept, type KeptAnswer, type KeptWeek } from './kept.ts';
import { showToast } from './toast.ts';
import { trpcClient } from './trpc.ts';

const LOCK = 'marshal-kept';

const NOW_WORDS: Record<Rsvp, string> = {
  pending: 'pending',
  accepted: 'accepted',
  standby: 'on standby',
  declined: 'declined',
};

/** A read or a write that the query client knows about, as it does about the calls of pages: a lost session leads to /login. */
function ask<Answer>(client: QueryClient, call: (signal: AbortSignal) => Promise<Answer>): Promise<Answer> {
  return client.fetchQuery({
    queryKey: ['kept', newKey()],
    queryFn: () => call(AbortSignal.timeout(ANSWER_MS)),
    retry: false,
    gcTime: 0,
  });
}

/** True for a failure that says nothing about what was sent: it is sent again later. */
function isForLater(cause: unknown): boolean {
  return isNoAnswer(cause) || errorStatus(cause) === 429 || errorCode(cause) === 'NOT_AUTHENTICATED';
}

/** True if the order already is as this answer would make it: its response was lost. */
function isDone({ response, from }: KeptAnswer, order: { rsvp: Rsvp; confirmedAt: string | null }): boolean {
  const isConfirmation = response === 'accepted' && from[0] === 'accepted';
  return order.rsvp === response && !(isConfirmation && order.confirmedAt === null);
}

async function sendAnswer(client: QueryClient, userId: string, kept: KeptAnswer): Promise<void> {
  const { orderId: id, response, seen, from, key, word, name } = kept;
  // The server forgets keys after a day, and the pilot may have answered elsewhere: the order decides.
  const order = await ask(client, (signal) => trpcClient.pilot.order.query({ id }, { signal }));
  if (!isDone(kept, order)) {
    if (!from.includes(order.rsvp)) {
      const sentence = `The order changed meanwhile and is now ${NOW_WORDS[order.rsvp]}. Answer again if you still want to.`;
      keep(userId, { ...kept, refused: { sentence, way: null } });
      return;
    }
    if (!isStillKept(userId, kept)) return;
    await ask(client, (signal) => onceClient.pilot.rsvp.mutate({ id, response, seen }, { ...keyed(key), signal }));
  }
  dropKept(userId, kept);
  const said = response === 'accepted' && from[0] !== 'accepted' ? youAreIn(order) : `RSVP sent: ${word}`;
  showToast(`${said} (${name})`);
}

async function sendWeek(client: QueryClient, userId: string, kept: KeptWeek): Promise<void> {
  const { slots, version } = kept;
  await ask(client, (signal) =>
    trpcClient.availability.saveWeek.mutate({ id: userId, slots: [...slots], version }, { signal }),
  );
  dropKept(userId, kept);
  showToast('Your week is saved');
}

/** @returns false if it is to be sent again later */
async function send(client: QueryClient, userId: string, kept: Kept): Promise<boolean> {
  const isWeek = !('orderId' in kept);
  try {
    await (isWeek ? sendWeek(client, userId, kept) : sendAnswer(client, userId, kept));
  } catch (cause) {
    if (isForLater(cause)) return false;
    const refused = failureOf(cause, 'The server refused it.');
    if (isStillKept(userId, kept)) {
      keep(userId, { ...kept, refused, ...(isWeek && errorCode(cause) === 'CHANGED' && { isConflict: true }) });
    }
  }
  return true;
}

async function sendAll(client: QueryClient, userId: string): Promise<boolean> {
  // Another account may have signed in, in another tab, since this page learnt who is.
  const { id } = await ask(client, (signal) => trpcClient.auth.me.query(undefined, { signal }));
  if (id !== userId) return true;
  for (;;) {
    // Read again each time: it may have been taken back or replaced.
    const next = listKept(userId).find(({ refused }) => refused === undefined);
    if (next === undefined) return true;
    if (!(await send(client, userId, next))) return false;
  }
}

/**
 * Sends what is kept for this account, one after the other, in one tab at a time; never rejects. Where the browser has no locks
 * (without TLS), the Idempotency-Key keeps an answer of two tabs from counting twice.
 * @returns false if something is to be sent again later
 */
export async function sendKept(client: QueryClient, userId: string): Promise<boolean> {
  const work = (): Promise<boolean> => sendAll(client, userId).catch(() => false);
  const locks = navigator.locks as LockManager | undefined;
  return locks === undefined ? work() : locks.request(LOCK, work);
}
