/** Error mapping: from anything thrown, also by Express and tRPC, to the refusal that REST and tRPC answer with. */
import { TRPCError } from '@trpc/server';
import { getHTTPStatusCodeFromError } from '@trpc/server/http';
import { ZodError } from 'zod';
import { copy } from '#shared/copy.ts';
import type { RefusalCode } from '#shared/refusals.ts';
import { publicError, type PublicError, publicRefusal } from '#server/platform/errors.ts';

/** Framework statuses that are passed on; any other 4xx becomes 400. */
const KNOWN_STATUSES = new Set([
  400, 401, 403, 404, 405, 406, 408, 409, 410, 411, 412, 413, 414, 415, 416, 417, 421, 422, 428, 429, 431,
]);

/** Code and sentence for framework statuses; others are BAD_REQUEST, with their own status. */
const FRAMEWORK_REFUSALS: Partial<Record<number, readonly [RefusalCode, string]>> = {
  403: ['FORBIDDEN', copy.notAllowed],
  404: ['NOT_FOUND', copy.notFound],
  405: ['METHOD_NOT_ALLOWED', copy.methodNotAllowed],
  412: ['PRECONDITION_FAILED', copy.preconditionFailed],
  413: ['BODY_TOO_LARGE', copy.bodyTooLarge],
  415: ['NOT_JSON', copy.jsonOnly],
  416: ['RANGE_NOT_SATISFIABLE', copy.rangeNotThere],
};

function clientErrorOf(status: unknown): number | undefined {
  if (typeof status !== 'number' || status < 400 || status >= 500) return undefined;
  return KNOWN_STATUSES.has(status) ? status : 400;
}

/** A framework's refusal, with its status. */
function frameworkRefusal(status: number): PublicError {
  const [code, sentence] = FRAMEWORK_REFUSALS[status] ?? ['BAD_REQUEST', copy.invalidInput];
  return { ...publicRefusal(code, sentence), status };
}

/**
 * Refusals by Express, its router, its body parser and `send`: errors of `http-errors`, which have an `expose` flag, and
 * undecodable paths. Errors of other libraries may have a `status` too, but that belongs to some other server's answer.
 */
function transportError(error: unknown): PublicError | undefined {
  if (!(error instanceof Error)) return undefined;
  const status = clientErrorOf(Reflect.get(error, 'status'));
  const isTheirs = typeof Reflect.get(error, 'expose') === 'boolean' || error instanceof URIError;
  if (!isTheirs || status === undefined) return undefined;
  const refusal = frameworkRefusal(status);
  if (Reflect.get(error, 'type') === 'entity.parse.failed') return { ...refusal, message: copy.unreadableBody };
  const range: unknown =
    status === 416 ? Reflect.get(Object(Reflect.get(error, 'headers')), 'Content-Range') : undefined;
  return typeof range === 'string' ? { ...refusal, headers: { 'Content-Range': range } } : refusal;
}

/** Invalid input. Only an invalid *input* is the caller's error; an invalid output is a bug of ours. */
function inputError(error: unknown): PublicError | undefined {
  if (!(error instanceof TRPCError) || error.code !== 'BAD_REQUEST' || !(error.cause instanceof ZodError)) {
    return undefined;
  }
  const issues = error.cause.issues.map(({ path, message }) => ({ path: path.join('.'), message }));
  return { ...publicRefusal('VALIDATION', issues[0]?.message ?? copy.invalidInput), issues };
}

/** Errors that tRPC itself throws, with its status and our sentence. */
function trpcError(error: unknown): PublicError | undefined {
  if (!(error instanceof TRPCError)) return undefined;
  const status = clientErrorOf(getHTTPStatusCodeFromError(error));
  if (status === undefined) return undefined;
  const refusal = frameworkRefusal(status);
  return error.code === 'PARSE_ERROR' ? { ...refusal, message: copy.unreadableBody } : refusal;
}

/** The public form of any error, including those of Express and tRPC. */
export function answerableError(error: unknown): PublicError {
  const ofTransport = inputError(error) ?? transportError(error);
  if (ofTransport) return ofTransport;
  const ofRoom = publicError(error);
  return ofRoom.isBug ? (trpcError(error) ?? ofRoom) : ofRoom;
}

const TRPC_CODES: Partial<Record<number, TRPCError['code']>> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_SUPPORTED',
  408: 'TIMEOUT',
  409: 'CONFLICT',
  410: 'CONFLICT',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  422: 'UNPROCESSABLE_CONTENT',
  429: 'TOO_MANY_REQUESTS',
  500: 'INTERNAL_SERVER_ERROR',
  503: 'SERVICE_UNAVAILABLE',
};

/** tRPC's name for a status. It has none for 410 Gone, so that becomes CONFLICT. */
export const trpcCodeOf = (status: number): TRPCError['code'] => TRPC_CODES[status] ?? 'BAD_REQUEST';
