/** The operations that list missions by date range. */
import type { Operation } from './operations.ts';

const today = () => new Date().toISOString().slice(0, 10);
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

export const MISSION_LIST_OPERATIONS: Record<string, Operation> = {
  'missions.list': { policy: 'pilot', input: () => ({ from: today(), to: inDays(14), tz: 'Asia/Tokyo' }) },
  'missions.get': { policy: 'pilot', input: ({ missionId }) => ({ id: missionId, tz: 'Asia/Tokyo' }) },
  'admin.missions': { policy: 'admin', input: () => ({ from: today(), to: inDays(14), tz: 'Asia/Tokyo' }) },
  'admin.attendance': { policy: 'admin', input: () => ({ from: inDays(-30), to: today(), tz: 'Asia/Tokyo' }) },
};
