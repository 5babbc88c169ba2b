import { createFileRoute } from '@tanstack/react-router';
import { MissionsPage } from '#client/features/missions/plan/missions-page.tsx';
import { readMissionsSearch } from '#client/features/missions/plan/missions-search.ts';

export const Route = createFileRoute('/_signed-in/missions/')({
  component: MissionsPage,
  validateSearch: readMissionsSearch,
});
