import type { KeyboardEvent } from 'react';
import { StatusBadge } from '#client/domain-ui/status-badge.tsx';
import { formatExpiry } from '#client/lib/time.ts';
import { useNow } from '#client/lib/use-now.ts';
import type { FragOrderDto } from '#shared/schemas/pilot.ts';
import type { RsvpResponse } from '#shared/vocabulary.ts';
import { AnswerButtons, answerOfKey } from '#client/features/order/answer-buttons.tsx';
import { OrderCard } from '#client/features/order/order-card.tsx';
import { InboxFacts, Reasons } from '#client/features/order/order-parts.tsx';
import type { Answer } from '#client/features/order/use-answers.ts';
import classes from './frag-card.module.css';

interface FragCardProps {
  order: FragOrderDto;
  /** answer being sent, shown as if it were stored */
  sending: RsvpResponse | undefined;
  onAnswer: Answer;
}

/** Card of a pending frag order with its three answers; the keys A, S and D answer while it has the focus. */
export function FragCard({ order, sending, onAnswer }: FragCardProps) {
  const now = useNow();

  const answerByKey = (event: KeyboardEvent): void => {
    const response = answerOfKey(event);
    if (response !== undefined) {
      event.preventDefault();
      onAnswer(order, response);
    }
  };

  return (
    <OrderCard
      order={order}
      sending={sending}
      className={classes.card}
      aside={
        sending === undefined ? (
          <span className={classes.expiry}>{formatExpiry(order.expiresAt, now)}</span>
        ) : (
          <StatusBadge kind="rsvp" value={sending} />
        )
      }
      seat={`${order.title} · ${order.theater}`}
      facts={<InboxFacts order={order} />}
      onKeyDown={answerByKey}
    >
      <div className={classes.parts}>
        <Reasons order={order} />
        <AnswerButtons order={order} busy={sending !== undefined} onAnswer={(response) => onAnswer(order, response)} />
      </div>
    </OrderCard>
  );
}
