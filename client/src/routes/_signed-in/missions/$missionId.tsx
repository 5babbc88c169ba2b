import { createFileRoute } from '@tanstack/react-router';
import { MissionSeats } from '#client/features/home/mission-seats.tsx';
import { queryUtils, start } from '#client/lib/query-utils.ts';
import { MissionPlanPage } from '#client/features/missions/plan/mission-plan-page.tsx';

export const Route = createFileRoute('/_signed-in/missions/$missionId')({
  component: MissionPage,
  loader: ({ params }) => start(queryUtils.pilot.missions.get.ensureData({ id: params.missionId })),
});

function MissionPage() {
  return <MissionPlanPage openSeats={(missionId) => <MissionSeats missionId={missionId} />} />;
}
