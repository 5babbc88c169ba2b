import { createFileRoute } from '@tanstack/react-router';
import { LinkButton } from '#client/components/link-button.tsx';
import { NotBuilt } from '#client/components/not-built.tsx';

export const Route = createFileRoute('/discord/registration/')({ component: DiscordRegistrationPage });

function DiscordRegistrationPage() {
  return (
    <NotBuilt
      screen="Discord Registration"
      purpose="Registration that starts from the bot in your Discord server."
      action={<LinkButton to="/register/account">Register with email</LinkButton>}
    />
  );
}
