import { useRef, useState } from 'react';
import { errorMessage } from '#client/lib/errors.ts';
import { showToast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import type { FragOrderDto } from '#shared/schemas/pilot.ts';
import type { RsvpResponse } from '#shared/vocabulary.ts';
import { homeCopy, RSVP_WORDS } from './home-copy.ts';

/** Answers on their way to the server, by order id. */
export type Sending = Readonly<Record<string, RsvpResponse>>;

export type Answer = (order: FragOrderDto, response: RsvpResponse) => void;

/**
 * Send answers. What `sending` holds is shown as if it had happened; it leaves `sending` when the server has answered, so
 * a refusal needs no rolling back. Every outcome is a toast; giving a seat away can be undone from it.
 */
export function useRsvp(): { sending: Sending; answer: Answer } {
  const utils = trpc.useUtils();
  const rsvp = trpc.pilot.rsvp.useMutation();
  const [sending, setSending] = useState<Sending>({});
  const inFlight = useRef(new Set<string>());

  const send: (order: FragOrderDto, response: RsvpResponse) => Promise<void> = async (order, response) => {
    if (inFlight.current.has(order.id)) {
      return;
    }
    inFlight.current.add(order.id);
    setSending((current) => ({ ...current, [order.id]: response }));
    // A poll under way would bring back what was before the answer.
    await Promise.all([utils.pilot.inbox.cancel(), utils.pilot.accepted.cancel()]);
    try {
      const answered = await rsvp.mutateAsync({ id: order.id, response });
      keepAnswer(utils, answered);
      const isConfirm = order.rsvp === 'accepted' && response === 'accepted';
      showToast(
        isConfirm ? `Confirmed: ${answered.label}` : `RSVP sent: ${RSVP_WORDS[response]}`,
        response === 'accepted'
          ? {}
          : {
              signal: 'yellow',
              action: { label: 'Undo', onClick: () => void send(answered, 'accepted') },
            },
      );
    } catch (cause) {
      showToast(errorMessage(cause, homeCopy.rsvpFailed), { signal: 'red' });
    } finally {
      inFlight.current.delete(order.id);
      setSending((current) => Object.fromEntries(Object.entries(current).filter(([id]) => id !== order.id)));
      void utils.pilot.inbox.invalidate();
      void utils.pilot.inboxStatus.invalidate();
      void utils.pilot.accepted.invalidate();
    }
  };

  return { sending, answer: (order, response) => void send(order, response) };
}

/** The answered order takes its place in every list at once; the lists are read again after it. */
function keepAnswer(utils: ReturnType<typeof trpc.useUtils>, answered: FragOrderDto): void {
  utils.pilot.inbox.setData(undefined, (orders) => orders?.filter(({ id }) => id !== answered.id));
  utils.pilot.inbox.setData({ includeCompleted: true }, (orders) =>
    orders?.map((order) => (order.id === answered.id ? answered : order)),
  );
  utils.pilot.accepted.setData(undefined, (missions) =>
    missions?.flatMap((mission) =>
      mission.id !== answered.id ? [mission] : answered.rsvp === 'accepted' ? [{ ...mission, ...answered }] : [],
    ),
  );
}
