/** Schemas of a pilot's track record (reliability, attendance, fairness), visible to the pilot and to admins only. */
import { z } from '#shared/zod.ts';
import { count, idInput } from './common.ts';

export const trackRecordInput = z.object({ id: idInput.meta({ description: 'Id of the pilot.' }) });

export const trackRecord = z
  .object({
    reliability: z
      .number()
      .min(0)
      .max(1)
      .meta({ description: 'Share of missions attended, recent ones weighted more.', examples: [0.92] }),
    isNew: z
      .boolean()
      .meta({ description: 'True when no mission counts yet; `reliability` is the value of every new pilot then.' }),
    attended: count.meta({ description: 'Missions marked as attended.', examples: [11] }),
    noShows: count.meta({ description: 'Missions that the pilot missed without notice.', examples: [0] }),
    excused: count.meta({ description: 'Missions that the pilot missed with notice.', examples: [1] }),
    lateCancels: count.meta({
      description: 'Seats given back less than 24 hours before the start.',
      examples: [1],
    }),
    debt: z.number().meta({
      description: 'Seats in the last 90 days that the pilot has had fewer than others; negative for more.',
      examples: [0.5],
    }),
  })
  .meta({ id: 'TrackRecord', description: "A pilot's reliability, attendance and fairness." });
export type TrackRecordDto = z.infer<typeof trackRecord>;
