/** Procedures for pilots about missions: by date range, and one in full. */
import { requireRange } from '#server/missions/mission-range.ts';
import { readMissionsVersion } from '#server/missions/mission-version.queries.ts';
import { getPilotMission, listPilotMissions } from '#server/missions/pilot-missions.ts';
import { heavy, pilotProcedure, router, tagAnswer } from '#server/http/trpc.ts';
import {
  missionRangeInput,
  pilotMissionDetail,
  pilotMissionInput,
  pilotMissionList,
} from '#shared/schemas/mission-lists.ts';

export const missionsRouter = router({
  list: pilotProcedure
    .meta(heavy)
    .input(missionRangeInput)
    .output(pilotMissionList)
    .query(async ({ ctx: { em, viewer, now, ...ctx }, input }) => {
      const range = requireRange(input, input.tz ?? viewer.timeZone, now);
      await tagAnswer(ctx, () => readMissionsVersion(em, range, now, viewer));
      return listPilotMissions(em, viewer, range, now);
    }),

  get: pilotProcedure
    .meta(heavy)
    .input(pilotMissionInput)
    .output(pilotMissionDetail)
    .query(async ({ ctx: { em, viewer, now, ...ctx }, input }) => {
      await tagAnswer(ctx, () => readMissionsVersion(em, { id: input.id }, now, viewer));
      return getPilotMission(em, viewer, input, now);
    }),
});
