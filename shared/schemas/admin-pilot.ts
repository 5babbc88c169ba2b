/** One pilot as admins look at them. */
import { z } from '#shared/zod.ts';
import { copy } from '#shared/copy.ts';
import { UPCOMING_DAYS } from '#shared/limits.ts';
import { MISSION_STATUSES, RSVPS, WINDOW_SOURCES } from '#shared/vocabulary.ts';
import { user } from './auth.ts';
import { idInput, isoInstant, timeZoneInput, wholeNumber } from './common.ts';
import { proficiency } from './profile.ts';

export const availabilitySummaryInput = z.object({
  id: idInput,
  upcomingDays: wholeNumber(UPCOMING_DAYS.min, UPCOMING_DAYS.max, copy.daysRange).default(UPCOMING_DAYS.initial),
  tz: timeZoneInput.optional(),
});

/** A seat the pilot holds or held: pending ones only while they are to come. */
const assignedMission = z.object({
  missionId: z.string(),
  missionName: z.string(),
  theater: z.string(),
  packageCallsign: z.string(),
  flightCallsign: z.string(),
  aircraftName: z.string(),
  seatIndex: z.number(),
  /** `YYYY-MM-DDTHH:mm` in the asked zone */
  startLocal: z.string(),
  endLocal: z.string(),
  startUtc: isoInstant,
  endUtc: isoInstant,
  /** of the mission */
  status: z.enum(MISSION_STATUSES),
  rsvp: z.enum(RSVPS),
});
export type AssignedMissionDto = z.infer<typeof assignedMission>;

export const availabilitySummary = z.object({
  user,
  timeZone: z.string(),
  /** by start; `HH:mm` on that date in the asked zone, `24:00` for its end */
  availabilityWindows: z.array(
    z.object({
      dateLocal: z.string(),
      startLocal: z.string(),
      endLocal: z.string(),
      source: z.enum(WINDOW_SOURCES),
      aircraftCodeId: z.number(),
      notes: z.string().nullable(),
    }),
  ),
  aircraftProficiencies: z.array(proficiency),
  /** soonest first */
  upcomingMissions: z.array(assignedMission),
  /** latest first, at most 50 */
  previousMissions: z.array(assignedMission),
});
export type AvailabilitySummaryDto = z.infer<typeof availabilitySummary>;

/** Without a zone the schedule reads in the pilot's own. */
export const scheduleInput = z.object({ id: idInput, tz: timeZoneInput.optional() });
export const schedule = z.object({
  user,
  timeZone: z.string(),
  schedule: z.array(
    z.object({
      /** 0 is Sunday */
      dayOfWeek: z.number(),
      /** `18:00 - 22:00`, with `+1` after an end on the next day */
      timeRange: z.string(),
      startLocal: z.string(),
      endLocal: z.string(),
      aircraftCodeId: z.number(),
      notes: z.string().nullable(),
    }),
  ),
});
export type ScheduleDto = z.infer<typeof schedule>;
