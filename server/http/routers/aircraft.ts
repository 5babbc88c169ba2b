/** Procedures for the aircraft types that admins manage. */
import { z } from 'zod';
import { adminProcedure, keyedCaller, router } from '#server/http/trpc.ts';
import { rest } from '#server/http/operation.ts';
import { noAccess } from '#server/http/access.ts';
import {
  createAircraft,
  deleteAircraft,
  listAircraftTypes,
  offerAircraft,
  updateAircraft,
} from '#server/accounts/pilots/aircraft-types.ts';
import {
  aircraftType,
  aircraftTypeInput,
  createAircraftInput,
  offerAircraftInput,
  updateAircraftInput,
} from '#shared/schemas/aircraft.ts';
import { success } from '#shared/schemas/common.ts';

export const aircraftRouter = router({
  list: adminProcedure
    .meta(
      rest('get', '/admin/aircraft', {
        id: 'listAircraftTypes',
        tag: 'Aircraft',
        summary: 'List aircraft types',
        answer: 'All types by name, also those that are switched off.',
      }),
    )
    .output(z.array(aircraftType))
    .query(({ ctx }) => listAircraftTypes(ctx.em, ctx.now)),

  create: adminProcedure
    .meta(
      rest('post', '/admin/aircraft', {
        status: 201,
        id: 'createAircraftType',
        tag: 'Aircraft',
        summary: 'Add an aircraft type',
        description: "Adds a type of the community's own. An installation can have 200 of them.",
        refusals: ['AIRCRAFT_EXISTS', 'LIMIT_REACHED'],
      }),
    )
    .meta(noAccess)
    .input(createAircraftInput)
    .output(aircraftType)
    .mutation(({ ctx, input }) => createAircraft(ctx.em, ctx.viewer, input, keyedCaller(ctx))),

  update: adminProcedure
    .meta(
      rest('put', '/admin/aircraft/:id', {
        id: 'updateAircraftType',
        tag: 'Aircraft',
        summary: 'Change an aircraft type',
        description: "Only the community's own types can change: releases update those of the catalogue.",
        refusals: ['AIRCRAFT_TYPE_NOT_FOUND', 'AIRCRAFT_EXISTS', 'AIRCRAFT_FROM_CATALOGUE'],
      }),
    )
    .meta(noAccess)
    .input(updateAircraftInput)
    .output(aircraftType)
    .mutation(({ ctx, input }) => updateAircraft(ctx.em, ctx.viewer, input, ctx.now)),

  offer: adminProcedure
    .meta(
      rest('put', '/admin/aircraft/offered', {
        id: 'offerAircraftTypes',
        tag: 'Aircraft',
        summary: 'Switch aircraft types on or off',
        description:
          "A type that is switched off is no longer offered for new missions, lists and times. Missions and pilots' lists that have it keep it.",
        answer: 'All types by name.',
        refusals: ['AIRCRAFT_TYPE_NOT_FOUND'],
      }),
    )
    .meta(noAccess)
    .input(offerAircraftInput)
    .output(z.array(aircraftType))
    .mutation(({ ctx, input }) => offerAircraft(ctx.em, ctx.viewer, input, ctx.now)),

  remove: adminProcedure
    .meta(
      rest('delete', '/admin/aircraft/:id', {
        id: 'deleteAircraftType',
        tag: 'Aircraft',
        summary: 'Delete an aircraft type',
        description: "Only a type of the community's own that no mission, pilot's list or time refers to.",
        refusals: ['AIRCRAFT_TYPE_NOT_FOUND', 'AIRCRAFT_FROM_CATALOGUE', 'AIRCRAFT_IN_USE'],
      }),
    )
    .meta(noAccess)
    .input(aircraftTypeInput)
    .output(success)
    .mutation(async ({ ctx, input }) => {
      await deleteAircraft(ctx.em, ctx.viewer, input.id);
      return { success: true } as const;
    }),
});
