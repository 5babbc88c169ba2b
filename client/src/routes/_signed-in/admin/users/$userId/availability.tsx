import { createFileRoute } from '@tanstack/react-router';
import { PilotPage } from '#client/features/pilots/pilot-page.tsx';
import { readPilotSearch } from '#client/features/pilots/pilot-search.ts';

export const Route = createFileRoute('/_signed-in/admin/users/$userId/availability')({
  component: PilotPage,
  validateSearch: readPilotSearch,
});
