/** Documentation of the calls for series of missions. */
import type { OperationDocs, ProcedureName } from './docs.ts';

export const SERIES_DOCS = {
  'admin.series.list': {
    id: 'listSeries',
    tag: 'Templates and series',
    summary: 'List series',
    answer: 'The series that go on, by name, each with its coming dates.',
  },
  'admin.series.create': {
    id: 'createSeries',
    tag: 'Templates and series',
    summary: 'Repeat a mission or a template',
    description:
      'A background job makes the missions as drafts, as far ahead as the horizon, and publishes them if the series says so. An installation can have 100 series.',
    refusals: [
      'MISSION_NOT_FOUND',
      'MISSION_TEMPLATE_NOT_FOUND',
      'SERIES_ALREADY',
      'SERIES_OF_PRACTICE',
      'LIMIT_REACHED',
    ],
  },
  'admin.series.update': {
    id: 'updateSeries',
    tag: 'Templates and series',
    summary: 'Change a series, or its following dates',
    description:
      'Coming missions are edited like any mission. One that was edited by itself stays as it is. Drafts on dates that the series no longer has are cancelled; published missions there stay, on their own.',
    refusals: ['SERIES_NOT_FOUND', 'SERIES_ENDED', 'SERIES_DATE', 'LIMIT_REACHED'],
  },
  'admin.series.adopt': {
    id: 'adoptMission',
    tag: 'Templates and series',
    summary: 'Take a mission over into its series',
    description: 'The other missions are edited as by a change of the series.',
    refusals: ['SERIES_NOT_FOUND', 'SERIES_ENDED', 'SERIES_DATE', 'LIMIT_REACHED'],
  },
  'admin.series.skip': {
    id: 'skipSeriesDate',
    tag: 'Templates and series',
    summary: 'Skip a date of a series',
    description: 'Its mission is cancelled, and never made again.',
    refusals: ['SERIES_NOT_FOUND', 'SERIES_ENDED', 'SERIES_DATE'],
  },
  'admin.series.end': {
    id: 'endSeries',
    tag: 'Templates and series',
    summary: 'End a series',
    description: 'Coming drafts are cancelled.',
    refusals: ['SERIES_NOT_FOUND', 'SERIES_ENDED'],
  },
  'admin.series.takeOver': {
    id: 'takeSeriesOver',
    tag: 'Templates and series',
    summary: 'Take a series over',
    description: 'From now on its missions are those of the caller. A series that has paused goes on.',
    refusals: ['SERIES_NOT_FOUND', 'SERIES_ENDED'],
  },
} as const satisfies Record<Extract<ProcedureName, `admin.series.${string}`>, OperationDocs>;
