import { useNow } from '#client/lib/use-now.ts';
import { fragLabel } from '#shared/labels.ts';
import type { FragOrderDto } from '#shared/schemas/pilot.ts';
import type { RsvpResponse } from '#shared/vocabulary.ts';
import { OrderButton } from './answer-buttons.tsx';
import { WaitingAnswer } from './kept-answer.tsx';
import { openAnswers } from './order-state.ts';
import type { Answer } from './use-answers.ts';
import classes from './seatless-actions.module.css';

const LABELS: Record<RsvpResponse, string> = { accepted: 'Accept', standby: 'Standby', declined: 'Leave the queue' };

interface SeatlessActionsProps {
  /** an order on standby, or declined */
  order: FragOrderDto;
  sending: RsvpResponse | undefined;
  onAnswer: Answer;
}

/** Buttons of an order without a seat: take one (the server checks if one is free), join the queue or leave it. */
export function SeatlessActions({ order, sending, onAnswer }: SeatlessActionsProps) {
  const now = useNow();
  return (
    <>
      <WaitingAnswer orderId={order.id} />
      <div className={classes.actions} role="group" aria-label={`Answer ${fragLabel(order.seq)}`}>
        {openAnswers(order, now).map((response) => (
          <OrderButton key={response} busy={sending !== undefined} onClick={() => onAnswer(order, response)}>
            {LABELS[response]}
          </OrderButton>
        ))}
      </div>
    </>
  );
}
