import { failureOf, type Failure } from '#client/lib/failure.ts';
import { trpc } from '#client/lib/trpc.ts';
import type { FragOrderDto } from '#shared/schemas/pilot.ts';
import type { RsvpResponse } from '#shared/vocabulary.ts';
import { orderCopy } from './order-text.ts';

/** The result of an answer: the updated order, or why it was refused. */
export type Sent = { answered: FragOrderDto } | { refused: Failure | string };

/** Send an answer to an order; never rejects. The lists are up to date when it resolves. */
export type Send = (order: FragOrderDto, response: RsvpResponse) => Promise<Sent>;

/** Sends answers to the server. */
export function useSend(): Send {
  const utils = trpc.useUtils();
  const rsvp = trpc.pilot.rsvp.useMutation();
  return async ({ id, changedAt }, response) => {
    // The response of a running poll would restore the state before the answer.
    await Promise.all([utils.pilot.inbox.cancel(), utils.pilot.accepted.cancel(), utils.pilot.order.cancel({ id })]);
    try {
      const answered = await rsvp.mutateAsync({ id, response, seen: changedAt });
      keepAnswer(utils, answered);
      return { answered };
    } catch (cause) {
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
function keepAnswer(utils: ReturnType<typeof trpc.useUtils>, answered: FragOrderDto): void {
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
