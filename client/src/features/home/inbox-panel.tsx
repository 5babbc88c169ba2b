import { IconInbox } from '@tabler/icons-react';
import { Loaded, useIsShown, type Loadable } from '#client/components/loaded.tsx';
import { Panel } from '#client/components/panel.tsx';
import { EmptyState } from '#client/components/query-states.tsx';
import { Term } from '#client/domain-ui/term.tsx';
import { Badge } from '#client/domain-ui/status-badge.tsx';
import type { FragOrderDto } from '#shared/schemas/pilot.ts';
import { useHomeLinks } from '#client/features/order/home-links.tsx';
import { FragCard } from './frag-card.tsx';
import { homeCopy } from './home-text.ts';
import { useFocusAfterRemoval } from './use-focus-after-removal.ts';
import type { Answer, Sending } from '#client/features/order/use-answers.ts';
import classes from './inbox-panel.module.css';

interface InboxPanelProps {
  /** pending orders, newest first */
  orders: Loadable<FragOrderDto[]>;
  sending: Sending;
  onAnswer: Answer;
}

/** Inbox panel of pending frag orders. */
export function InboxPanel({ orders, sending, onAnswer }: InboxPanelProps) {
  const isShown = useIsShown(orders);
  const waiting = orders.data?.filter(({ id }) => !(id in sending)).length ?? 0;
  return (
    <Panel
      title="Inbox"
      flush
      actions={
        <span className={classes.actions}>
          <Term word="fragOrder">frag orders</Term>
          {isShown && waiting > 0 && <Badge signal="yellow">{waiting} pending</Badge>}
        </span>
      }
    >
      <div className={isShown ? undefined : classes.waiting}>
        <Loaded query={orders} loading={homeCopy.loadingOrders} failure={homeCopy.ordersFailed} alwaysFailure rows={4}>
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
  const { ref, onFocus } = useFocusAfterRemoval(orders.map(({ id }) => id));
  const { AvailabilityButton } = useHomeLinks();
  return (
    <div ref={ref} tabIndex={-1} className={classes.list} onFocus={onFocus}>
      {orders.length === 0 && (
        <EmptyState
          icon={<IconInbox size={40} />}
          title="No orders waiting"
          action={<AvailabilityButton>Edit Availability</AvailabilityButton>}
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
