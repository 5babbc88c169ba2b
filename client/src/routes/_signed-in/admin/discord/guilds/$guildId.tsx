import { createFileRoute } from '@tanstack/react-router';
import { LinkButton } from '#client/components/link-button.tsx';
import { NotBuilt } from '#client/components/not-built.tsx';

export const Route = createFileRoute('/_signed-in/admin/discord/guilds/$guildId')({ component: GuildPage });

function GuildPage() {
  return (
    <NotBuilt
      screen="Discord Guild"
      purpose="One Discord server: members, channels, events and the registration announcement."
      action={<LinkButton to="/admin/discord/guilds">Discord Guilds</LinkButton>}
    />
  );
}
