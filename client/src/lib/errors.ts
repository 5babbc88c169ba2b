import { TRPCClientError } from '@trpc/client';
import type { RefusalCode } from '#shared/refusals.ts';

/** A validation message of the server about one field. */
export interface FieldIssue {
  /** dotted, e.g. `slots.0.endLocal` */
  path: string;
  message: string;
}

/** Maximum characters shown of an answer that does not come from Marshal. */
const BODY_SHOWN = 300;

/** Calls whose errors include the answer's text, as the specification fixes: admin calls and the public registration. */
const TELLS_BODY = /^(admin|discord)\./;

/**
 * Wraps an answer that does not come from Marshal, such as a proxy's page, in tRPC's error envelope. The message is the one
 * in a JSON body, or else the specification's for that kind of call.
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

/** HTTP status of a failed call; undefined without an answer (network), or for an error that is not a call's. */
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

/** Error code of the server's refusal; undefined without one. Check this instead of the message, which may change. */
export function errorCode(error: unknown): RefusalCode | undefined {
  const code = error instanceof TRPCClientError ? readField(error.data, 'refusal') : undefined;
  return typeof code === 'string' ? (code as RefusalCode) : undefined;
}

/**
 * The sentence to show for a failed call: the server's message, or else one with the HTTP status, or else the fallback, which
 * mentions it when the device is offline.
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
    return fallback.startsWith('Unknown') ? 'You are offline.' : `${fallback}: you are offline.`;
  }
  return fallback;
}

/** Both states of a refused save: the one that was sent, and the one that is stored; undefined without. */
export function refusedStates(error: unknown): unknown {
  return error instanceof TRPCClientError ? readField(error.data, 'states') : undefined;
}

/** The server's messages about single fields; [] without any. */
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
