import { CalendarPanel } from './calendar-panel.tsx';
import { SectionPanels } from './section-panels.tsx';

/** /profile/calendar */
export function CalendarSection() {
  return <SectionPanels section="calendar" panels={{ calendar: CalendarPanel }} />;
}
