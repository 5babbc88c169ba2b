/** Documentation of the calls for mission templates. */
import type { OperationDocs, ProcedureName } from './docs.ts';

export const MISSION_TEMPLATE_DOCS = {
  'admin.missionTemplates.list': {
    id: 'listMissionTemplates',
    tag: 'Templates and series',
    summary: 'List mission templates',
    answer: 'The templates by name, then the starters, which come with Marshal.',
  },
  'admin.missionTemplates.get': {
    id: 'getMissionTemplate',
    tag: 'Templates and series',
    summary: 'Read a mission template',
    description: 'Aircraft that are no longer offered are left out, and named.',
    refusals: ['MISSION_TEMPLATE_NOT_FOUND'],
  },
  'admin.missionTemplates.create': {
    id: 'createMissionTemplate',
    tag: 'Templates and series',
    summary: 'Keep a mission as a template',
    description: 'An installation can have 2,000 templates.',
    refusals: ['MISSION_NOT_FOUND', 'TEMPLATE_NAME_TAKEN', 'LIMIT_REACHED'],
  },
  'admin.missionTemplates.update': {
    id: 'updateMissionTemplate',
    tag: 'Templates and series',
    summary: 'Rename or overwrite a mission template',
    description: 'Missions and series that were made from it stay as they are.',
    refusals: ['MISSION_TEMPLATE_NOT_FOUND', 'MISSION_NOT_FOUND', 'TEMPLATE_NAME_TAKEN'],
  },
  'admin.missionTemplates.remove': {
    id: 'deleteMissionTemplate',
    tag: 'Templates and series',
    summary: 'Delete a mission template',
    description: 'Missions and series that were made from it stay as they are.',
    refusals: ['MISSION_TEMPLATE_NOT_FOUND'],
  },
} as const satisfies Record<Extract<ProcedureName, `admin.missionTemplates.${string}`>, OperationDocs>;
