import { createFileRoute } from '@tanstack/react-router';
import { PilotPage } from '#client/features/admin-pilot/pilot-page.tsx';
import { readPilotSearch } from '#client/features/admin-pilot/pilot-search.ts';

export const Route = createFileRoute('/_signed-in/admin/users/$userId/availability')({
  component: PilotPage,
  validateSearch: readPilotSearch,
});
