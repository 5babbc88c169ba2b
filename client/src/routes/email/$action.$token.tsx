import { createFileRoute } from '@tanstack/react-router';
import { EmailLinkPage } from '#client/features/email/email-link-page.tsx';

export const Route = createFileRoute('/email/$action/$token')({ component: EmailLink });

function EmailLink() {
  const { action, token } = Route.useParams();
  return <EmailLinkPage action={action} token={token} />;
}
