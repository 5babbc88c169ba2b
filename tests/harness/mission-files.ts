/** Mission files over HTTP: sending one, and a mission that is created from one. */
import { z } from 'zod';
import { uploadedMissionFile, type UploadedMissionFile } from '#shared/schemas/mission-file.ts';
import type { Person } from './given.ts';
import { hoursFromNow } from './given.ts';
import type { Service } from './service.ts';

const JSON_TYPE = /^application\/json/;

/** A request with the session of a person, whose body and answer need not be JSON. */
export async function send(
  { url }: Pick<Service, 'url'>,
  { client }: Pick<Person, 'client'>,
  path: string,
  { body, type = 'application/octet-stream', origin = url }: { body?: Buffer; type?: string; origin?: string } = {},
) {
  const response = await fetch(`${url}/api/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { cookie: client.cookie(), origin, 'content-type': type },
    ...(body !== undefined && { body: new Uint8Array(body) }),
  });
  const content = Buffer.from(await response.arrayBuffer());
  const isJson = JSON_TYPE.test(response.headers.get('content-type') ?? '');
  const answer: unknown = isJson ? JSON.parse(content.toString()) : null;
  return { status: response.status, headers: response.headers, content, answer };
}

const refusal = z.object({ code: z.string(), message: z.string() });
export const refusalOf = ({ answer }: { answer: unknown }) => refusal.parse(answer);

export async function upload(
  service: Pick<Service, 'url'>,
  admin: Pick<Person, 'client'>,
  file: Buffer,
  name = 'op.miz',
): Promise<UploadedMissionFile> {
  const { status, answer } = await send(service, admin, `/admin/mission-files?name=${encodeURIComponent(name)}`, {
    body: file,
  });
  if (status !== 200) throw new Error(`the upload was refused with ${status}: ${JSON.stringify(answer)}`);
  return uploadedMissionFile.parse(answer);
}

/** The form as the page fills it in, for all groups of the file. */
export const requestOf = (file: UploadedMissionFile) => ({
  name: file.title,
  theater: file.theater,
  startLocal: hoursFromNow(30),
  endLocal: hoursFromNow(33),
  timeZone: 'UTC',
  missionFileId: file.id,
  aircraftSlots: file.groups.map(({ groupId, aircraftId, side, role, units }) => ({
    aircraftId,
    slotCount: units.length,
    side,
    notes: role,
    fileGroupId: groupId,
  })),
});
