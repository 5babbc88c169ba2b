/** Schemas of the fixed lists that inputs choose from: theaters, mission roles, time zones. */
import { z } from '#shared/zod.ts';
import { MISSION_ROLES, THEATERS } from '#shared/vocabulary.ts';

/** The values of a mission's `theater`. */
export const theaters = z.array(z.enum(THEATERS));
/** The roles of flights, which the creation payload sends as `notes` of an aircraft slot. */
export const missionRoles = z.array(z.enum(MISSION_ROLES));
/** The IANA time zones, by name. Aliases such as US/Eastern are accepted too. */
export const timeZones = z.array(z.string());
