import { createFileRoute, Navigate } from '@tanstack/react-router';
import { useSampleHome, useSampleOrder } from '#client/features/demo/sample-context.tsx';
import { OrderHeader, OrderView } from '#client/features/order/order-view.tsx';

export const Route = createFileRoute('/demo/orders/$orderId')({ component: DemoOrder });

function DemoOrder() {
  const { orderId } = Route.useParams();
  const order = useSampleOrder(orderId);
  const { send } = useSampleHome();
  return order === undefined ? (
    <Navigate to="/demo" replace />
  ) : (
    <>
      <OrderHeader order={order} />
      <OrderView order={order} send={send} />
    </>
  );
}
