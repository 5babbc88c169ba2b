import { Button } from '@mantine/core';
import type { KeyboardEvent } from 'react';
import { Fact } from '#client/components/fact.tsx';
import { Placard } from '#client/components/placard.tsx';
import { StatusBadge } from '#client/components/status-badge.tsx';
import { ZTime } from '#client/components/z-time.tsx';
import { formatExpiry } from '#client/lib/time.ts';
import { useNow } from '#client/lib/use-now.ts';
import { fragLabel } from '#shared/labels.ts';
import type { FragOrderDto } from '#shared/schemas/pilot.ts';
import type { RsvpResponse } from '#shared/vocabulary.ts';
import { OrderCard } from './order-card.tsx';
import type { Answer } from './use-rsvp.ts';
import classes from './frag-card.module.css';

const ANSWERS = [
  { response: 'accepted', label: 'Accept', key: 'a' },
  { response: 'standby', label: 'Standby', key: 's' },
  { response: 'declined', label: 'Decline', key: 'd' },
] as const satisfies readonly { response: RsvpResponse; label: string; key: string }[];

interface FragCardProps {
  order: FragOrderDto;
  /** the answer on its way, shown as given */
  sending: RsvpResponse | undefined;
  onAnswer: Answer;
}

/** One pending frag order with its three answers; A, S and D answer while it has the focus. */
export function FragCard({ order, sending, onAnswer }: FragCardProps) {
  const now = useNow();
  const launch = order.launchUtc ?? order.startUtc;

  const answer = (response: RsvpResponse): void => {
    if (sending === undefined) {
      onAnswer(order, response);
    }
  };
  const answerByKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) {
      return;
    }
    const choice = ANSWERS.find(({ key }) => key === event.key.toLowerCase());
    if (choice) {
      event.preventDefault();
      answer(choice.response);
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
      facts={
        <Fact label={order.launchUtc === null ? 'Start' : 'Launch'}>
          <ZTime iso={launch} withDate />
        </Fact>
      }
      onKeyDown={answerByKey}
    >
      {order.reasons.length > 0 && (
        <p className={classes.why}>
          <Placard>Why you</Placard> {order.reasons.join(' ')}
        </p>
      )}
      <div className={classes.answers} role="group" aria-label={`Answer ${fragLabel(order.seq)}`}>
        {ANSWERS.map(({ response, label, key }) => (
          <Button
            key={response}
            variant={response === 'accepted' ? 'filled' : 'default'}
            color={response === 'accepted' ? 'green' : undefined}
            className={classes.answer}
            aria-keyshortcuts={key.toUpperCase()}
            // Not `disabled`: a disabled button would lose the keyboard's place.
            aria-disabled={sending !== undefined || undefined}
            data-disabled={sending !== undefined || undefined}
            onClick={() => answer(response)}
          >
            {label}
          </Button>
        ))}
      </div>
    </OrderCard>
  );
}
