/** Procedures for game servers: the slots of current missions, all that a token of the scope server reads. */
import { readCurrentSlots, readSlots } from '#server/missions/cockpit/slots.ts';
import { adminProcedure, forServers, router, tagged } from '#server/http/trpc.ts';
import { rest } from '#server/http/operation.ts';
import { missionIdInput } from '#shared/schemas/mission-admin.ts';
import { currentSlots, missionSlots } from '#shared/schemas/slots.ts';
import { SLOTS } from '#shared/slots.ts';

export const slotsRouter = router({
  current: adminProcedure
    .meta(
      rest('get', '/slots', {
        id: 'listSlots',
        tag: 'Game servers',
        summary: 'List the seats of all current missions',
        description: `Published missions, from ${SLOTS.hoursBefore} hours before the start until the end. A hook finds its own by the name of the mission file. The ETag does not change with the time of the answer.`,
      }),
    )
    .meta(forServers)
    .output(currentSlots)
    .query(async ({ ctx }) => {
      const missions = await tagged(ctx, await readCurrentSlots(ctx.em, ctx.now));
      return { asOfUtc: ctx.now.toISOString(), missions };
    }),

  get: adminProcedure
    .meta(
      rest('get', '/missions/:id/slots', {
        id: 'getSlots',
        tag: 'Game servers',
        summary: 'Get the seats of a current mission',
        description: `Both sides, with the pilots for whom seats are kept. Missions can be read from ${SLOTS.hoursBefore} hours before the start until the end.`,
        refusals: ['MISSION_NOT_FOUND'],
      }),
    )
    .meta(forServers)
    .input(missionIdInput)
    .output(missionSlots)
    .query(async ({ ctx, input }) => {
      const slots = await tagged(ctx, await readSlots(ctx.em, input.id, ctx.now));
      return { asOfUtc: ctx.now.toISOString(), ...slots };
    }),
});
