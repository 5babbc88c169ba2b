import { createFileRoute } from '@tanstack/react-router';
import { MissionSeats } from '#client/features/home/mission-seats.tsx';
import { MissionPlanPage } from '#client/features/missions/plan/mission-plan-page.tsx';

export const Route = createFileRoute('/_signed-in/missions/$missionId')({ component: MissionPage });

function MissionPage() {
  return <MissionPlanPage openSeats={(missionId) => <MissionSeats missionId={missionId} />} />;
}
