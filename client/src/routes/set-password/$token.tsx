import { createFileRoute } from '@tanstack/react-router';
import { SetPasswordPage } from '#client/features/sign-in/set-password-page.tsx';

export const Route = createFileRoute('/set-password/$token')({ component: SetPassword });

function SetPassword() {
  return <SetPasswordPage token={Route.useParams().token} />;
}
