/** Procedures for the fixed lists that inputs choose from. Public: a script needs the zones before it has an account. */
import { publicProcedure, router } from '#server/http/trpc.ts';
import { missionRoles, theaters, timeZones } from '#shared/schemas/vocabulary.ts';
import { MISSION_ROLES, THEATERS } from '#shared/vocabulary.ts';

/** Node leaves out UTC, which is not a place. */
const ZONES = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])].sort();

export const vocabularyRouter = router({
  theaters: publicProcedure.output(theaters).query(() => [...THEATERS]),

  roles: publicProcedure.output(missionRoles).query(() => [...MISSION_ROLES]),

  timeZones: publicProcedure.output(timeZones).query(() => ZONES),
});
