import { useMutation } from '@tanstack/react-query';
import { isNoAnswer } from '#client/lib/connection.ts';
import { errorCode } from '#client/lib/errors.ts';
import { failureOf, type Failure } from '#client/lib/failure.ts';
import { keyed, newKey, onceClient } from '#client/lib/idempotent-client.ts';
import { ANSWER_MS, dropKept, findAnswer, keep, listKept } from '#client/lib/kept.ts';
import { useSignedInViewer } from '#client/lib/session.ts';
import { trpc } from '#client/lib/trpc.ts';
import { fragLabel } from '#shared/labels.ts';
import type { FragOrderDto } from '#shared/schemas/pilot.ts';
import type { RsvpResponse } from '#shared/vocabulary.ts';
import { answerWord, orderCopy } from './order-text.ts';

/** The result of an answer: the updated order, or why it was refused; or it is kept on this device until it can be sent. */
export type Sent = { answered: FragOrderDto } | { refused: Failure | string } | { kept: true };

/** Send an answer to an order; never rejects. The lists are up to date when it resolves. */
export type Send = (order: FragOrderDto, response: RsvpResponse) => Promise<Sent>;

/** Keep an answer until it can be sent. @returns false where the browser stores nothing */
function keepAnswer(userId: string, order: FragOrderDto, response: RsvpResponse, key: string): boolean {
  const earlier = findWaiting(userId, order.id);
  if (earlier?.response === response) return true;
  return keep(userId, {
    key,
    orderId: order.id,
    name: `${fragLabel(order.seq)} ${order.missionName}`,
    response,
    word: answerWord(order.rsvp, response),
    seen: order.changedAt,
    // The one that is replaced may have reached the server, although no response came back.
    from: [order.rsvp, ...(earlier ? [...earlier.from, earlier.response] : [])],
  });
}

function findWaiting(userId: string, orderId: string) {
  const kept = findAnswer(listKept(userId), orderId);
  return kept?.refused === undefined ? kept : undefined;
}

/** Sends answers to the server. */
export function useSend(): Send {
  const { id: userId } = useSignedInViewer();
  const utils = trpc.useUtils();
  const rsvp = useMutation({
    mutationFn: ({ key, ...input }: { key: string; id: string; response: RsvpResponse; seen: string | null }) =>
      onceClient.pilot.rsvp.mutate(input, { ...keyed(key), signal: AbortSignal.timeout(ANSWER_MS) }),
  });
  return async (order, response) => {
    const { id, changedAt } = order;
    const key = newKey();
    // What waits is sent in one place only, so this answer waits in its stead.
    const isForLater = !navigator.onLine || findWaiting(userId, id) !== undefined;
    if (isForLater && keepAnswer(userId, order, response, key)) return { kept: true };
    // The response of a running poll would restore the state before the answer.
    await Promise.all([utils.pilot.inbox.cancel(), utils.pilot.accepted.cancel(), utils.pilot.order.cancel({ id })]);
    try {
      const answered = await rsvp.mutateAsync({ key, id, response, seen: changedAt });
      showAnswer(utils, answered);
      const refused = findAnswer(listKept(userId), id);
      if (refused) dropKept(userId, refused);
      return { answered };
    } catch (cause) {
      const isUnheard = isNoAnswer(cause) || errorCode(cause) === 'NOT_AUTHENTICATED';
      if (isUnheard && keepAnswer(userId, order, response, key)) return { kept: true };
      return { refused: failureOf(cause, orderCopy.rsvpFailed) };
    } finally {
      void utils.pilot.inbox.invalidate();
      void utils.pilot.inboxStatus.invalidate();
      void utils.pilot.accepted.invalidate();
      void utils.pilot.order.invalidate({ id });
    }
  };
}

/** Update the order in every list without waiting for the lists to be fetched again. */
function showAnswer(utils: ReturnType<typeof trpc.useUtils>, answered: FragOrderDto): void {
  const { id } = answered;
  utils.pilot.inbox.setData(undefined, (orders) => orders?.filter((order) => order.id !== id));
  utils.pilot.inbox.setData({ includeCompleted: true }, (orders) =>
    orders?.map((order) => (order.id === id ? answered : order)),
  );
  utils.pilot.accepted.setData(undefined, (missions) =>
    missions?.flatMap((mission) =>
      mission.id !== id ? [mission] : answered.rsvp === 'accepted' ? [{ ...mission, ...answered }] : [],
    ),
  );
  utils.pilot.order.setData({ id }, (order) => order && { ...order, ...answered });
}
