/** Schemas of series of missions: their rule, their coming dates, and changes to them. */
import { z } from '#shared/zod.ts';
import { copy } from '#shared/copy.ts';
import { SERIES } from '#shared/limits.ts';
import { OCCURRENCE_STATES, THEATERS } from '#shared/vocabulary.ts';
import {
  count,
  dateInput,
  idInput,
  isoInstant,
  localDate,
  rowId,
  timeZoneInput,
  wallTime,
  wallTimeInput,
  weekday,
  zoneName,
} from './common.ts';
import { anyTemplateInput } from './mission-templates.ts';

const whole = (min: number, max: number, sentence: string) =>
  z.int({ error: sentence }).min(min, sentence).max(max, sentence);

const weekdaysInput = z
  .array(whole(0, 6, copy.seriesWeekdays), { error: copy.seriesWeekdays })
  .min(1, copy.seriesWeekdays)
  .max(7, copy.seriesWeekdays)
  .transform((days) => [...new Set(days)].toSorted((a, b) => a - b))
  .meta({ description: 'Weekdays from 0 (Sunday) to 6 (Saturday).', examples: [[3]] });

const ruleInput = {
  weekdays: weekdaysInput.optional(),
  everyWeeks: whole(1, SERIES.everyWeeksMax, copy.seriesEveryWeeks)
    .optional()
    .meta({ description: 'Every so many weeks, counted from the week of the first date.', default: 1 }),
  startLocal: wallTimeInput.optional().meta({ description: 'Start, as a wall time in `timeZone`.' }),
  minutes: whole(SERIES.minutes.min, SERIES.minutes.max, copy.seriesMinutes)
    .optional()
    .meta({ description: 'Minutes from the start to the end.', examples: [180] }),
  timeZone: timeZoneInput.optional(),
  lastDate: dateInput.nullable().optional().meta({ description: 'Last date; null for no end.' }),
  horizonWeeks: whole(1, SERIES.horizonWeeks.max, copy.seriesHorizon)
    .optional()
    .meta({ description: 'How many weeks ahead its missions exist.', default: SERIES.horizonWeeks.initial }),
  publishDays: whole(0, SERIES.publishDaysMax, copy.seriesPublishDays).nullable().optional().meta({
    description:
      'How many days ahead a mission is published automatically, at 08:00 in `timeZone` and two hours before the start at the latest; null: it stays a draft.',
  }),
};

const seriesId = idInput.meta({ description: 'Id of the series.' });

export const createSeriesInput = z
  .object({
    missionId: idInput
      .optional()
      .meta({ description: 'Id of the mission to repeat, which becomes the first one of the series.' }),
    templateId: anyTemplateInput.shape.id
      .optional()
      .meta({ description: 'Id of a template or a starter to make missions from.' }),
    firstDate: dateInput
      .optional()
      .meta({ description: "First date; by default the mission's, or today for a template." }),
    ...ruleInput,
  })
  .refine(({ missionId, templateId }) => (missionId === undefined) !== (templateId === undefined), copy.seriesSource)
  .meta({ id: 'CreateSeries', description: 'A series to make from a mission or from a template. Give one of both.' });

export const updateSeriesInput = z
  .object({
    id: seriesId,
    from: dateInput.optional().meta({
      description:
        'A date of the series: it and the following ones change, and become a series of their own. Without it, all coming ones change.',
    }),
    ...ruleInput,
  })
  .meta({ id: 'UpdateSeries', description: 'Changes of a series; omitted fields stay unchanged.' });
export type UpdateSeriesInput = z.infer<typeof updateSeriesInput>;

export const adoptInput = z
  .object({
    missionId: idInput.meta({ description: 'Id of a mission of a series.' }),
    scope: z
      .enum(['following', 'all'], { error: copy.seriesScope })
      .meta({ description: 'Which missions take over what this one says: the following ones, or all coming ones.' }),
  })
  .meta({
    id: 'AdoptMission',
    description: 'A mission that its series takes over, with its time of day, not its date.',
  });

export const skipDateInput = z
  .object({ id: seriesId, date: dateInput.meta({ description: 'A coming date of the series.' }) })
  .meta({ id: 'SkipDate', description: 'A date on which the series has no mission.' });
export const endSeriesInput = z
  .object({
    id: seriesId,
    cancelPublished: z
      .boolean({ error: copy.trueOrFalse })
      .meta({ description: 'True to cancel the coming missions that are published, too.' }),
  })
  .meta({ id: 'EndSeries', description: 'How a series ends.' });
export const seriesInput = z.object({ id: seriesId });

const occurrence = z
  .object({
    date: localDate.meta({ description: 'Date in the zone of the series.' }),
    startUtc: isoInstant.meta({ description: 'Start of the mission.' }),
    endUtc: isoInstant.meta({ description: 'End of the mission.' }),
    state: z.enum(OCCURRENCE_STATES).meta({
      description: '`planned` has no mission yet; `skipped` and `cancelled` get none.',
    }),
    missionId: rowId.nullable().meta({ description: 'Id of its mission; null before it is made.' }),
    isOwn: z.boolean().meta({ description: 'True when it was edited separately: changes of the series leave it.' }),
    publishAt: isoInstant.nullable().meta({ description: 'When it is published automatically; null for never.' }),
    problem: z.string().nullable().meta({
      description: 'Why it could not be made, edited or published; it is tried again. Null without a failure.',
    }),
  })
  .meta({ id: 'SeriesOccurrence', description: 'One date of a series.' });
export type OccurrenceDto = z.infer<typeof occurrence>;

export const missionSeries = z
  .object({
    id: rowId.meta({ description: 'Id of the series.' }),
    name: z.string().meta({ description: 'Name of its missions.', examples: ['Iron Anvil'] }),
    theater: z.enum(THEATERS).meta({ description: 'Theater of its missions.' }),
    seats: count.meta({ description: 'Seats of each mission.', examples: [12] }),
    seatRequest: z.string().meta({
      description: 'The seats by aircraft, as recommended times ask for them.',
      examples: ['2x4,5x2'],
    }),
    weekdays: z.array(weekday).meta({ description: 'Its weekdays.' }),
    everyWeeks: z.int().meta({ description: 'Every so many weeks.', examples: [1] }),
    startLocal: wallTime.meta({ description: 'Start, as a wall time in `timeZone`.' }),
    minutes: z.int().meta({ description: 'Minutes from the start to the end.', examples: [180] }),
    timeZone: zoneName,
    firstDate: localDate.meta({ description: 'First date.' }),
    lastDate: localDate.nullable().meta({ description: 'Last date; null for no end.' }),
    horizonWeeks: z.int().meta({ description: 'How many weeks ahead its missions exist.', examples: [4] }),
    publishDays: z
      .int()
      .nullable()
      .meta({ description: 'How many days ahead missions are published; null for never.' }),
    createdByName: z.string().meta({ description: 'Name of the admin whose missions they are.', examples: ['Ops'] }),
    pausedReason: z
      .string()
      .nullable()
      .meta({ description: 'Why it makes and publishes nothing at present; null while it goes on.' }),
    occurrences: z.array(occurrence).meta({ description: 'Its coming dates as far as its horizon.' }),
  })
  .meta({ id: 'MissionSeries', description: 'Missions that repeat on weekdays.' });
export type MissionSeriesDto = z.infer<typeof missionSeries>;
export const seriesList = z.array(missionSeries);

export const changedSeries = z
  .object({
    id: rowId.meta({ description: 'Id of the series that has the change: a new one when the series was split.' }),
  })
  .meta({ id: 'ChangedSeries', description: 'A series that was made or changed.' });
export const endedSeries = z
  .object({
    removedDrafts: count.meta({ description: 'Coming drafts that were cancelled.', examples: [3] }),
    cancelled: count.meta({ description: 'Coming published missions that were cancelled.', examples: [0] }),
    kept: count.meta({ description: 'Coming published missions that stay.', examples: [1] }),
  })
  .meta({ id: 'EndedSeries', description: 'What became of the missions of a series that ended.' });
