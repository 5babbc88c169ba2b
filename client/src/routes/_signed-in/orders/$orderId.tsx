import { createFileRoute } from '@tanstack/react-router';
import { OrderPage } from '#client/features/order/order-page.tsx';
import { queryUtils, start } from '#client/lib/query-utils.ts';

export const Route = createFileRoute('/_signed-in/orders/$orderId')({
  component: OrderPage,
  loader: ({ params }) => start(queryUtils.pilot.order.ensureData({ id: params.orderId })),
});
