import { createFileRoute } from '@tanstack/react-router';
import { TokensPanel } from '#client/features/profile/tokens-panel.tsx';
import { SectionPanels } from '#client/features/profile/section-panels.tsx';

export const Route = createFileRoute('/_signed-in/profile/developer')({
  component: () => <SectionPanels section="developer" panels={{ tokens: TokensPanel }} />,
});
