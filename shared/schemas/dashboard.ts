/** The admins' board: what is coming, who will be there, and when a mission would find its pilots. */
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

/** `tz` is UTC when it is left out, as everywhere in the admins' calls. */
const zone = timeZoneInput.optional();

export const daySummaryInput = z.object({ day: dateInput.optional(), tz: zone });
export const daySummary = z.object({
  date: z.string(),
  timeZone: z.string(),
  missions: z.number(),
  flights: z.number(),
  /** accepted seats */
  pilotsAssigned: z.number(),
  /** seats without an accepted pilot */
  awaitingSlots: z.number(),
  /** distinct pilots with any window on that day */
  expectedPilots: z.number(),
});

export const weeklySummaryInput = z.object({ startDate: dateInput.optional(), tz: zone });
export const weeklySummary = z.object({
  startDate: z.string(),
  timeZone: z.string(),
  /** seven local dates from the start */
  dailySummaries: z.array(
    z.object({
      dateLocal: z.string(),
      /** 0 is Sunday */
      dayOfWeek: z.number(),
      missions: z.number(),
      flights: z.number(),
      pilotsAssigned: z.number(),
      awaitingSlots: z.number(),
    }),
  ),
  /** flights that launch from now within those days, by instant, at most 20 */
  upcomingLaunches: z.array(z.object({ time: isoInstant, flights: z.number(), seats: z.number() })),
});
export type WeeklySummaryDto = z.infer<typeof weeklySummary>;

export const expectedOnlineInput = z
  .object({
    from: instantInput(),
    to: instantInput(),
    /** minutes */
    bucket: wholeNumber(BUCKET_MINUTES.min, BUCKET_MINUTES.max, copy.bucketRange).default(BUCKET_MINUTES.initial),
  })
  .refine(({ from, to }) => Date.parse(from) < Date.parse(to), { path: ['to'], message: copy.rangeWithoutLength })
  .refine(({ from, to }) => Date.parse(to) - Date.parse(from) <= SERIES_DAYS_MAX * 86_400_000, {
    path: ['to'],
    message: copy.rangeTooLong,
  });
export const expectedOnline = z.object({
  bucketMinutes: z.number(),
  points: z.array(
    z.object({
      startUtc: isoInstant,
      /** pilots available for all of the bucket */
      expected: z.number(),
      /** pilots available for a part of it only */
      partial: z.number(),
      /** accepted seats that overlap it */
      committed: z.number(),
    }),
  ),
});
export type ExpectedOnlineDto = z.infer<typeof expectedOnline>;

export const heatInput = z.object({
  startDate: dateInput.optional(),
  tz: zone,
  /** 0 counts windows for every aircraft; another id those for it and for any */
  aircraftId: wholeNumber(0, 32_767, copy.unknownAircraft).default(ANY_AIRCRAFT_ID),
});
export const heat = z.object({
  startDate: z.string(),
  timeZone: z.string(),
  aircraftId: z.number(),
  days: z
    .array(
      z.object({
        dateLocal: z.string(),
        /** the hours of that local day in order: 23, 24 or 25 of them */
        hours: z.array(
          z.object({
            startUtc: isoInstant,
            /** `HH:mm` on that date */
            startLocal: z.string(),
            /** pilots available for all of the hour who hold no seat in it */
            pilots: z.number(),
          }),
        ),
      }),
    )
    .length(HEAT_DAYS),
});
export type HeatDto = z.infer<typeof heat>;

export const recommendedTimesInput = z.object({
  date: dateInput,
  tz: zone,
  /** minutes */
  minDuration: wholeNumber(RECOMMENDED_MINUTES.min, RECOMMENDED_MINUTES.max, copy.minDurationRange).default(
    RECOMMENDED_MINUTES.initial,
  ),
  limit: wholeNumber(RECOMMENDATIONS.min, RECOMMENDATIONS.max, copy.limitRange).default(RECOMMENDATIONS.initial),
});
export const recommendedTimes = z.object({
  /** distinct pilots with any window that day */
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
      /** in the order of `availableUserIds` */
      availableUserNames: z.array(z.string()),
      availableUserIds: z.array(z.string()),
    }),
  ),
});
export type RecommendationDto = z.infer<typeof recommendedTimes>['recommendations'][number];

/** Missions of the next 7 days that will hardly have enough pilots, the next one first. */
export const turnoutAlerts = z.array(
  z.object({
    missionId: z.string(),
    missionName: z.string(),
    startUtc: isoInstant,
    endUtc: isoInstant,
    /** the nearest of the three marks that the mission is within */
    stage: z.enum(TURNOUT_STAGES),
    seats: z.number(),
    accepted: z.number(),
    pending: z.number(),
    /** how many have to turn up to be enough */
    enough: z.number(),
    /** pilots who will turn up, on average */
    expected: z.number(),
    /** of enough turning up, 0 to 1 */
    probability: z.number(),
  }),
);
export type TurnoutAlertDto = z.infer<typeof turnoutAlerts>[number];
