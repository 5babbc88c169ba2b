/** Refusals: the error class with a code and a sentence, and the public form of any error. */
import { copy } from '#shared/copy.ts';
import type { WeekStates } from '#shared/schemas/availability.ts';
import { REFUSALS, type RefusalCode } from '#shared/refusals.ts';
import { isPlain, SENTENCES, type PlainRefusal } from './sentences.ts';
import { causesOf, isRetryable, isUnavailable, violatedConstraint } from '#server/schema/failures.ts';

interface RefusalOptions {
  retryAfterSeconds?: number;
  /** dotted path of the invalid input, if there is one */
  field?: string;
  /** the limit that the caller has reached, if that is the reason */
  limit?: number;
  /** what the caller sent and what is stored, if they contradict each other */
  states?: WeekStates;
}

/** A refusal with a code for programs and a sentence for a person. The text of any other error never reaches a caller. */
export class AppError extends Error {
  readonly code: RefusalCode;
  /** HTTP status, which follows from the code */
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;
  readonly field: string | undefined;
  /** the exhausted limit */
  readonly limit: number | undefined;
  readonly states: WeekStates | undefined;

  /** @param message default: the sentence of the code, where it has one (`SENTENCES`) */
  constructor(code: PlainRefusal, options?: RefusalOptions);
  constructor(code: RefusalCode, message: string, options?: RefusalOptions);
  constructor(code: RefusalCode, given?: string | RefusalOptions, more: RefusalOptions = {}) {
    const [message, options] = typeof given === 'string' ? [given, more] : [undefined, given ?? more];
    super(message ?? (isPlain(code) ? SENTENCES[code] : undefined));
    this.name = 'AppError';
    this.code = code;
    this.status = REFUSALS[code][0];
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.field = options.field;
    this.limit = options.limit;
    this.states = options.states;
  }
}

/** The caller has this version of the answer already. */
export class NotModified extends Error {}

export const isNotModified = (error: unknown): boolean => causesOf(error).some((cause) => cause instanceof NotModified);

export interface PublicError {
  code: RefusalCode;
  status: number;
  message: string;
  issues?: { path: string; message: string }[];
  retryAfterSeconds?: number;
  /** what the caller sent and what is stored, if they contradict each other */
  states?: WeekStates;
  /** extra headers for this response, such as the file's size when a range cannot be satisfied */
  headers?: Record<string, string>;
  /** true for an unexpected error: logged in full, masked in the response */
  isBug: boolean;
}

const RETRY_AFTER_SECONDS = 2;

/** How much of a limit is left, and the seconds until it is whole again. */
export interface LimitUse {
  limit: number;
  remaining: number;
  seconds: number;
}

/** The RateLimit-* headers of an answer. */
export const rateLimitHeaders = ({ limit, remaining, seconds }: LimitUse): Record<string, string> => ({
  'RateLimit-Limit': String(limit),
  'RateLimit-Remaining': String(remaining),
  'RateLimit-Reset': String(seconds),
});

/** The public form of a refusal with this code. */
export function publicRefusal(code: RefusalCode, message: string): PublicError {
  return { code, status: REFUSALS[code][0], message, isBug: false };
}

/** The public form of any error that a room throws. Bugs are masked: no stack, no SQL, no library text. */
export function publicError(error: unknown): PublicError {
  for (const cause of causesOf(error)) {
    if (cause instanceof AppError) {
      return {
        ...publicRefusal(cause.code, cause.message),
        ...(cause.field === undefined ? {} : { issues: [{ path: cause.field, message: cause.message }] }),
        ...(cause.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: cause.retryAfterSeconds }),
        ...(cause.states === undefined ? {} : { states: cause.states }),
        ...(cause.limit === undefined
          ? {}
          : { headers: rateLimitHeaders({ limit: cause.limit, remaining: 0, seconds: cause.retryAfterSeconds ?? 0 }) }),
      };
    }
  }
  if (isUnavailable(error)) {
    return { ...publicRefusal('DATABASE_UNAVAILABLE', copy.databaseAway), retryAfterSeconds: RETRY_AFTER_SECONDS };
  }
  // Every constraint that a caller can violate has its own sentence; this was a race that the retries did not resolve.
  if (violatedConstraint(error) !== undefined) return publicRefusal('CONFLICT', copy.conflict);
  if (isRetryable(error)) {
    return { ...publicRefusal('BUSY', copy.conflict), retryAfterSeconds: RETRY_AFTER_SECONDS };
  }
  return { ...publicRefusal('INTERNAL', copy.unknownError), isBug: true };
}
