import { createFileRoute } from '@tanstack/react-router';
import { DataPanel } from '#client/features/profile/data-panel.tsx';
import { SectionPanels } from '#client/features/profile/section-panels.tsx';

export const Route = createFileRoute('/_signed-in/profile/data')({
  component: () => <SectionPanels section="data" panels={{ data: DataPanel }} />,
});
