import { createFileRoute, redirect } from '@tanstack/react-router';
import { isMissionId, readMissionLink } from '#client/features/missions/day/mission-link.ts';
import { MissionsByDatePage } from '#client/features/missions/day/missions-by-date-page.tsx';

export const Route = createFileRoute('/_signed-in/admin/missions/$date')({
  component: MissionsByDatePage,
  validateSearch: readMissionLink,
  // reminders of too few pilots link to a mission by its id
  beforeLoad: ({ params: { date } }) => {
    if (isMissionId(date))
      throw redirect({ to: '/admin/missions/board/$missionId', params: { missionId: date }, replace: true });
  },
});
