/** One error for rules that say no, and one place that turns whatever was thrown into what a caller may read. */
import { TRPCError } from '@trpc/server';
import { getHTTPStatusCodeFromError } from '@trpc/server/http';
import { ZodError } from 'zod';
import { copy } from '#shared/copy.ts';
import { causesOf, isRetryable, isUnavailable, violatedConstraint } from '#server/schema/failures.ts';

/** HTTP statuses that Marshal or a framework in front of it answers with. */
const STATUSES = [
  400, 401, 403, 404, 405, 406, 408, 409, 410, 411, 412, 413, 414, 415, 416, 417, 421, 422, 428, 429, 431, 500, 503,
] as const;
export type ErrorStatus = (typeof STATUSES)[number];

/** A refusal with a sentence for a person. Services throw it; nothing else of theirs reaches a caller. */
export class AppError extends Error {
  readonly status: ErrorStatus;
  readonly retryAfterSeconds: number | undefined;
  readonly field: string | undefined;

  /** @param field dotted path of the input that is wrong, when one is */
  constructor(status: ErrorStatus, message: string, options: { retryAfterSeconds?: number; field?: string } = {}) {
    super(message);
    this.name = 'AppError';
    this.status = status;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.field = options.field;
  }
}

export interface PublicError {
  status: ErrorStatus;
  message: string;
  issues?: { path: string; message: string }[];
  retryAfterSeconds?: number;
  /** more for the header of this one answer, such as the size of a file whose range was not there */
  headers?: Record<string, string>;
  /** true: nobody expected this; log it whole, show none of it */
  isBug: boolean;
}

const RETRY_AFTER_SECONDS = 2;
const SENTENCES: Partial<Record<number, string>> = {
  400: copy.invalidInput,
  403: copy.notAllowed,
  404: copy.notFound,
  405: copy.methodNotAllowed,
  412: copy.preconditionFailed,
  413: copy.bodyTooLarge,
  415: copy.jsonOnly,
  416: copy.rangeNotThere,
};

/** A 4xx as it is; one that nobody knows is the general one, as HTTP has it. */
function clientErrorOf(status: unknown): ErrorStatus | undefined {
  if (typeof status !== 'number' || status < 400 || status >= 500) return undefined;
  return STATUSES.find((known) => known === status) ?? 400;
}

/** A refusal of a framework with the status that it chose. */
function refusal(status: ErrorStatus): PublicError {
  return { status, message: SENTENCES[status] ?? copy.invalidInput, isBug: false };
}

/**
 * Refusals by Express, its router, its body parser and `send`: errors of `http-errors`, which say whether a caller may see
 * their text, and an undecodable path. Other libraries' errors carry a `status` too, that of somebody else's answer.
 */
function transportError(error: unknown): PublicError | undefined {
  if (!(error instanceof Error)) return undefined;
  const status = clientErrorOf(Reflect.get(error, 'status'));
  const isTheirs = typeof Reflect.get(error, 'expose') === 'boolean' || error instanceof URIError;
  if (!isTheirs || status === undefined) return undefined;
  if (Reflect.get(error, 'type') === 'entity.parse.failed') return { ...refusal(status), message: copy.unreadableBody };
  const range: unknown =
    status === 416 ? Reflect.get(Object(Reflect.get(error, 'headers')), 'Content-Range') : undefined;
  return typeof range === 'string' ? { ...refusal(status), headers: { 'Content-Range': range } } : refusal(status);
}

/** Errors that tRPC raises itself: its status, our sentence. */
function trpcError(error: unknown): PublicError | undefined {
  if (!(error instanceof TRPCError)) return undefined;
  const status = clientErrorOf(getHTTPStatusCodeFromError(error));
  if (status === undefined) return undefined;
  return error.code === 'PARSE_ERROR' ? { ...refusal(status), message: copy.unreadableBody } : refusal(status);
}

function validationError(error: ZodError): PublicError {
  const issues = error.issues.map(({ path, message }) => ({ path: path.join('.'), message }));
  return { status: 400, message: issues[0]?.message ?? copy.invalidInput, issues, isBug: false };
}

/**
 * The one mapping from anything thrown to status and sentence; REST and tRPC both answer with it.
 * Bugs are masked: no stack, no SQL, no library text.
 */
export function publicError(error: unknown): PublicError {
  for (const cause of causesOf(error)) {
    if (cause instanceof AppError) {
      return {
        status: cause.status,
        message: cause.message,
        ...(cause.field === undefined ? {} : { issues: [{ path: cause.field, message: cause.message }] }),
        ...(cause.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: cause.retryAfterSeconds }),
        isBug: false,
      };
    }
  }
  // Only a refused *input* is the caller's doing; a refused output is ours.
  if (error instanceof TRPCError && error.code === 'BAD_REQUEST' && error.cause instanceof ZodError) {
    return validationError(error.cause);
  }
  const transport = transportError(error);
  if (transport) return transport;
  if (isUnavailable(error)) {
    return { status: 503, message: copy.databaseAway, retryAfterSeconds: RETRY_AFTER_SECONDS, isBug: false };
  }
  // Every constraint that a caller can meet has its sentence; what is left was a race that several tries did not end.
  if (violatedConstraint(error) !== undefined) return { status: 409, message: copy.conflict, isBug: false };
  if (isRetryable(error)) {
    return { status: 503, message: copy.conflict, retryAfterSeconds: RETRY_AFTER_SECONDS, isBug: false };
  }
  return trpcError(error) ?? { status: 500, message: copy.unknownError, isBug: true };
}

const TRPC_CODES: Partial<Record<ErrorStatus, TRPCError['code']>> = {
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

/** tRPC's name for a status; it has none for "gone", which is a conflict with what the order has become. */
export const trpcCodeOf = (status: ErrorStatus): TRPCError['code'] => TRPC_CODES[status] ?? 'BAD_REQUEST';
