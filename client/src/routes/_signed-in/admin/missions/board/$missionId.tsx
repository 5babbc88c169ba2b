import { createFileRoute } from '@tanstack/react-router';
import { SeatBoardPage } from '#client/features/missions/board/seat-board-page.tsx';
import { queryUtils, start } from '#client/lib/query-utils.ts';

export const Route = createFileRoute('/_signed-in/admin/missions/board/$missionId')({
  component: SeatBoardPage,
  loader: ({ params }) => start(queryUtils.admin.mission.seatBoard.ensureData({ id: params.missionId })),
});
