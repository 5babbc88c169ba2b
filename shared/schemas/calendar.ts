/** Orders outside the site: the calendar that reads along, and the kneeboard card. */
import { z } from '#shared/zod.ts';
import { copy } from '#shared/copy.ts';
import { KNEEBOARD_SCHEMES } from '#shared/vocabulary.ts';
import { idInput, isoInstant } from './common.ts';

/** Since when the pilot's link works; null when there is none. */
export const calendarFeed = z.object({ createdAt: isoInstant.nullable() });
export type CalendarFeedDto = z.infer<typeof calendarFeed>;

/** A link just made; the only time that it is shown. */
export const newCalendarFeed = z.object({ url: z.url(), createdAt: isoInstant });
export type NewCalendarFeedDto = z.infer<typeof newCalendarFeed>;

export const kneeboardInput = z.object({
  id: idInput,
  scheme: z.enum(KNEEBOARD_SCHEMES, { error: copy.schemeFromList }).default('day'),
});
