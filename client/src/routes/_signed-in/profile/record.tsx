import { createFileRoute } from '@tanstack/react-router';
import { ReliabilityPanel } from '#client/features/profile/reliability-panel.tsx';
import { SectionPanels } from '#client/features/profile/section-panels.tsx';

export const Route = createFileRoute('/_signed-in/profile/record')({
  component: () => <SectionPanels section="record" panels={{ reliability: ReliabilityPanel }} />,
});
