/** The operations that scripts need more than pages do: lists by date range, the whole week, one user, the vocabulary. */
import type { Operation } from './operations.ts';

const today = () => new Date().toISOString().slice(0, 10);
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const slots = [{ weekday: 3, startLocal: '18:00', endLocal: '23:00', aircraftCodeId: 0, notes: null }];
const NO_ROW = '0192c0de-0000-7000-8000-000000000000';

export const SCRIPT_OPERATIONS: Record<string, Operation> = {
  'pilot.user': { policy: 'selfPilot', input: ({ id }) => ({ id }) },
  'pilot.vocabulary.theaters': { policy: 'public', input: () => undefined },
  'pilot.vocabulary.roles': { policy: 'public', input: () => undefined },
  'pilot.vocabulary.timeZones': { policy: 'public', input: () => undefined },
  'pilot.missions.list': { policy: 'pilot', input: () => ({ from: today(), to: inDays(14), tz: 'Asia/Tokyo' }) },
  'pilot.missions.get': { policy: 'pilot', input: ({ missionId }) => ({ id: missionId, tz: 'Asia/Tokyo' }) },
  'pilot.thread.list': { policy: 'pilot', input: ({ missionId }) => ({ id: missionId, pageSize: 20 }) },
  'pilot.thread.add': {
    policy: 'pilot',
    input: ({ missionId }) => ({ id: missionId, text: 'Tanker track moved **north**.', side: null }),
  },
  'pilot.thread.edit': {
    policy: 'pilot',
    input: ({ missionId }) => ({ id: missionId, commentId: NO_ROW, text: 'Tanker track moved south.' }),
    refusal: ['COMMENT_NOT_FOUND', 'This comment is gone'],
  },
  'pilot.thread.remove': {
    policy: 'pilot',
    input: ({ missionId }) => ({ id: missionId, commentId: NO_ROW }),
    refusal: ['COMMENT_NOT_FOUND', 'This comment is gone'],
  },
  'admin.missions': { policy: 'admin', input: () => ({ from: today(), to: inDays(14), tz: 'Asia/Tokyo' }) },
  'admin.attendance': { policy: 'admin', input: () => ({ from: inDays(-30), to: today(), tz: 'Asia/Tokyo' }) },
  'availability.saveWeek': { policy: 'selfPilot', input: ({ id }) => ({ id, slots }) },
  'availability.removeTemplate': {
    policy: 'selfPilot',
    input: ({ id }) => ({ id, templateId: NO_ROW }),
    refusal: ['TEMPLATE_NOT_FOUND', 'Availability template not found'],
  },
};
