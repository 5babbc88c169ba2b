import { createFileRoute } from '@tanstack/react-router';
import { LinkButton } from '#client/components/link-button.tsx';
import { NotBuilt } from '#client/components/not-built.tsx';

export const Route = createFileRoute('/_signed-in/admin/discord/guilds/')({ component: GuildsPage });

function GuildsPage() {
  return (
    <NotBuilt
      screen="Discord Guilds"
      purpose="The Discord servers that installed the bot."
      action={<LinkButton to="/admin/missions">Create Mission</LinkButton>}
    />
  );
}
