/** Mission files over HTTP: the upload of one as it is, its download with the pilots in it, and the line-up as CSV and text; recordings. */
import express, { Router, type Request, type RequestHandler, type Response } from 'express';
import { createKneeboardRenderer } from '#server/missions/briefing/kneeboard-thread.ts';
import type { App } from '#server/http/context.ts';
import { requireAdminCall } from '#server/http/trpc.ts';
import { uploadMissionFile } from '#server/missions/mission-file/mission-files.ts';
import { LINE_UP_COLUMNS, lineUpRows, lineUpText, readLineUp } from '#server/missions/line-up.ts';
import { addRecording } from '#server/missions/attendance/tacview.ts';
import { exportMissionFile } from '#server/missions/mission-file-export.ts';
import { AppError } from '#server/platform/errors.ts';
import { busy } from '#server/platform/threads.ts';
import { copy } from '#shared/copy.ts';
import { MISSION_FILE } from '#shared/limits.ts';
import { missionIdInput } from '#shared/schemas/mission-admin.ts';
import { uploadMissionFileInput } from '#shared/schemas/mission-file.ts';
import { writeCsv } from './csv.ts';
import { answerWith, parseInput, sendFile, type ContextOf, type FileHandler, type OnError } from './files.ts';
import { RECORDING } from '#shared/presence.ts';

const CONTENT_TYPE = 'application/octet-stream';
const readRaw = express.raw({ type: CONTENT_TYPE, limit: MISSION_FILE.bytes });

async function readBody(request: Request, response: Response): Promise<Buffer> {
  if (!request.is(CONTENT_TYPE)) throw new AppError('NOT_JSON', copy.missionFileBody);
  if (Number(request.get('content-length') ?? 0) > MISSION_FILE.bytes) {
    throw new AppError('BODY_TOO_LARGE', copy.missionFileTooLarge);
  }
  await new Promise<void>((resolve, reject) => {
    readRaw(request, response, (error?: unknown) => (error === undefined ? resolve() : reject(error)));
  });
  const body: unknown = request.body;
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}

/** POST of a file: the guard first, so that nobody else's body is read. */
export function createMissionFileUpload(app: App, contextOf: ContextOf, onError: OnError): RequestHandler {
  return answerWith(async (request, response) => {
    const context = await contextOf(request, response);
    const viewer = requireAdminCall(context, 'mutation');
    const { name } = parseInput(uploadMissionFileInput, request.query);
    const bytes = await readBody(request, response);
    response.json(await uploadMissionFile(app.orm.em.fork(), app.missionFiles, viewer, { name, bytes }, context.now));
  }, onError);
}

/** Bodies of recordings that a process takes at a time: each may need the memory of the largest one. */
const RECORDINGS_MAX = 2;

/**
 * A large body in memory that threads share, so that no thread copies it.
 * @throws AppError 413
 */
async function readLarge(request: Request, bytesMax: number, tooLarge: string): Promise<Uint8Array> {
  if (!request.is(CONTENT_TYPE)) throw new AppError('NOT_JSON', copy.missionFileBody);
  const refusal = new AppError('BODY_TOO_LARGE', tooLarge);
  if (Number(request.get('content-length') ?? 0) > bytesMax) throw refusal;
  const memory = new SharedArrayBuffer(0, { maxByteLength: bytesMax });
  let length = 0;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  request.on('data', (chunk: Buffer) => {
    const end = length + chunk.length;
    if (end > bytesMax) {
      request.pause();
      return reject(refusal);
    }
    if (end > memory.byteLength) memory.grow(Math.min(bytesMax, Math.max(end, 2 * memory.byteLength)));
    new Uint8Array(memory).set(chunk, length);
    length = end;
  });
  request.once('end', resolve);
  request.once('error', reject);
  request.once('close', () => reject(new AppError('BAD_REQUEST', copy.unreadableBody)));
  await promise;
  return new Uint8Array(memory, 0, length);
}

/** POST of a recording of a mission: the guard first, so that nobody else's body is read. */
export function createRecordingUpload(app: App, contextOf: ContextOf, onError: OnError): RequestHandler {
  let taken = 0;
  return answerWith(async (request, response) => {
    const context = await contextOf(request, response);
    const viewer = requireAdminCall(context, 'mutation');
    const { id } = parseInput(missionIdInput, request.params);
    if (taken >= RECORDINGS_MAX) throw busy();
    taken += 1;
    try {
      const file = await readLarge(request, RECORDING.bytes, copy.recordingTooLarge);
      response.json(await addRecording(app.orm.em.fork(), app.missionFiles, viewer, { id, file }, context.now));
    } finally {
      taken -= 1;
    }
  }, onError);
}

/** A header value for a name in any script. */
function attachment(name: string): string {
  const plain = name.replaceAll(/[^\w.() -]/g, '_');
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name)}`;
}

export function createMissionFilesRouter(app: App, contextOf: ContextOf, onError: OnError): Router {
  const files = Router();
  const tools = { reader: app.missionFiles, renderer: createKneeboardRenderer(), publicUrl: app.env.PUBLIC_URL };
  const serve = (path: string, handler: FileHandler) => files.get(path, answerWith(handler, onError));

  serve('/admin/missions/:id/mission.miz', async (request, response) => {
    const context = await contextOf(request, response);
    const viewer = requireAdminCall(context, 'query');
    const { id } = parseInput(missionIdInput, request.params);
    const { name, content } = await exportMissionFile(app.orm.em.fork(), tools, viewer, id, context.now);
    sendFile(response, CONTENT_TYPE, attachment(name), content);
  });

  serve('/admin/missions/:id/line-up.csv', async (request, response) => {
    requireAdminCall(await contextOf(request, response), 'query');
    const { id } = parseInput(missionIdInput, request.params);
    const lineUp = await readLineUp(app.orm.em.fork(), id);
    const text = writeCsv(LINE_UP_COLUMNS, lineUpRows(lineUp));
    sendFile(response, 'text/csv; charset=utf-8; header=present', attachment(`${lineUp.name}.csv`), text);
  });

  serve('/admin/missions/:id/line-up.txt', async (request, response) => {
    requireAdminCall(await contextOf(request, response), 'query');
    const { id } = parseInput(missionIdInput, request.params);
    const lineUp = await readLineUp(app.orm.em.fork(), id);
    sendFile(response, 'text/plain; charset=utf-8', attachment(`${lineUp.name}.txt`), lineUpText(lineUp));
  });

  return files;
}
