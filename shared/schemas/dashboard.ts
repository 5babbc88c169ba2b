/** Schemas of the operations board: daily and weekly summary, expected pilots, heat map, recommended times, turnout alerts. */
import { z } from '#shared/zod.ts';
import { copy } from '#shared/copy.ts';
import {
  ANY_AIRCRAFT_ID,
  BUCKET_MINUTES,
  HEAT_DAYS,
  RECOMMENDATIONS,
  RECOMMENDED_MINUTES,
  RECOMMENDED_PILOTS,
  SERIES_DAYS_MAX,
  SKIPPED_PILOTS_MAX,
} from '#shared/limits.ts';
import { SEAT_REQUEST_PATTERN, SEAT_REQUESTS_MAX } from '#shared/seat-request.ts';
import { BOARD_NEEDS } from '#shared/board-needs.ts';
import { TURNOUT_STAGES } from '#shared/vocabulary.ts';
import {
  count,
  dateInput,
  instantInput,
  isoInstant,
  localDate,
  localDateTime,
  rowId,
  timeZoneInput,
  wallTime,
  weekday,
  wholeNumber,
  zoneName,
} from './common.ts';

/** IANA time zone; UTC by default, as in all calls for admins. */
const zone = timeZoneInput.optional().meta({ description: 'Time zone of the answer; UTC by default.', default: 'UTC' });
const missions = count.meta({ description: 'Missions.', examples: [3] });
const flights = count.meta({ description: 'Flights of these missions.', examples: [9] });
const pilotsAssigned = count.meta({ description: 'Accepted seats.', examples: [14] });
const awaitingSlots = count.meta({ description: 'Seats without an accepted pilot.', examples: [6] });

export const daySummaryInput = z.object({
  day: dateInput.optional().meta({ description: 'The day; today by default.' }),
  tz: zone,
});
export const daySummary = z
  .object({
    date: localDate.meta({ description: 'The day.' }),
    timeZone: zoneName,
    missions,
    flights,
    pilotsAssigned,
    awaitingSlots,
    expectedPilots: count.meta({ description: 'Pilots who are free at any time of the day.', examples: [22] }),
  })
  .meta({ id: 'DaySummary', description: 'Figures of one day.' });

const startDate = dateInput.optional().meta({ description: 'First day; today by default.' });

export const weeklySummaryInput = z.object({ startDate, tz: zone });
export const weeklySummary = z
  .object({
    startDate: localDate.meta({ description: 'First day.' }),
    timeZone: zoneName,
    dailySummaries: z
      .array(
        z.object({
          dateLocal: localDate.meta({ description: 'The day.' }),
          dayOfWeek: weekday,
          missions,
          flights,
          pilotsAssigned,
          awaitingSlots,
        }),
      )
      .meta({ description: 'Seven days, beginning with `startDate`.' }),
    upcomingLaunches: z
      .array(
        z.object({
          time: isoInstant.meta({ description: 'Time of the launch.' }),
          flights: count.meta({ description: 'Flights that launch then.', examples: [2] }),
          seats: count.meta({ description: 'Seats of these flights.', examples: [6] }),
        }),
      )
      .meta({ description: 'Launches from now to the end of those days, the soonest first, at most 20.' }),
  })
  .meta({ id: 'WeekSummary', description: 'Figures of seven days.' });
export type WeeklySummaryDto = z.infer<typeof weeklySummary>;

export const expectedOnlineInput = z
  .object({
    from: instantInput().meta({ description: 'Start of the first bucket.' }),
    to: instantInput().meta({ description: 'End; after `from`, at most 31 days.', examples: ['2026-11-22T19:00:00Z'] }),
    bucket: wholeNumber(BUCKET_MINUTES.min, BUCKET_MINUTES.max, copy.bucketRange)
      .default(BUCKET_MINUTES.initial)
      .meta({ description: 'Length of one bucket in minutes.' }),
  })
  .refine(({ from, to }) => Date.parse(from) < Date.parse(to), { path: ['to'], message: copy.rangeWithoutLength })
  .refine(({ from, to }) => Date.parse(to) - Date.parse(from) <= SERIES_DAYS_MAX * 86_400_000, {
    path: ['to'],
    message: copy.rangeTooLong,
  });
export const expectedOnline = z
  .object({
    bucketMinutes: count.meta({ description: 'Length of one bucket in minutes.', examples: [30] }),
    points: z
      .array(
        z.object({
          startUtc: isoInstant.meta({ description: 'Start of the bucket.' }),
          expected: count.meta({ description: 'Pilots who are free for the whole bucket.', examples: [8] }),
          partial: count.meta({ description: 'Pilots who are free for only a part of the bucket.', examples: [2] }),
          committed: count.meta({ description: 'Accepted seats in missions that overlap the bucket.', examples: [5] }),
        }),
      )
      .meta({ description: 'Buckets in order.' }),
  })
  .meta({ id: 'ExpectedOnline', description: 'Expected pilots over time.' });
export type ExpectedOnlineDto = z.infer<typeof expectedOnline>;

export const heatInput = z.object({
  startDate,
  tz: zone,
  aircraftId: wholeNumber(0, 32_767, copy.unknownAircraft)
    .default(ANY_AIRCRAFT_ID)
    .meta({ description: 'Counts pilots who are free for this aircraft or for any. 0 counts all.' }),
});
export const heat = z
  .object({
    startDate: localDate.meta({ description: 'First day.' }),
    timeZone: zoneName,
    aircraftId: z
      .int()
      .min(0)
      .meta({ description: 'Id of the aircraft; 0 for all.', examples: [0] }),
    days: z
      .array(
        z.object({
          dateLocal: localDate.meta({ description: 'The day.' }),
          hours: z
            .array(
              z.object({
                startUtc: isoInstant.meta({ description: 'Start of the hour.' }),
                startLocal: wallTime.meta({ description: 'Start of the hour on that date.' }),
                pilots: count.meta({
                  description: 'Pilots who are free for the whole hour and hold no seat at that time.',
                  examples: [7],
                }),
              }),
            )
            .meta({ description: 'Hours of the day in order: 23, 24 or 25.' }),
        }),
      )
      .length(HEAT_DAYS)
      .meta({ description: 'Seven days in order.' }),
  })
  .meta({ id: 'HeatMap', description: 'Free pilots by hour.' });
export type HeatDto = z.infer<typeof heat>;

export const recommendedTimesInput = z.object({
  date: dateInput.meta({ description: 'Date of the mission.' }),
  tz: zone,
  minDuration: wholeNumber(RECOMMENDED_MINUTES.min, RECOMMENDED_MINUTES.max, copy.minDurationRange)
    .default(RECOMMENDED_MINUTES.initial)
    .meta({ description: 'Minimum length of the mission in minutes.' }),
  limit: wholeNumber(RECOMMENDATIONS.min, RECOMMENDATIONS.max, copy.limitRange)
    .default(RECOMMENDATIONS.initial)
    .meta({ description: 'Recommendations at most.' }),
  seats: z
    .string()
    .regex(SEAT_REQUEST_PATTERN, copy.seatRequests)
    .optional()
    .meta({
      description: `Seats that the mission needs, as id of the aircraft, \`x\`, and number of seats; separated by commas, at most ${SEAT_REQUESTS_MAX}. With it, times are ranked by how many of these seats could be filled, and last exactly \`minDuration\`.`,
      examples: ['2x4,5x2'],
    }),
  pilots: wholeNumber(RECOMMENDED_PILOTS.min, RECOMMENDED_PILOTS.max, copy.namedPilotsRange)
    .default(RECOMMENDED_PILOTS.initial)
    .meta({ description: 'Pilots named for each time at most, by call sign; `participantCount` counts all of them.' }),
  skipPilots: wholeNumber(0, SKIPPED_PILOTS_MAX, copy.skippedPilotsRange)
    .default(0)
    .meta({ description: 'How many of the pilots to leave out, for those who come after them.' }),
});
const recommendation = z
  .object({
    rank: z
      .int()
      .min(1)
      .meta({ description: 'Rank; 1 is the best time.', examples: [1] }),
    startLocal: localDateTime.meta({ description: 'Start in the requested time zone.' }),
    endLocal: localDateTime.meta({ description: 'End in the requested time zone.', examples: ['2026-11-21T22:00'] }),
    startUtc: isoInstant.meta({ description: 'Start.' }),
    endUtc: isoInstant.meta({ description: 'End.' }),
    participantCount: count.meta({ description: 'Pilots who are free for the whole time.', examples: [12] }),
    fillableSeats: count.optional().meta({
      description: 'How many of the requested seats could be filled, each by another pilot; only with `seats`.',
      examples: [6],
    }),
    reason: z.string().meta({
      description: 'Who is free, and for which aircraft, in words.',
      examples: ['2 pilots are free for 3 h; aircraft: 1 any, 1 F-16C'],
    }),
    availableUserNames: z.array(z.string()).meta({
      description: 'Call signs of the pilots asked for with `pilots` and `skipPilots`, in alphabetical order.',
      examples: [['Afterglow', 'Viper']],
    }),
    availableUserIds: z.array(rowId).meta({ description: 'Ids of these pilots.' }),
  })
  .meta({ id: 'Recommendation', description: 'A time at which many pilots are free.' });
export const recommendedTimes = z
  .object({
    timeZone: zoneName.meta({
      description: 'Zone of the local times: `tz`, by default UTC. Pass it on with them to create a mission.',
    }),
    totalAvailableUsers: count.meta({ description: 'Pilots who are free at any time of that day.', examples: [15] }),
    requestedSeats: count
      .optional()
      .meta({ description: 'Sum of the requested seats; only with `seats`.', examples: [6] }),
    recommendations: z.array(recommendation).meta({ description: 'Recommendations, the best first.' }),
  })
  .meta({ id: 'RecommendedTimes', description: 'The best times for a mission on a date.' });
export type RecommendationDto = z.infer<typeof recommendation>;

const turnoutAlert = z
  .object({
    missionId: rowId.meta({ description: 'Id of the mission.' }),
    missionName: z.string().meta({ description: 'Name of the mission.', examples: ['Iron Anvil'] }),
    startUtc: isoInstant.meta({ description: 'Start of the mission.' }),
    endUtc: isoInstant.meta({ description: 'End of the mission.' }),
    stage: z
      .enum(TURNOUT_STAGES)
      .meta({ description: 'The shortest of the three periods within which the mission starts.' }),
    seats: count.meta({ description: 'Seats of the mission.', examples: [12] }),
    accepted: count.meta({ description: 'Accepted seats.', examples: [5] }),
    pending: count.meta({ description: 'Orders that wait for an answer.', examples: [3] }),
    enough: count.meta({ description: 'Pilots that the mission needs.', examples: [8] }),
    expected: z
      .number()
      .min(0)
      .meta({ description: 'Pilots who are expected to show up, not rounded.', examples: [5.9] }),
    probability: z
      .number()
      .min(0)
      .max(1)
      .meta({ description: 'Probability that enough pilots show up.', examples: [0.31] }),
  })
  .meta({ id: 'TurnoutAlert', description: 'A mission that is unlikely to have enough pilots.' });
/** Missions in the next 7 days that are unlikely to have enough pilots, soonest first. */
export const turnoutAlerts = z.array(turnoutAlert);
export type TurnoutAlertDto = z.infer<typeof turnoutAlert>;

const boardNeed = turnoutAlert
  .extend({
    kind: z.enum(BOARD_NEEDS).meta({ description: 'Too few pilots, or pilots who have kept silent for a while.' }),
    pilots: count.meta({ description: 'Pilots who can be nudged; 0 for `short`.', examples: [3] }),
  })
  .meta({ id: 'BoardNeed', description: 'What a mission needs of an admin, with its expected turnout.' });
/** Missions of the next 7 days that need an admin, soonest first. */
export const boardNeeds = z.array(boardNeed);
export type BoardNeedDto = z.infer<typeof boardNeed>;

export const fillRateInput = z.object({ tz: zone });
export const fillRate = z
  .object({
    timeZone: zoneName,
    weeks: z
      .array(
        z.object({
          startDate: localDate.meta({ description: 'First day of the week.' }),
          endDate: localDate.meta({ description: 'Last day of the week.' }),
          missions,
          seats: count.meta({ description: 'Seats of these missions.', examples: [36] }),
          filled: count.meta({ description: 'Seats that a pilot had accepted at the start.', examples: [31] }),
        }),
      )
      .meta({ description: 'Twelve weeks of seven days, the last of which ends today, the oldest first.' }),
  })
  .meta({ id: 'FillRate', description: 'Seats filled at the start of missions, by week.' });
export type FillRateDto = z.infer<typeof fillRate>;
