import { useId, type KeyboardEventHandler, type ReactNode } from 'react';
import { Badge } from '#client/domain-ui/status-badge.tsx';
import { fragLabel } from '#shared/labels.ts';
import { asksAgain } from '#shared/order-changes.ts';
import type { FragOrderDto } from '#shared/schemas/pilot.ts';
import type { RsvpResponse } from '#shared/vocabulary.ts';
import { ChangePlate } from './change-plate.tsx';
import { useHomeLinks } from './home-links.tsx';
import { stateSentence } from './order-state.ts';
import classes from './order-card.module.css';

interface OrderCardProps {
  order: FragOrderDto;
  /** the answer that is being sent, shown as if it were saved */
  sending: RsvpResponse | undefined;
  /** to the right of the name: the time left to answer, or the answer */
  aside: ReactNode;
  /** the line below the name */
  seat: string;
  /** the row of facts */
  facts: ReactNode;
  /** lays out the `dl` of the facts */
  className: string | undefined;
  onKeyDown?: KeyboardEventHandler;
  children: ReactNode;
}

/** A frag order in a list: its label, which links to the order page, and its mission; the lamp at the edge shows the answer. */
export function OrderCard({ order, sending, aside, seat, facts, className, onKeyDown, children }: OrderCardProps) {
  const id = useId();
  const { OrderLink } = useHomeLinks();
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- shortcuts for the buttons inside
    <article
      tabIndex={-1}
      aria-labelledby={id}
      aria-busy={sending !== undefined}
      data-order={order.id}
      data-answer={sending ?? order.rsvp}
      className={`${classes.card} ${className}`}
      onKeyDown={onKeyDown}
    >
      <div className={classes.head}>
        <h3 id={id} className={classes.title}>
          <OrderLink id={order.id} className={classes.label}>
            {fragLabel(order.seq)}
          </OrderLink>{' '}
          {order.missionName}
        </h3>
        {order.isPractice && (
          <span className={classes.practice}>
            <Badge signal="cyan">Practice</Badge>
          </span>
        )}
        {aside}
      </div>
      <p className={classes.seat}>{seat}</p>
      {order.changes.length > 0 && (
        <div className={classes.changes}>
          {order.rsvp === 'pending' && asksAgain(order, order.changes) && (
            <p className={classes.again}>{stateSentence(order, 'pending')}</p>
          )}
          <ChangePlate order={order} />
        </div>
      )}
      <div className={classes.facts}>{facts}</div>
      {children}
    </article>
  );
}
