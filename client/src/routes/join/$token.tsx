import { createFileRoute } from '@tanstack/react-router';
import { JoinPage } from '#client/features/sign-up/join-page.tsx';

export const Route = createFileRoute('/join/$token')({ component: Join });

function Join() {
  return <JoinPage token={Route.useParams().token} />;
}
