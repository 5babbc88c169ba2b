/** Schemas of busy calendars: a pilot's calendars elsewhere, whose busy times take away from the weekly ones. */
import { z } from '#shared/zod.ts';
import { copy } from '#shared/copy.ts';
import { BUSY_CALENDARS } from '#shared/limits.ts';
import { CALENDAR_PROBLEMS } from '#shared/calendar-problems.ts';
import { count, idInput, isoInstant, optionalText, rowId, safeText } from './common.ts';

const calendarId = idInput.meta({ description: 'Id of the calendar.' });

/** Apple and Outlook write `webcal://`, which is https. */
const calendarUrl = safeText(BUSY_CALENDARS.urlLength, { missing: copy.calendarUrlRequired })
  .refine((url) => url !== '', copy.calendarUrlRequired)
  .transform((url) => url.replace(/^webcals?:/i, 'https:'))
  .meta({
    description: 'Secret address of the calendar (ICS): https or webcal, and public.',
    examples: ['https://calendar.google.com/calendar/ical/viper%40example.org/private-5f2c/basic.ics'],
  });

export const busyCalendarForm = z.object({
  url: calendarUrl,
  name: optionalText(BUSY_CALENDARS.nameLength).meta({ description: 'Name for the list.', examples: ['Work'] }),
  countsWholeDays: z
    .boolean({ error: copy.trueOrFalse })
    .nullish()
    .transform((flag) => flag ?? true)
    .meta({ description: 'True if events of whole days count as busy.', default: true }),
});
export const addBusyCalendarInput = busyCalendarForm.meta({ id: 'AddBusyCalendar', description: 'A calendar to add.' });
export type AddBusyCalendarInput = z.infer<typeof addBusyCalendarInput>;
export const busyCalendarInput = z.object({ calendarId });

export const busyCalendar = z
  .object({
    id: rowId.meta({ description: 'Id of the calendar.' }),
    name: z
      .string()
      .nullable()
      .meta({ description: 'Name that the pilot gave it.', examples: ['Work'] }),
    address: z.string().meta({
      description: 'Host and end of the address. The address itself is a secret, and is never shown again.',
      examples: ['calendar.google.com/…/basic.ics'],
    }),
    countsWholeDays: z.boolean().meta({ description: 'True if events of whole days count as busy.' }),
    events: count.meta({
      description: `Busy times that it has in the next ${BUSY_CALENDARS.daysAhead} days.`,
      examples: [31],
    }),
    unread: count.meta({ description: 'Events that could not be understood, and do not count.', examples: [0] }),
    readAt: isoInstant.nullable().meta({ description: 'Time of the last answer; null before the first.' }),
    problem: z
      .enum(CALENDAR_PROBLEMS)
      .nullable()
      .meta({ description: 'Why the last attempts have failed; null if the last one has not.' }),
    failingSince: isoInstant.nullable().meta({ description: 'Time of the first failure since the last answer.' }),
    isFailing: z.boolean().meta({
      description: `True after ${BUSY_CALENDARS.failingHours} hours of failures: its times may be out of date.`,
    }),
  })
  .meta({ id: 'BusyCalendar', description: "A pilot's calendar elsewhere, without its secret address." });
export type BusyCalendarDto = z.infer<typeof busyCalendar>;
