import { createFileRoute } from '@tanstack/react-router';
import { IdentityPanel } from '#client/features/profile/identity-panel.tsx';
import { DiscordPanel } from '#client/features/profile/discord-panel.tsx';
import { AppearancePanel } from '#client/features/profile/appearance-panel.tsx';
import { SectionPanels } from '#client/features/profile/section-panels.tsx';

export const Route = createFileRoute('/_signed-in/profile/me')({
  component: () => (
    <SectionPanels
      section="me"
      panels={{ identity: IdentityPanel, discord: DiscordPanel, appearance: AppearancePanel }}
    />
  ),
});
