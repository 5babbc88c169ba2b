/** Schemas of a pilot's notices: orders that ended, and seats assigned from standby. */
import { z } from '#shared/zod.ts';
import { NOTICE_KINDS } from '#shared/vocabulary.ts';
import { idInput, isoInstant } from './common.ts';

/** Notices, newest first, without dismissed ones and those older than a week. */
export const notices = z.array(
  z.object({
    orderId: z.string(),
    kind: z.enum(NOTICE_KINDS),
    at: isoInstant,
    missionName: z.string(),
    startUtc: isoInstant,
    /** The notice as a sentence to the pilot. */
    sentence: z.string(),
  }),
);
export type NoticeDto = z.infer<typeof notices>[number];

export const closeNoticeInput = z.object({ id: idInput });
