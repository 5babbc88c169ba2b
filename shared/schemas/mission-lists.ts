/** Schemas of missions by date range: all of them for admins, and their attendance. */
import { z } from '#shared/zod.ts';
import { dateInput, timeZoneInput } from './common.ts';
import { mission } from './missions.ts';

/** Missions that start on these dates of the time zone, both included: by default today and the 30 days after it. */
export const missionRangeInput = z.object({
  from: dateInput.optional(),
  to: dateInput.optional(),
  tz: timeZoneInput.optional(),
});
export type MissionRangeInput = z.infer<typeof missionRangeInput>;

/** Missions by start, with local times in `tz` (by default UTC). */
export const missionList = z.array(mission);
