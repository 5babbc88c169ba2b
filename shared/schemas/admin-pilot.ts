/** Schemas of one pilot's availability, schedule and assignments, for admins. */
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

/** A seat that the pilot holds or held; a pending one is listed only while its mission is upcoming. */
const assignedMission = z
  .object({
    missionId: z.string(),
    missionName: z.string(),
    theater: z.string(),
    packageCallsign: z.string(),
    flightCallsign: z.string(),
    aircraftName: z.string(),
    seatIndex: z.number(),
    /** Start of the mission in the requested time zone, `YYYY-MM-DDTHH:mm`. */
    startLocal: z.string(),
    /** End of the mission in the requested time zone, `YYYY-MM-DDTHH:mm`. */
    endLocal: z.string(),
    startUtc: isoInstant,
    endUtc: isoInstant,
    /** Status of the mission. */
    status: z.enum(MISSION_STATUSES),
    rsvp: z.enum(RSVPS),
  })
  .meta({ id: 'AssignedMission' });
export type AssignedMissionDto = z.infer<typeof assignedMission>;

export const availabilitySummary = z
  .object({
    user,
    timeZone: z.string(),
    /** Windows of availability, by start; `HH:mm` on that date in the requested time zone, `24:00` for midnight at its end. */
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
    /** Upcoming missions, soonest first. */
    upcomingMissions: z.array(assignedMission),
    /** Missions that have ended, latest first, at most 50. */
    previousMissions: z.array(assignedMission),
  })
  .meta({ id: 'AvailabilitySummary' });
export type AvailabilitySummaryDto = z.infer<typeof availabilitySummary>;

/** Without `tz` the schedule is in the pilot's own time zone. */
export const scheduleInput = z.object({ id: idInput, tz: timeZoneInput.optional() });
export const schedule = z
  .object({
    user,
    timeZone: z.string(),
    schedule: z.array(
      z.object({
        /** Weekday from 0 (Sunday) to 6 (Saturday). */
        dayOfWeek: z.number(),
        /** Start and end, such as `18:00 - 22:00`, with `+1` after an end on the next day. */
        timeRange: z.string(),
        startLocal: z.string(),
        endLocal: z.string(),
        aircraftCodeId: z.number(),
        notes: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'Schedule' });
export type ScheduleDto = z.infer<typeof schedule>;
