import { getRouteApi } from '@tanstack/react-router';
import { Suspense } from 'react';
import { LinkButton } from '#client/components/link-button.tsx';
import { Loaded } from '#client/components/loaded.tsx';
import { Panel } from '#client/components/panel.tsx';
import { EmptyState } from '#client/components/query-states.tsx';
import { ThreadPanel } from '#client/domain-ui/thread/thread-panel.tsx';
import { errorMessage, errorStatus } from '#client/lib/errors.ts';
import { lazyPart } from '#client/lib/lazy-part.ts';
import { trpc } from '#client/lib/trpc.ts';
import { POLL_MS } from '#shared/limits.ts';
import { RefusedAnswer } from './kept-answer.tsx';
import { orderCopy } from './order-text.ts';
import { OrderHeader, OrderView } from './order-view.tsx';
import { StandbySeat } from './standby-seat.tsx';
import { polled } from '#client/lib/polling.ts';
import { useSend } from './use-send.ts';

const OrderSwaps = lazyPart(
  () => import('./order-swaps.tsx'),
  (part) => part.OrderSwaps,
);

const route = getRouteApi('/_signed-in/orders/$orderId');

/** The order page, /orders/{id}, which notifications and Discord link to. */
export function OrderPage() {
  const { orderId } = route.useParams();
  const order = trpc.pilot.order.useQuery({ id: orderId }, polled(POLL_MS.inbox));
  const send = useSend();
  return (
    <>
      <OrderHeader order={order.data} />
      {order.data === undefined ? (
        <Panel title="Your answer">
          {isRefusal(order.error) ? (
            <>
              <RefusedAnswer orderId={orderId} />
              <EmptyState
                title={errorMessage(order.error, orderCopy.orderFailed)}
                action={
                  <LinkButton to="/home" variant="light">
                    Back to Home
                  </LinkButton>
                }
              >
                The link may be old, or the order belongs to another pilot.
              </EmptyState>
            </>
          ) : (
            <Loaded query={order} loading={orderCopy.loadingOrder} failure={orderCopy.orderFailed} rows={5}>
              {() => null}
            </Loaded>
          )}
        </Panel>
      ) : (
        <OrderView
          order={order.data}
          send={send}
          standbySeat={<StandbySeat order={order.data} />}
          thread={<ThreadPanel missionId={order.data.missionId} />}
          swaps={
            <Suspense fallback={null}>
              <OrderSwaps order={order.data} />
            </Suspense>
          }
        />
      )}
    </>
  );
}

/** True if there is no such order, so that a retry would not help. */
function isRefusal(error: unknown): boolean {
  const status = errorStatus(error);
  return status === 400 || status === 404;
}
