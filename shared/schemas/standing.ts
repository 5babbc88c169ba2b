/** Schemas of a pilot's standing: for the pilot and the admins, nobody else. */
import { z } from '#shared/zod.ts';
import { idInput } from './common.ts';

export const standingInput = z.object({ id: idInput });

export const standing = z.object({
  /** 0 to 1 */
  reliability: z.number(),
  /** no mission of theirs counts yet: the figure is that of every new pilot */
  isNew: z.boolean(),
  /** missions on record, however long ago */
  attended: z.number(),
  noShows: z.number(),
  excused: z.number(),
  /** seats given back less than 24 h before the start */
  lateCancels: z.number(),
  /** seats the community owes the pilot (below 0: has had more than the others), of the last 90 days */
  debt: z.number(),
});
export type StandingDto = z.infer<typeof standing>;
