/** Documentation of the pilots' calls for missions, and of the fixed lists. */
import type { OperationDocs, ProcedureName } from './docs.ts';

export const PILOT_MISSION_DOCS = {
  'missions.list': {
    id: 'listPilotMissions',
    tag: 'Calendar',
    summary: "List a pilot's missions and the open ones",
    description:
      'Published missions that start on these dates of `tz` and that the pilot has an order for, or could take a seat in.',
    answer: 'Missions by start.',
  },
  'missions.get': {
    id: 'getPilotMission',
    tag: 'Calendar',
    summary: 'Get one mission as a pilot sees it',
    description:
      "With a seat: the packages of the pilot's side in full, and nothing of the other side. Without one: the flights and their open seats, without frequencies, texts and crews. Admins read both sides.",
    refusals: ['MISSION_NOT_FOUND'],
  },
} as const satisfies Record<Extract<ProcedureName, `missions.${string}`>, OperationDocs>;

export const VOCABULARY_DOCS = {
  'vocabulary.theaters': {
    id: 'listTheaters',
    tag: 'Reference',
    summary: 'List theaters',
    answer: 'Theaters of missions.',
  },
  'vocabulary.roles': {
    id: 'listMissionRoles',
    tag: 'Reference',
    summary: 'List roles of flights',
    answer: 'Roles of flights.',
  },
  'vocabulary.timeZones': {
    id: 'listTimeZones',
    tag: 'Reference',
    summary: 'List time zones',
    answer: 'IANA time zones by name.',
  },
} as const satisfies Record<Extract<ProcedureName, `vocabulary.${string}`>, OperationDocs>;
