import { createFileRoute } from '@tanstack/react-router';
import { WebhooksPage } from '#client/features/webhooks/webhooks-page.tsx';
import { readWebhooksSearch } from '#client/features/webhooks/webhooks-search.ts';

export const Route = createFileRoute('/_signed-in/admin/webhooks')({
  component: WebhooksPage,
  validateSearch: readWebhooksSearch,
});
