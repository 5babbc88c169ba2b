/** One error for rules that say no, and one place that turns whatever was thrown into what a caller may read. */
import { TRPCError } from '@trpc/server';
import { ZodError } from 'zod';
import { copy } from '#shared/copy.ts';
import { causesOf, isRetryable, isUnavailable, violatedConstraint } from './db/failures.ts';

export type ErrorStatus = 400 | 401 | 403 | 404 | 405 | 409 | 410 | 413 | 415 | 422 | 429 | 500 | 503;

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
  /** true: nobody expected this; log it whole, show none of it */
  isBug: boolean;
}

const RETRY_AFTER_SECONDS = 2;
const STATUS_OF_TRPC_CODE: Partial<Record<TRPCError['code'], [ErrorStatus, string]>> = {
  PARSE_ERROR: [400, copy.unreadableBody],
  BAD_REQUEST: [400, copy.invalidInput],
  NOT_FOUND: [404, copy.notFound],
  METHOD_NOT_SUPPORTED: [405, copy.methodNotAllowed],
  PAYLOAD_TOO_LARGE: [413, copy.bodyTooLarge],
  UNSUPPORTED_MEDIA_TYPE: [415, copy.jsonOnly],
};

/** What express.json and the router throw: http-errors with a status and a type. */
function transportError(error: unknown): PublicError | undefined {
  if (!(error instanceof Error)) return undefined;
  const status: unknown = Reflect.get(error, 'status');
  if (status === 404) return { status: 404, message: copy.notFound, isBug: false };
  if (status === 413) return { status: 413, message: copy.bodyTooLarge, isBug: false };
  if (status === 415) return { status: 415, message: copy.jsonOnly, isBug: false };
  if (status === 400) {
    const isParse = Reflect.get(error, 'type') === 'entity.parse.failed';
    return { status: 400, message: isParse ? copy.unreadableBody : copy.invalidInput, isBug: false };
  }
  return undefined;
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
  if (error instanceof TRPCError) {
    const known = STATUS_OF_TRPC_CODE[error.code];
    if (known) return { status: known[0], message: known[1], isBug: false };
  }
  return { status: 500, message: copy.unknownError, isBug: true };
}

/** tRPC's name for a status; it has none for "gone", which is a conflict with what the order has become. */
export const TRPC_CODE_OF_STATUS: Record<ErrorStatus, TRPCError['code']> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_SUPPORTED',
  409: 'CONFLICT',
  410: 'CONFLICT',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  422: 'UNPROCESSABLE_CONTENT',
  429: 'TOO_MANY_REQUESTS',
  500: 'INTERNAL_SERVER_ERROR',
  503: 'SERVICE_UNAVAILABLE',
};
