/** Mission templates (missions without a date, kept to create others from), and series of missions with their dates. */
import { defineEntity } from '@mikro-orm/core';
import { THEATERS, type Theater } from '#shared/vocabulary.ts';
import type { MissionContent } from '#shared/mission-content.ts';
import { createdAt, id, oneOf, updatedAt } from './base.ts';
import { freeJson, freeText, p, smallints, text } from './columns.ts';
import { none, personal, quotes, shown } from './personal.ts';
import { Mission } from './mission.ts';
import { User } from './user.ts';

/** Names of texts in the content of a mission. */
const CONTENT_NAMES = ['name', 'notes', 'title', 'additionalNotes', 'callsign', 'objective'];

export const MissionTemplateSchema = defineEntity({
  name: 'MissionTemplate',
  properties: {
    id: id(),
    name: freeText(200, quotes('marks', 'as long as the template', { as: 'name' })),
    theater: text(none).$type<Theater>(),
    seats: p.smallint(),
    /** one value, because it is only read and written as a whole */
    content: freeJson<MissionContent>(CONTENT_NAMES, quotes('marks', 'as long as the template')),
    createdBy: () => p.manyToOne(User),
    createdAt: personal(createdAt(), shown('createdAt')),
    updatedAt: updatedAt(),
  },
  // upper and lower case are the same, since people tell templates apart by their names
  indexes: [
    {
      name: 'mission_template_name_key',
      expression: 'create unique index "mission_template_name_key" on "mission_template" (lower("name"))',
    },
  ],
  checks: [{ name: 'mission_template_theater_known', expression: oneOf('theater', THEATERS) }],
});
export class MissionTemplate extends MissionTemplateSchema.class {}
MissionTemplateSchema.setClass(MissionTemplate);

export const MissionSeriesSchema = defineEntity({
  name: 'MissionSeries',
  properties: {
    id: id(),
    /** what its missions are made from, with the wall time and the zone of their start */
    content: freeJson<MissionContent>(CONTENT_NAMES, quotes('marks', 'as long as the series')),
    /** 0 is Sunday */
    weekdays: smallints().$type<number[]>(),
    /** every so many weeks, counted from the week of `firstDate` */
    everyWeeks: p.smallint(),
    firstDate: personal(p.date().$type<string>(), shown('firstDate')),
    /** null for no end */
    lastDate: p.date().$type<string>().nullable(),
    /** how many weeks ahead its missions exist */
    horizonWeeks: p.smallint(),
    /** how many days ahead its missions are published by themselves; null: they stay drafts */
    publishDays: p.smallint().nullable(),
    /** grows with every change; occurrences of an earlier revision are still to be edited */
    revision: p.integer(),
    /** since its creator is no longer an admin; null while it goes on */
    pausedAt: p.datetime().nullable(),
    endedAt: p.datetime().nullable(),
    createdBy: () => p.manyToOne(User),
    createdAt: personal(createdAt(), shown('createdAt')),
    updatedAt: updatedAt(),
  },
  checks: [
    { name: 'mission_series_weekdays_known', expression: `weekdays <@ '{0,1,2,3,4,5,6}'::smallint[]` },
    { name: 'mission_series_every_weeks_range', expression: '((every_weeks >= 1) and (every_weeks <= 8))' },
    { name: 'mission_series_horizon_range', expression: '((horizon_weeks >= 1) and (horizon_weeks <= 12))' },
    { name: 'mission_series_publish_days_range', expression: '((publish_days >= 0) and (publish_days <= 14))' },
  ],
});
export class MissionSeries extends MissionSeriesSchema.class {}
MissionSeriesSchema.setClass(MissionSeries);

/** One date of a series: its mission, or why it has none. The key keeps a date from getting two missions. */
export const SeriesOccurrenceSchema = defineEntity({
  name: 'SeriesOccurrence',
  properties: {
    series: () => p.manyToOne(MissionSeries).primary().deleteRule('cascade'),
    /** in the zone of the series */
    dateLocal: p.date().$type<string>().primary(),
    /** null: not made yet, or skipped before it was */
    mission: () => p.manyToOne(Mission).nullable().unique(),
    isSkipped: p.boolean().default(false),
    /** edited separately: changes of the series leave it as it is */
    isOwn: p.boolean().default(false),
    /** the revision of the series that its mission has */
    revision: p.integer(),
    /** the last failure to make, edit or publish its mission, as a sentence; it is tried again */
    problem: freeText(500, none).nullable(),
    triedAt: p.datetime().nullable(),
  },
});
export class SeriesOccurrence extends SeriesOccurrenceSchema.class {}
SeriesOccurrenceSchema.setClass(SeriesOccurrence);
