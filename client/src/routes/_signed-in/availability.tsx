import { createFileRoute } from '@tanstack/react-router';
import { AvailabilityPage } from '#client/features/availability/availability-page.tsx';
import { readWeekSearch } from '#client/features/availability/week-view.ts';

export const Route = createFileRoute('/_signed-in/availability')({
  component: AvailabilityPage,
  validateSearch: readWeekSearch,
});
