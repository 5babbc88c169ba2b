import { createFileRoute } from '@tanstack/react-router';
import { BusyCalendarsPanel } from '#client/features/profile/busy-calendars-panel.tsx';
import { CalendarPanel } from '#client/features/profile/calendar-panel.tsx';
import { SectionPanels } from '#client/features/profile/section-panels.tsx';

export const Route = createFileRoute('/_signed-in/profile/calendar')({
  component: () => (
    <SectionPanels section="calendar" panels={{ calendar: CalendarPanel, 'busy-calendars': BusyCalendarsPanel }} />
  ),
});
