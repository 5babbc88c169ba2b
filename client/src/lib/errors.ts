import { TRPCClientError } from '@trpc/client';
import type { RefusalCode } from '#shared/refusals.ts';

/** One sentence of the server about one field. */
export interface FieldIssue {
  /** dotted, e.g. `slots.0.endLocal` */
  path: string;
  message: string;
}

/** As much of a stranger's answer as a person reads. */
const BODY_SHOWN = 300;

/** Calls that only admins make, and the public registration's: their readers are told the text of the answer. */
const TELLS_BODY = /^(admin|discord)\./;

/**
 * tRPC's envelope around an answer that is not the server's, such as a proxy's page, in the specification's words: the
 * message that a JSON body holds, else by the kind of call.
 * @param procedure such as `admin.users`
 */
export function foreignError(procedure: string, status: number, body: string) {
  let message: unknown;
  try {
    message = readField(JSON.parse(body), 'message');
  } catch {
    // no JSON
  }
  message ||= TELLS_BODY.test(procedure)
    ? `API Error ${status}: ${body.trim().slice(0, BODY_SHOWN)}`
    : `HTTP error! status: ${status}`;
  return { error: { message: String(message), code: -32_603, data: { httpStatus: status } } };
}

/** HTTP status of a failed call, or undefined when no answer came (network) or the error is not a call's. */
export function errorStatus(error: unknown): number | undefined {
  if (!(error instanceof TRPCClientError)) {
    return undefined;
  }
  const status: unknown = readField(error.data, 'httpStatus');
  if (typeof status === 'number') {
    return status;
  }
  const response = readField(error.meta, 'response');
  return response instanceof Response ? response.status : undefined;
}

/** Code of the server's refusal, or undefined when something else answered, or nothing. Decide by this, not by the sentence. */
export function errorCode(error: unknown): RefusalCode | undefined {
  const code = error instanceof TRPCClientError ? readField(error.data, 'refusal') : undefined;
  return typeof code === 'string' ? (code as RefusalCode) : undefined;
}

/**
 * The sentence to show for a failed call: the server's own message, else what a stranger's answer is worded as, else the fallback,
 * which names the cause when the device is offline.
 * @param fallback shown when no answer came at all
 */
export function errorMessage(error: unknown, fallback: string): string {
  if (error instanceof TRPCClientError) {
    if (isRecord(error.data) && error.message !== '') {
      return error.message;
    }
    const status = errorStatus(error);
    if (status !== undefined) {
      return `HTTP error! status: ${status}`;
    }
    if (navigator.onLine) {
      return fallback;
    }
    // Here the cause is known.
    return fallback.startsWith('Unknown') ? 'You are offline.' : `${fallback}: you are offline.`;
  }
  return fallback;
}

/** What the server said about single fields; [] when it said nothing. */
export function fieldIssues(error: unknown): FieldIssue[] {
  const issues = error instanceof TRPCClientError ? readField(error.data, 'issues') : undefined;
  if (!Array.isArray(issues)) {
    return [];
  }
  return issues.flatMap((issue: unknown) => {
    const path = readField(issue, 'path');
    const message = readField(issue, 'message');
    if (typeof message !== 'string') {
      return [];
    }
    return [{ path: typeof path === 'string' ? path : '', message }];
  });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function readField(value: unknown, field: string): unknown {
  return isRecord(value) ? value[field] : undefined;
}
