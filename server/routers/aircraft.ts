/** Procedures for the aircraft types that admins manage. */
import { z } from 'zod';
import { adminProcedure, keyedCaller, router } from '#server/http/trpc.ts';
import { noAccess } from '#server/http/access.ts';
import {
  createAircraft,
  deleteAircraft,
  listAircraftTypes,
  offerAircraft,
  updateAircraft,
} from '#server/pilots/aircraft-types.ts';
import {
  aircraftType,
  aircraftTypeInput,
  createAircraftInput,
  offerAircraftInput,
  updateAircraftInput,
} from '#shared/schemas/aircraft.ts';
import { success } from '#shared/schemas/common.ts';

export const aircraftRouter = router({
  list: adminProcedure.output(z.array(aircraftType)).query(({ ctx }) => listAircraftTypes(ctx.em, ctx.now)),

  create: adminProcedure
    .meta(noAccess)
    .input(createAircraftInput)
    .output(aircraftType)
    .mutation(({ ctx, input }) => createAircraft(ctx.em, ctx.viewer, input, keyedCaller(ctx))),

  update: adminProcedure
    .meta(noAccess)
    .input(updateAircraftInput)
    .output(aircraftType)
    .mutation(({ ctx, input }) => updateAircraft(ctx.em, ctx.viewer, input, ctx.now)),

  offer: adminProcedure
    .meta(noAccess)
    .input(offerAircraftInput)
    .output(z.array(aircraftType))
    .mutation(({ ctx, input }) => offerAircraft(ctx.em, ctx.viewer, input, ctx.now)),

  remove: adminProcedure
    .meta(noAccess)
    .input(aircraftTypeInput)
    .output(success)
    .mutation(async ({ ctx, input }) => {
      await deleteAircraft(ctx.em, ctx.viewer, input.id);
      return { success: true } as const;
    }),
});
