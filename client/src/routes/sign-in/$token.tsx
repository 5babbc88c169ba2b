import { createFileRoute } from '@tanstack/react-router';
import { SignInPage } from '#client/features/discord-registration/sign-in-page.tsx';

export const Route = createFileRoute('/sign-in/$token')({ component: SignIn });

function SignIn() {
  return <SignInPage token={Route.useParams().token} />;
}
