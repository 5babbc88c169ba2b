import { IconInbox } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { LinkButton } from '#client/components/link-button.tsx';
import { Loaded, type Loadable } from '#client/components/loaded.tsx';
import { Panel } from '#client/components/panel.tsx';
import { EmptyState } from '#client/components/query-states.tsx';
import { Badge } from '#client/components/status-badge.tsx';
import type { FragOrderDto } from '#shared/schemas/pilot.ts';
import { FragCard } from './frag-card.tsx';
import { homeCopy } from './home-copy.ts';
import type { Answer, Sending } from './use-rsvp.ts';
import classes from './inbox-panel.module.css';

interface InboxPanelProps {
  /** pending orders only, newest first */
  orders: Loadable<FragOrderDto[]>;
  sending: Sending;
  onAnswer: Answer;
}

/** The frag orders that wait for an answer. */
export function InboxPanel({ orders, sending, onAnswer }: InboxPanelProps) {
  const waiting = orders.data?.filter(({ id }) => !(id in sending)).length ?? 0;
  return (
    <Panel title="Inbox" flush actions={waiting > 0 && <Badge signal="yellow">{waiting} pending</Badge>}>
      <div className={orders.data === undefined ? classes.waiting : undefined}>
        <Loaded query={orders} loading={homeCopy.loadingOrders} failure={homeCopy.ordersFailed} rows={4}>
          {(pending) => <OrderList orders={pending} sending={sending} onAnswer={onAnswer} />}
        </Loaded>
      </div>
    </Panel>
  );
}

interface OrderListProps {
  orders: readonly FragOrderDto[];
  sending: Sending;
  onAnswer: Answer;
}

function OrderList({ orders, sending, onAnswer }: OrderListProps) {
  const list = useRef<HTMLDivElement>(null);
  const focused = useRef<{ id: string; index: number }>(undefined);

  // An answered order takes its buttons away; a keyboard goes on at the order that moved into its place.
  useEffect(() => {
    const gone = focused.current !== undefined && !orders.some(({ id }) => id === focused.current?.id);
    if (!gone || document.activeElement !== document.body) {
      return;
    }
    const cards = list.current?.querySelectorAll<HTMLElement>('article') ?? [];
    const next = cards[Math.min(focused.current?.index ?? 0, cards.length - 1)] ?? list.current;
    next?.focus({ preventScroll: true });
  }, [orders]);

  return (
    <div
      ref={list}
      tabIndex={-1}
      className={classes.list}
      onFocus={({ target }) => {
        const id = target.closest('article')?.dataset['order'];
        focused.current = id === undefined ? undefined : { id, index: orders.findIndex((order) => order.id === id) };
      }}
    >
      {orders.length === 0 && (
        <EmptyState
          icon={<IconInbox size={40} stroke={1.5} />}
          title="No orders waiting"
          action={
            <LinkButton to="/availability" variant="light">
              Edit Availability
            </LinkButton>
          }
        >
          New frag orders show up here when a mission fits your weekly times.
        </EmptyState>
      )}
      {orders.map((order) => (
        <FragCard key={order.id} order={order} sending={sending[order.id]} onAnswer={onAnswer} />
      ))}
    </div>
  );
}
