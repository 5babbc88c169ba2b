import { createFileRoute } from '@tanstack/react-router';
import { AircraftPanel } from '#client/features/profile/aircraft-panel.tsx';
import { SectionPanels } from '#client/features/profile/section-panels.tsx';

export const Route = createFileRoute('/_signed-in/profile/aircraft')({
  component: () => <SectionPanels section="aircraft" panels={{ aircraft: AircraftPanel }} />,
});
