/** Procedures for the fixed lists that inputs choose from. Public: a script needs the zones before it has an account. */
import { z } from 'zod';
import { publicProcedure, router } from '#server/http/trpc.ts';
import { MISSION_ROLES, THEATERS } from '#shared/vocabulary.ts';

/** Node leaves out UTC, which is not a place. */
const ZONES = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])].sort();

export const vocabularyRouter = router({
  theaters: publicProcedure.output(z.array(z.enum(THEATERS))).query(() => [...THEATERS]),

  /** The roles of flights, which the creation payload sends as `notes` of an aircraft slot. */
  roles: publicProcedure.output(z.array(z.enum(MISSION_ROLES))).query(() => [...MISSION_ROLES]),

  /** Aliases such as US/Eastern are accepted too. */
  timeZones: publicProcedure.output(z.array(z.string())).query(() => ZONES),
});
