import { createFileRoute } from '@tanstack/react-router';
import { CalendarPanel } from '#client/features/profile/calendar-panel.tsx';
import { SectionPanels } from '#client/features/profile/section-panels.tsx';

export const Route = createFileRoute('/_signed-in/profile/calendar')({
  component: () => <SectionPanels section="calendar" panels={{ calendar: CalendarPanel }} />,
});
