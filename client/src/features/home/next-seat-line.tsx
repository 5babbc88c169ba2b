import { ZTime } from '#client/domain-ui/z-time.tsx';
import { OrderButton } from '#client/features/order/answer-buttons.tsx';
import { useHomeLinks } from '#client/features/order/home-links.tsx';
import { useIsKept } from '#client/features/order/kept-answer.tsx';
import type { Answer } from '#client/features/order/use-answers.ts';
import { useKeptFocus } from '#client/features/order/use-kept-focus.ts';
import { useReaderZone } from '#client/lib/reader-zone.ts';
import { formatDuration } from '#client/lib/time.ts';
import { placeName, shortPlace } from '#shared/labels.ts';
import type { FragOrderDto } from '#shared/schemas/pilot.ts';
import { dayWord } from './next-seat.ts';
import classes from './next-seat-line.module.css';

interface NextSeatLineProps {
  order: FragOrderDto;
  now: Date;
  /** an answer to it is being sent */
  isSending: boolean;
  onAnswer: Answer;
}

/** `Tonight 1930Z · Hornet 1-3 · in 2 h`, with the one thing to do: accept, confirm, or else open the order. */
export function NextSeatLine({ order, now, isSending, onAnswer }: NextSeatLineProps) {
  const zone = useReaderZone();
  const { OrderLink } = useHomeLinks();
  const { ref, onFocus } = useKeptFocus();
  const isKept = useIsKept(order.id);
  const leftMs = Date.parse(order.startUtc) - now.getTime();
  const label =
    isKept || leftMs <= 0 ? null : order.rsvp === 'pending' ? 'Accept' : order.confirmedAt === null ? 'Confirm' : null;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- tracks the focus
    <div ref={ref} tabIndex={-1} role="group" aria-label="Your next seat" className={classes.line} onFocus={onFocus}>
      <p className={classes.words}>
        <strong>{dayWord(order.startUtc, now, zone)}</strong> <ZTime iso={order.startUtc} copyable={false} /> ·{' '}
        <span className={classes.place}>{shortPlace(order)}</span>
        {leftMs > 0 && ` · in ${formatDuration(leftMs)}`}
      </p>
      {label === null ? (
        <OrderLink id={order.id} className={classes.open}>
          Open order
        </OrderLink>
      ) : (
        <OrderButton
          signal="green"
          className={classes.action}
          busy={isSending}
          label={`${label} ${placeName(order)}`}
          onClick={() => onAnswer(order, 'accepted')}
        >
          {label}
        </OrderButton>
      )}
    </div>
  );
}
