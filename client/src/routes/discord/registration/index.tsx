import { createFileRoute } from '@tanstack/react-router';
import { RegistrationPage } from '#client/features/discord-registration/registration-page.tsx';
import { readRegistrationSearch } from '#client/features/discord-registration/registration-search.ts';

export const Route = createFileRoute('/discord/registration/')({
  component: DiscordRegistration,
  validateSearch: readRegistrationSearch,
});

function DiscordRegistration() {
  return <RegistrationPage {...Route.useSearch()} />;
}
