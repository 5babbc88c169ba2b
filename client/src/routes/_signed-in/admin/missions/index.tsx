import { createFileRoute } from '@tanstack/react-router';
import { CreateMissionPage } from '#client/features/missions/create/create-mission-page.tsx';
import { readMissionSearch } from '#client/features/missions/create/mission-search.ts';

export const Route = createFileRoute('/_signed-in/admin/missions/')({
  component: CreateMissionPage,
  validateSearch: readMissionSearch,
});
