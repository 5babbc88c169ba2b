import { fragLabel } from '#shared/labels.ts';
import type { FragOrderDto } from '#shared/schemas/pilot.ts';
import type { RsvpResponse } from '#shared/vocabulary.ts';
import { OrderButton } from './answer-buttons.tsx';
import type { Answer } from './use-answers.ts';
import classes from './standby-actions.module.css';

interface StandbyActionsProps {
  order: FragOrderDto;
  sending: RsvpResponse | undefined;
  onAnswer: Answer;
}

/** Take a seat if one is free (the server knows), or leave the queue. */
export function StandbyActions({ order, sending, onAnswer }: StandbyActionsProps) {
  const busy = sending !== undefined;
  return (
    <div className={classes.actions} role="group" aria-label={`Answer ${fragLabel(order.seq)}`}>
      <OrderButton busy={busy} onClick={() => onAnswer(order, 'accepted')}>
        Accept
      </OrderButton>
      <OrderButton busy={busy} onClick={() => onAnswer(order, 'declined')}>
        Leave the queue
      </OrderButton>
    </div>
  );
}
