import { copy } from '#shared/copy.ts';
import { MISSION_FILE } from '#shared/limits.ts';
import { RECORDING } from '#shared/presence.ts';
import type { AttendanceReport } from '#shared/schemas/attendance.ts';
import type { UploadedMissionFile } from '#shared/schemas/mission-file.ts';

/** A file that was not read; the message is the sentence to show. */
export class UploadRefused extends Error {}

/** Sends a file as it is, beside tRPC, whose calls are JSON. @throws UploadRefused */
async function send(path: string, file: File): Promise<unknown> {
  const sent = fetch(`/api/v1${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/octet-stream' },
    body: file,
  });
  const response = await sent.catch(() => {
    throw new UploadRefused(copy.unknownError);
  });
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok) return answer;
  const message: unknown = Reflect.get(Object(answer), 'message');
  throw new UploadRefused(typeof message === 'string' ? message : `HTTP error! status: ${response.status}`);
}

/** @throws UploadRefused */
export async function uploadMissionFile(file: File): Promise<UploadedMissionFile> {
  if (file.size > MISSION_FILE.bytes) throw new UploadRefused(copy.missionFileTooLarge);
  const name = file.name.slice(0, MISSION_FILE.nameLength);
  return (await send(`/admin/mission-files?name=${encodeURIComponent(name)}`, file)) as UploadedMissionFile;
}

/** Sends a recording by Tacview of a mission that is over. @throws UploadRefused */
export async function uploadRecording(missionId: string, file: File): Promise<AttendanceReport> {
  if (file.size > RECORDING.bytes) throw new UploadRefused(copy.recordingTooLarge);
  return (await send(`/admin/missions/${missionId}/recordings`, file)) as AttendanceReport;
}
