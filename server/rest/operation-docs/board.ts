/** Documentation of the calls for the operations board. */
import type { OperationDocs, ProcedureName } from './docs.ts';

type Name = Extract<ProcedureName, `admin.dashboard.${string}`>;

export const BOARD_DOCS = {
  'admin.dashboard.summary': {
    id: 'getDaySummary',
    tag: 'Dashboard',
    summary: 'Get the figures of one day',
    description: 'Today by default, in `tz` (UTC by default).',
  },
  'admin.dashboard.weeklySummary': {
    id: 'getWeekSummary',
    tag: 'Dashboard',
    summary: 'Get the figures of seven days',
    description: 'Seven days from `startDate` (today by default), in `tz` (UTC by default), and the next launches.',
  },
  'admin.dashboard.expectedOnline': {
    id: 'getExpectedOnline',
    tag: 'Dashboard',
    summary: 'Get the expected pilots over time',
    description: 'Buckets of equal length from `from` to `to`, at most 31 days.',
  },
  'admin.dashboard.heat': {
    id: 'getHeatMap',
    tag: 'Dashboard',
    summary: 'Get the free pilots by hour for seven days',
    refusals: ['AIRCRAFT_NOT_FOUND'],
  },
  'admin.dashboard.turnout': {
    id: 'listTurnoutAlerts',
    tag: 'Dashboard',
    summary: 'List missions that may lack pilots',
    answer: 'Missions of the next 7 days that are unlikely to have enough pilots, the soonest first.',
  },
  'admin.dashboard.fillRate': {
    id: 'getFillRate',
    tag: 'Dashboard',
    summary: 'Get the share of filled seats by week',
    description: 'Of missions that have started in the last 12 weeks. Days are in `tz`, which is UTC by default.',
  },
  'admin.dashboard.recommendedTimes': {
    id: 'getRecommendedTimes',
    tag: 'Dashboard',
    summary: 'Get the best times for a mission on a date',
    description:
      'Times at which most pilots are free, ranked; with `seats`, times that fill most of these seats. Local times are in `tz`, which is UTC by default.',
    refusals: ['AIRCRAFT_NOT_FOUND'],
  },
} as const satisfies Record<Name, OperationDocs>;
