/** Schemas of a pilot's notices: orders that are over, and seats that came to one on standby. */
import { z } from '#shared/zod.ts';
import { NOTICE_KINDS } from '#shared/vocabulary.ts';
import { idInput, isoInstant } from './common.ts';

/** Newest first; those put away and those older than a week are left out. */
export const notices = z.array(
  z.object({
    orderId: z.string(),
    kind: z.enum(NOTICE_KINDS),
    at: isoInstant,
    missionName: z.string(),
    startUtc: isoInstant,
    /** the whole of it, to the pilot */
    sentence: z.string(),
  }),
);
export type NoticeDto = z.infer<typeof notices>[number];

export const closeNoticeInput = z.object({ id: idInput });
