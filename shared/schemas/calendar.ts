/** Schemas of the calendar feed and the kneeboard card. */
import { z } from '#shared/zod.ts';
import { copy } from '#shared/copy.ts';
import { KNEEBOARD_SCHEMES } from '#shared/vocabulary.ts';
import { idInput, isoInstant } from './common.ts';

/** Creation time of the pilot's calendar link; null when there is none. */
export const calendarFeed = z.object({ createdAt: isoInstant.nullable() }).meta({ id: 'CalendarLink' });
export type CalendarFeedDto = z.infer<typeof calendarFeed>;

/** A new calendar link. Its address is returned only once, since only a hash of it is stored. */
export const newCalendarFeed = z.object({ url: z.url(), createdAt: isoInstant }).meta({ id: 'NewCalendarLink' });
export type NewCalendarFeedDto = z.infer<typeof newCalendarFeed>;

export const kneeboardInput = z.object({
  id: idInput,
  scheme: z.enum(KNEEBOARD_SCHEMES, { error: copy.schemeFromList }).default('day'),
});
