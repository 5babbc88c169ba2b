import { createFileRoute } from '@tanstack/react-router';
import { PreferencesPage } from '#client/features/availability/preferences-page.tsx';
import { readWeekSearch } from '#client/features/availability/week-view.ts';

export const Route = createFileRoute('/_signed-in/register/preferences')({
  component: PreferencesPage,
  validateSearch: readWeekSearch,
});
