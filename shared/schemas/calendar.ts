/** Schemas of the calendar feed and the kneeboard card. */
import { z } from '#shared/zod.ts';
import { copy } from '#shared/copy.ts';
import { KNEEBOARD_SCHEMES } from '#shared/vocabulary.ts';
import { idInput, isoInstant } from './common.ts';

/** What the UIDs of missions in calendars end with. */
export const MISSION_UID_END = '@marshal';

export const calendarFeed = z
  .object({
    createdAt: isoInstant
      .nullable()
      .meta({ description: 'Time at which the link was created; null when there is none.' }),
  })
  .meta({ id: 'CalendarLink', description: "The pilot's calendar link, without its address." });
export type CalendarFeedDto = z.infer<typeof calendarFeed>;

/** A new calendar link. Its address is returned only once, since only a hash of it is stored. */
export const newCalendarFeed = z
  .object({
    url: z.url().meta({
      description: 'Address for calendar programs. It is shown only here, because only its hash is stored.',
      examples: ['https://marshal.example.org/api/v1/calendar/c2VjcmV0LWNhbGVuZGFyLWxpbms.ics'],
    }),
    createdAt: isoInstant.meta({ description: 'Time at which the link was created.' }),
  })
  .meta({ id: 'NewCalendarLink', description: 'A new calendar link.' });
export type NewCalendarFeedDto = z.infer<typeof newCalendarFeed>;

export const kneeboardInput = z.object({
  id: idInput.meta({ description: 'Id of the order.' }),
  scheme: z
    .enum(KNEEBOARD_SCHEMES, { error: copy.schemeFromList })
    .default('day')
    .meta({ description: 'Dark on light, or light on dark.' }),
});
