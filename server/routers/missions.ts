/** Procedures for pilots about missions: by date range, and one in full. */
import { getPilotMission, listPilotMissions } from '#server/missions/pilot-missions.ts';
import { pilotProcedure, router } from '#server/http/trpc.ts';
import {
  missionRangeInput,
  pilotMissionDetail,
  pilotMissionInput,
  pilotMissionList,
} from '#shared/schemas/mission-lists.ts';

export const missionsRouter = router({
  list: pilotProcedure
    .input(missionRangeInput)
    .output(pilotMissionList)
    .query(({ ctx, input }) => listPilotMissions(ctx.em, ctx.viewer, input, ctx.now)),

  get: pilotProcedure
    .input(pilotMissionInput)
    .output(pilotMissionDetail)
    .query(({ ctx, input }) => getPilotMission(ctx.em, ctx.viewer, input, ctx.now)),
});
