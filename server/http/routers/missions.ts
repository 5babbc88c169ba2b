/** Procedures for pilots about missions: by date range, and one in full. */
import { requireRange } from '#server/missions/mission-range.ts';
import { getPilotMission, listPilotMissions } from '#server/missions/pilot-missions.ts';
import { heavy, pilotProcedure, router, tagged } from '#server/http/trpc.ts';
import { rest } from '#server/http/operation.ts';
import {
  missionRangeInput,
  pilotMissionDetail,
  pilotMissionInput,
  pilotMissionList,
} from '#shared/schemas/mission-lists.ts';

export const missionsRouter = router({
  list: pilotProcedure
    .meta(
      rest('get', '/missions', {
        id: 'listPilotMissions',
        tag: 'Calendar',
        summary: "List a pilot's missions and the open ones",
        description:
          'Published missions that start on these dates of `tz` and that the pilot has an order for, or could take a seat in.',
        answer: 'Missions by start.',
      }),
    )
    .meta(heavy)
    .input(missionRangeInput)
    .output(pilotMissionList)
    .query(async ({ ctx: { em, viewer, now, ...ctx }, input }) => {
      const range = requireRange(input, input.tz ?? viewer.timeZone, now);
      return tagged(ctx, await listPilotMissions(em, viewer, range, now));
    }),

  get: pilotProcedure
    .meta(
      rest('get', '/missions/:id', {
        id: 'getPilotMission',
        tag: 'Calendar',
        summary: 'Get one mission as a pilot sees it',
        description:
          '`view` says how much of a flight is shown. Pilots read all of their own side; with a place on standby only if the sides are not secret. Other flights show their crews, or if the sides are secret, only their open seats, and nothing to pilots of the other side. Admins read both sides.',
        refusals: ['MISSION_NOT_FOUND'],
      }),
    )
    .meta(heavy)
    .input(pilotMissionInput)
    .output(pilotMissionDetail)
    .query(async ({ ctx: { em, viewer, now, ...ctx }, input }) =>
      tagged(ctx, await getPilotMission(em, viewer, input, now)),
    ),
});
