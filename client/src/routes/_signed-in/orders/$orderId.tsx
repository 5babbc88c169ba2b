import { createFileRoute } from '@tanstack/react-router';
import { OrderPage } from '#client/features/order/order-page.tsx';

export const Route = createFileRoute('/_signed-in/orders/$orderId')({ component: OrderPage });
