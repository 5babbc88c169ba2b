import { IdentityPanel } from './identity-panel.tsx';
import { DiscordPanel } from './discord-panel.tsx';
import { AppearancePanel } from './appearance-panel.tsx';
import { SectionPanels } from './section-panels.tsx';

/** /profile/me */
export function MeSection() {
  return (
    <SectionPanels
      section="me"
      panels={{ identity: IdentityPanel, discord: DiscordPanel, appearance: AppearancePanel }}
    />
  );
}
