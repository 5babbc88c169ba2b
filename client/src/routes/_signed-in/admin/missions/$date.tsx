import { createFileRoute } from '@tanstack/react-router';
import { readMissionLink } from '#client/features/missions/day/mission-link.ts';
import { MissionsByDatePage } from '#client/features/missions/day/missions-by-date-page.tsx';

export const Route = createFileRoute('/_signed-in/admin/missions/$date')({
  component: MissionsByDatePage,
  validateSearch: readMissionLink,
});
