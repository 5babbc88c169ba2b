/** Schemas of the operations board: daily and weekly summary, expected pilots, heat map, recommended times, turnout alerts. */
import { z } from '#shared/zod.ts';
import { copy } from '#shared/copy.ts';
import {
  ANY_AIRCRAFT_ID,
  BUCKET_MINUTES,
  HEAT_DAYS,
  RECOMMENDATIONS,
  RECOMMENDED_MINUTES,
  SERIES_DAYS_MAX,
} from '#shared/limits.ts';
import { TURNOUT_STAGES } from '#shared/vocabulary.ts';
import { dateInput, instantInput, isoInstant, timeZoneInput, wholeNumber } from './common.ts';

/** IANA time zone; UTC by default, as in all calls for admins. */
const zone = timeZoneInput.optional();

export const daySummaryInput = z.object({ day: dateInput.optional(), tz: zone });
export const daySummary = z
  .object({
    date: z.string(),
    timeZone: z.string(),
    missions: z.number(),
    flights: z.number(),
    /** Number of accepted seats. */
    pilotsAssigned: z.number(),
    /** Number of seats without an accepted pilot. */
    awaitingSlots: z.number(),
    /** Number of distinct pilots with any availability on that day. */
    expectedPilots: z.number(),
  })
  .meta({ id: 'DaySummary' });

export const weeklySummaryInput = z.object({ startDate: dateInput.optional(), tz: zone });
export const weeklySummary = z
  .object({
    startDate: z.string(),
    timeZone: z.string(),
    /** Seven local dates, beginning with `startDate`. */
    dailySummaries: z.array(
      z.object({
        dateLocal: z.string(),
        /** Weekday from 0 (Sunday) to 6 (Saturday). */
        dayOfWeek: z.number(),
        missions: z.number(),
        flights: z.number(),
        pilotsAssigned: z.number(),
        awaitingSlots: z.number(),
      }),
    ),
    /** Launches from now to the end of those days, grouped by time and soonest first, at most 20. */
    upcomingLaunches: z.array(z.object({ time: isoInstant, flights: z.number(), seats: z.number() })),
  })
  .meta({ id: 'WeekSummary' });
export type WeeklySummaryDto = z.infer<typeof weeklySummary>;

export const expectedOnlineInput = z
  .object({
    from: instantInput(),
    to: instantInput(),
    /** Length of one bucket, minutes. */
    bucket: wholeNumber(BUCKET_MINUTES.min, BUCKET_MINUTES.max, copy.bucketRange).default(BUCKET_MINUTES.initial),
  })
  .refine(({ from, to }) => Date.parse(from) < Date.parse(to), { path: ['to'], message: copy.rangeWithoutLength })
  .refine(({ from, to }) => Date.parse(to) - Date.parse(from) <= SERIES_DAYS_MAX * 86_400_000, {
    path: ['to'],
    message: copy.rangeTooLong,
  });
export const expectedOnline = z
  .object({
    bucketMinutes: z.number(),
    points: z.array(
      z.object({
        startUtc: isoInstant,
        /** Number of pilots available for the whole bucket. */
        expected: z.number(),
        /** Number of pilots available for only a part of the bucket. */
        partial: z.number(),
        /** Number of accepted seats in missions that overlap the bucket. */
        committed: z.number(),
      }),
    ),
  })
  .meta({ id: 'ExpectedOnline' });
export type ExpectedOnlineDto = z.infer<typeof expectedOnline>;

export const heatInput = z.object({
  startDate: dateInput.optional(),
  tz: zone,
  /** Id of an aircraft: counts availability for it and for any aircraft. 0 counts all availability. */
  aircraftId: wholeNumber(0, 32_767, copy.unknownAircraft).default(ANY_AIRCRAFT_ID),
});
export const heat = z
  .object({
    startDate: z.string(),
    timeZone: z.string(),
    aircraftId: z.number(),
    days: z
      .array(
        z.object({
          dateLocal: z.string(),
          /** The hours of that local day in order: 23, 24 or 25. */
          hours: z.array(
            z.object({
              startUtc: isoInstant,
              /** Start of the hour on that date, `HH:mm`. */
              startLocal: z.string(),
              /** Number of pilots available for the whole hour who hold no seat at that time. */
              pilots: z.number(),
            }),
          ),
        }),
      )
      .length(HEAT_DAYS),
  })
  .meta({ id: 'HeatMap' });
export type HeatDto = z.infer<typeof heat>;

export const recommendedTimesInput = z.object({
  date: dateInput,
  tz: zone,
  /** Minimum mission length, minutes. */
  minDuration: wholeNumber(RECOMMENDED_MINUTES.min, RECOMMENDED_MINUTES.max, copy.minDurationRange).default(
    RECOMMENDED_MINUTES.initial,
  ),
  limit: wholeNumber(RECOMMENDATIONS.min, RECOMMENDATIONS.max, copy.limitRange).default(RECOMMENDATIONS.initial),
});
export const recommendedTimes = z
  .object({
    /** Zone of the local times below: `tz`, by default UTC. Pass it on with them to create a mission. */
    timeZone: z.string(),
    /** Number of distinct pilots with any availability that day. */
    totalAvailableUsers: z.number(),
    recommendations: z.array(
      z.object({
        rank: z.number(),
        startLocal: z.string(),
        endLocal: z.string(),
        startUtc: isoInstant,
        endUtc: isoInstant,
        participantCount: z.number(),
        reason: z.string(),
        /** Call signs, in the order of `availableUserIds`. */
        availableUserNames: z.array(z.string()),
        availableUserIds: z.array(z.string()),
      }),
    ),
  })
  .meta({ id: 'RecommendedTimes' });
export type RecommendationDto = z.infer<typeof recommendedTimes>['recommendations'][number];

/** Missions in the next 7 days that are unlikely to have enough pilots, soonest first. */
export const turnoutAlerts = z.array(
  z.object({
    missionId: z.string(),
    missionName: z.string(),
    startUtc: isoInstant,
    endUtc: isoInstant,
    /** The shortest of the three periods that the mission starts within. */
    stage: z.enum(TURNOUT_STAGES),
    seats: z.number(),
    accepted: z.number(),
    pending: z.number(),
    /** Number of pilots that the mission needs. */
    enough: z.number(),
    /** Expected number of pilots who show up, not rounded. */
    expected: z.number(),
    /** Probability that enough pilots show up, 0 to 1. */
    probability: z.number(),
  }),
);
export type TurnoutAlertDto = z.infer<typeof turnoutAlerts>[number];
