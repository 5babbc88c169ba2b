/** Procedures for the fixed lists that inputs choose from. Public: a script needs the zones before it has an account. */
import { z } from 'zod';
import { publicProcedure, router } from '#server/http/trpc.ts';
import { rest } from '#server/http/operation.ts';
import { MISSION_ROLES, THEATERS } from '#shared/vocabulary.ts';

/** Node leaves out UTC, which is not a place. */
const ZONES = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])].sort();

export const vocabularyRouter = router({
  theaters: publicProcedure
    .meta(
      rest('get', '/theaters', {
        id: 'listTheaters',
        tag: 'Reference',
        summary: 'List theaters',
        answer: 'Theaters of missions.',
      }),
    )
    .output(z.array(z.enum(THEATERS)))
    .query(() => [...THEATERS]),

  /** The roles of flights, which the creation payload sends as `notes` of an aircraft slot. */
  roles: publicProcedure
    .meta(
      rest('get', '/roles', {
        id: 'listMissionRoles',
        tag: 'Reference',
        summary: 'List roles of flights',
        answer: 'Roles of flights.',
      }),
    )
    .output(z.array(z.enum(MISSION_ROLES)))
    .query(() => [...MISSION_ROLES]),

  /** Aliases such as US/Eastern are accepted too. */
  timeZones: publicProcedure
    .meta(
      rest('get', '/time-zones', {
        id: 'listTimeZones',
        tag: 'Reference',
        summary: 'List time zones',
        answer: 'IANA time zones by name.',
      }),
    )
    .output(z.array(z.string()))
    .query(() => ZONES),
});
