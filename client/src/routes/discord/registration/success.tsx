import { createFileRoute } from '@tanstack/react-router';
import { LinkButton } from '#client/components/link-button.tsx';
import { NotBuilt } from '#client/components/not-built.tsx';

export const Route = createFileRoute('/discord/registration/success')({ component: DiscordSuccessPage });

function DiscordSuccessPage() {
  return (
    <NotBuilt
      screen="Registration Complete"
      purpose="The end of the registration that starts in Discord."
      action={<LinkButton to="/login">Login</LinkButton>}
    />
  );
}
