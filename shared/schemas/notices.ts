/** Schemas of a pilot's notices: orders that ended, and seats assigned from standby. */
import { z } from '#shared/zod.ts';
import { NOTICE_KINDS } from '#shared/vocabulary.ts';
import { idInput, isoInstant, rowId } from './common.ts';

const notice = z
  .object({
    orderId: rowId.meta({ description: 'Id of the order that the notice is about, and of the notice.' }),
    kind: z.enum(NOTICE_KINDS).meta({ description: 'What happened.' }),
    at: isoInstant.meta({ description: 'When it happened.' }),
    missionName: z.string().meta({ description: 'Name of the mission.', examples: ['Iron Anvil'] }),
    startUtc: isoInstant.meta({ description: 'Start of the mission.' }),
    sentence: z.string().meta({
      description: 'The notice as a sentence to the pilot.',
      examples: ['“Iron Anvil” on Nov 21 1800Z was cancelled.'],
    }),
  })
  .meta({ id: 'Notice', description: 'News about an order, for its pilot.' });
/** Notices, newest first, without dismissed ones and those older than a week. */
export const notices = z.array(notice);
export type NoticeDto = z.infer<typeof notice>;

export const closeNoticeInput = z.object({ id: idInput.meta({ description: '`orderId` of the notice.' }) });
