/** Schemas of a pilot's track record (reliability, attendance, fairness), visible to the pilot and to admins only. */
import { z } from '#shared/zod.ts';
import { idInput } from './common.ts';

export const trackRecordInput = z.object({ id: idInput });

export const trackRecord = z
  .object({
    /** Share of missions attended, recent ones weighted more, 0 to 1. */
    reliability: z.number(),
    /** True when no mission counts yet; `reliability` is the value of every new pilot then. */
    isNew: z.boolean(),
    /** Number of missions marked as attended, without a time limit. */
    attended: z.number(),
    noShows: z.number(),
    excused: z.number(),
    /** Number of seats given back less than 24 hours before the start. */
    lateCancels: z.number(),
    /** Number of seats in the last 90 days that the pilot has had fewer than others; negative for more. */
    debt: z.number(),
  })
  .meta({ id: 'TrackRecord' });
export type TrackRecordDto = z.infer<typeof trackRecord>;
