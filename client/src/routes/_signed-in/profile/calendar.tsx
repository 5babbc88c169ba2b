import { createFileRoute } from '@tanstack/react-router';
import { CalendarSection } from '#client/features/profile/calendar-section.tsx';

export const Route = createFileRoute('/_signed-in/profile/calendar')({ component: CalendarSection });
