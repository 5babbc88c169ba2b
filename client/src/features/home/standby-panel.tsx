import type { ReactNode } from 'react';
import { Panel } from '#client/components/panel.tsx';
import { Badge, StatusBadge } from '#client/domain-ui/status-badge.tsx';
import { Term } from '#client/domain-ui/term.tsx';
import { ZTime } from '#client/domain-ui/z-time.tsx';
import { fragLabel } from '#shared/labels.ts';
import type { FragOrderDto } from '#shared/schemas/pilot.ts';
import type { RsvpResponse } from '#shared/vocabulary.ts';
import { ChangePlate } from '#client/features/order/change-plate.tsx';
import { useHomeLinks } from '#client/features/order/home-links.tsx';
import { queuePlace } from '#client/features/order/order-state.ts';
import { SeatlessActions } from '#client/features/order/seatless-actions.tsx';
import type { Answer, Sending } from '#client/features/order/use-answers.ts';
import { useFocusAfterRemoval } from './use-focus-after-removal.ts';
import classes from './standby-panel.module.css';

interface StandbyPanelProps {
  /** standby orders of upcoming missions */
  orders: readonly FragOrderDto[];
  sending: Sending;
  onAnswer: Answer;
  /** the open seat of the order's mission, which its row offers */
  openSeat: ((order: FragOrderDto) => ReactNode) | undefined;
}

/** Panel of standby orders with the place in each queue. */
export function StandbyPanel({ orders, sending, onAnswer, openSeat }: StandbyPanelProps) {
  const { ref, onFocus } = useFocusAfterRemoval(orders.map(({ id }) => id));
  return (
    <Panel
      title={
        <>
          On <Term word="standby">standby</Term>
        </>
      }
      flush
    >
      <div ref={ref} tabIndex={-1} className={classes.list} onFocus={onFocus}>
        {orders.map((order) => (
          <StandbyRow
            key={order.id}
            order={order}
            sending={sending[order.id]}
            onAnswer={onAnswer}
            openSeat={openSeat?.(order)}
          />
        ))}
      </div>
    </Panel>
  );
}

interface StandbyRowProps {
  order: FragOrderDto;
  sending: RsvpResponse | undefined;
  onAnswer: Answer;
  openSeat: ReactNode;
}

function StandbyRow({ order, sending, onAnswer, openSeat }: StandbyRowProps) {
  const { OrderLink } = useHomeLinks();
  const label = fragLabel(order.seq);
  return (
    <article
      tabIndex={-1}
      aria-label={`${label} ${order.missionName}`}
      aria-busy={sending !== undefined}
      data-order={order.id}
      className={classes.row}
    >
      <div className={classes.what}>
        <h3 className={classes.title}>
          <OrderLink id={order.id} className={classes.label}>
            {label}
          </OrderLink>{' '}
          {order.missionName}
        </h3>
        <p className={classes.seat}>
          {order.title} · <ZTime iso={order.launchUtc ?? order.startUtc} withDate copyable={false} />
        </p>
      </div>
      {sending === undefined ? (
        <Badge signal="yellow">{queuePlace(order)}</Badge>
      ) : (
        <StatusBadge kind="rsvp" value={sending} />
      )}
      <ChangePlate order={order} />
      {openSeat}
      <SeatlessActions order={order} sending={sending} onAnswer={onAnswer} />
    </article>
  );
}
