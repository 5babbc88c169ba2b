/** The source Tacview: a recording of a mission that an admin sends. It is read and not kept. */
import type { MissionFileReader } from '#server/missions/mission-file/mission-file-thread.ts';
import type { Viewer } from '#server/platform/viewer.ts';
import type { Em } from '#server/schema/orm.ts';
import type { AttendanceReport } from '#shared/schemas/attendance.ts';
import { addSighting, requireFlown } from './presences.ts';
import { getAttendanceReport } from './proposals.ts';

/**
 * Read a recording, and propose the attendance that follows.
 * @throws AppError 400 with one sentence for a file that cannot be read; 404; 409 before the mission is over, and for a
 * recording of another time
 */
export async function addRecording(
  em: Em,
  reader: Pick<MissionFileReader, 'readRecording'>,
  viewer: Viewer,
  { id, file }: { id: string; file: Uint8Array },
  now: Date,
): Promise<AttendanceReport> {
  await requireFlown(em, id, now);
  const { covers, aboard } = await reader.readRecording(file);
  await addSighting(em, viewer, id, { source: 'tacview', covers, seen: aboard }, now);
  return getAttendanceReport(em, id);
}
