import { copy } from '#shared/copy.ts';
import { MISSION_FILE } from '#shared/limits.ts';
import type { UploadedMissionFile } from '#shared/schemas/mission-file.ts';

/** A mission file that was not read; the message is the sentence to show. */
export class UploadRefused extends Error {}

/** Sends a mission file as it is, beside tRPC, whose calls are JSON. @throws UploadRefused */
export async function uploadMissionFile(file: File): Promise<UploadedMissionFile> {
  if (file.size > MISSION_FILE.bytes) throw new UploadRefused(copy.missionFileTooLarge);
  const name = file.name.slice(0, MISSION_FILE.nameLength);
  const sent = fetch(`/api/v1/admin/mission-files?name=${encodeURIComponent(name)}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/octet-stream' },
    body: file,
  });
  const response = await sent.catch(() => {
    throw new UploadRefused(copy.unknownError);
  });
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok) return answer as UploadedMissionFile;
  const message: unknown = Reflect.get(Object(answer), 'message');
  throw new UploadRefused(typeof message === 'string' ? message : `HTTP error! status: ${response.status}`);
}
