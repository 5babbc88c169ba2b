import { useRef, useState } from 'react';
import { toastFailure } from '#client/lib/failure.ts';
import { showToast } from '#client/lib/toast.ts';
import { youAreIn } from '#shared/labels.ts';
import type { FragOrderDto } from '#shared/schemas/pilot.ts';
import type { Rsvp, RsvpResponse } from '#shared/vocabulary.ts';
import { RSVP_WORDS } from './order-text.ts';
import type { Send } from './use-send.ts';

/** Answers that are being sent, by order id. */
export type Sending = Readonly<Record<string, RsvpResponse>>;

export type Answer = (order: FragOrderDto, response: RsvpResponse) => void;

/** The answer that the toast's button gives, by the previous one. Nobody can return to "pending", so that is accepting. */
const UNDO: Record<Rsvp, RsvpResponse> = {
  pending: 'accepted',
  accepted: 'accepted',
  standby: 'standby',
  declined: 'declined',
};

/**
 * Send answers. An answer in `sending` is shown as if it were saved; it leaves `sending` when the outcome is known, so a
 * refusal needs no rollback. Every outcome is a toast; one about giving up a seat or a place in the queue has a
 * button that gives another answer, and says so.
 */
export function useAnswers(send: Send): { sending: Sending; answer: Answer } {
  const [sending, setSending] = useState<Sending>({});
  const inFlight = useRef(new Set<string>());

  const deliver: (order: FragOrderDto, response: RsvpResponse) => Promise<void> = async (order, response) => {
    if (inFlight.current.has(order.id)) {
      return;
    }
    inFlight.current.add(order.id);
    setSending((current) => ({ ...current, [order.id]: response }));
    const sent = await send(order, response);
    inFlight.current.delete(order.id);
    setSending((current) => Object.fromEntries(Object.entries(current).filter(([id]) => id !== order.id)));
    if ('kept' in sent) {
      // the order says so
      return;
    }
    if ('refused' in sent) {
      toastFailure(sent.refused);
      return;
    }
    const { answered } = sent;
    if (response === 'accepted') {
      showToast(order.rsvp === 'accepted' ? `Confirmed: ${answered.label}` : youAreIn(answered));
      return;
    }
    showToast(`RSVP sent: ${RSVP_WORDS[response]}`, {
      signal: 'yellow',
      action: {
        label: order.rsvp === 'pending' ? 'Accept instead' : 'Undo',
        onClick: () => void deliver(answered, UNDO[order.rsvp]),
      },
    });
  };

  return { sending, answer: (order, response) => void deliver(order, response) };
}
