/** Schemas of one pilot's availability, schedule and assignments, for admins. */
import { z } from '#shared/zod.ts';
import { copy } from '#shared/copy.ts';
import { UPCOMING_DAYS } from '#shared/limits.ts';
import { MISSION_STATUSES, RSVPS, WINDOW_SOURCES } from '#shared/vocabulary.ts';
import { user } from './auth.ts';
import { busyTime } from './availability.ts';
import { leave } from './leave.ts';
import {
  endTime,
  idInput,
  isoInstant,
  localDate,
  localDateTime,
  preferredAircraftId,
  rowId,
  seatIndex,
  timeZoneInput,
  wallTime,
  weekday,
  wholeNumber,
  zoneName,
} from './common.ts';
import { proficiency } from './profile.ts';

export const availabilitySummaryInput = z.object({
  id: idInput.meta({ description: 'Id of the pilot.' }),
  upcomingDays: wholeNumber(UPCOMING_DAYS.min, UPCOMING_DAYS.max, copy.daysRange)
    .default(UPCOMING_DAYS.initial)
    .meta({ description: 'Days to look ahead.' }),
  tz: timeZoneInput.optional().meta({ description: 'Time zone of the answer; UTC by default.', default: 'UTC' }),
});

/** A seat that the pilot holds or held; a pending one is listed only while its mission is upcoming. */
const assignedMission = z
  .object({
    missionId: rowId.meta({ description: 'Id of the mission.' }),
    missionName: z.string().meta({ description: 'Name of the mission.', examples: ['Iron Anvil'] }),
    theater: z.string().meta({ description: 'Theater of the mission.', examples: ['Syria'] }),
    packageCallsign: z.string().meta({ description: 'Callsign of the package.', examples: ['ALPHA'] }),
    flightCallsign: z.string().meta({ description: 'Callsign of the flight.', examples: ['VIPER 1'] }),
    aircraftName: z.string().meta({ description: 'Aircraft of the flight.', examples: ['F-16C Viper'] }),
    seatIndex,
    startLocal: localDateTime.meta({ description: 'Start of the mission in the time zone of the answer.' }),
    endLocal: localDateTime.meta({ description: 'End of the mission in the time zone of the answer.' }),
    startUtc: isoInstant.meta({ description: 'Start of the mission.' }),
    endUtc: isoInstant.meta({ description: 'End of the mission.' }),
    status: z.enum(MISSION_STATUSES).meta({ description: 'Status of the mission.' }),
    rsvp: z.enum(RSVPS).meta({ description: "The pilot's answer." }),
  })
  .meta({ id: 'AssignedMission', description: 'A seat that a pilot holds or held.' });
export type AssignedMissionDto = z.infer<typeof assignedMission>;

const notes = z
  .string()
  .nullable()
  .meta({ description: "The pilot's notes.", examples: ['Home from work at seven'] });

export const availabilitySummary = z
  .object({
    user: user.meta({ description: 'The pilot.' }),
    leave: leave.nullable().meta({ description: 'The leave of absence, now or ahead; null for none.' }),
    timeZone: zoneName,
    availabilityWindows: z
      .array(
        z.object({
          dateLocal: localDate.meta({ description: 'Date of the window.' }),
          startLocal: wallTime.meta({ description: 'Start on that date.' }),
          endLocal: endTime.meta({ description: 'End on that date; `24:00` is midnight at its end.' }),
          source: z.enum(WINDOW_SOURCES).meta({ description: 'What makes the pilot free.' }),
          aircraftCodeId: preferredAircraftId,
          notes,
        }),
      )
      .meta({ description: 'Free times, by start.' }),
    busyTimes: z.array(busyTime.extend({ dateLocal: localDate.meta({ description: 'Date of the time.' }) })).meta({
      description: "Times that the pilot's calendars elsewhere take away, and nothing else about them.",
    }),
    aircraftProficiencies: z.array(proficiency).meta({ description: 'Aircraft and levels of the pilot.' }),
    upcomingMissions: z.array(assignedMission).meta({ description: 'Upcoming missions, the soonest first.' }),
    previousMissions: z
      .array(assignedMission)
      .meta({ description: 'Missions that have ended, the latest first, at most 50.' }),
  })
  .meta({ id: 'AvailabilitySummary', description: "A pilot's free times, aircraft and missions." });
export type AvailabilitySummaryDto = z.infer<typeof availabilitySummary>;

/** Without `tz` the schedule is in the pilot's own time zone. */
export const scheduleInput = z.object({
  id: idInput.meta({ description: 'Id of the pilot.' }),
  tz: timeZoneInput.optional().meta({ description: "Time zone of the answer; the pilot's own by default." }),
});
export const schedule = z
  .object({
    user: user.meta({ description: 'The pilot.' }),
    timeZone: zoneName,
    schedule: z
      .array(
        z.object({
          dayOfWeek: weekday,
          timeRange: z.string().meta({
            description: 'Start and end, with `+1` after an end on the next day.',
            examples: ['18:00 - 22:00', '22:00 - 01:00 +1'],
          }),
          startLocal: wallTime.meta({ description: 'Start.' }),
          endLocal: endTime.meta({ description: 'End; before the start, it is on the next day. `24:00` is midnight.' }),
          aircraftCodeId: preferredAircraftId,
          notes,
        }),
      )
      .meta({ description: 'Slots of the active template, by weekday and start.' }),
  })
  .meta({ id: 'Schedule', description: "A pilot's week." });
export type ScheduleDto = z.infer<typeof schedule>;
