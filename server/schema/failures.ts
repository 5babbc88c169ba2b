/** Database errors by PostgreSQL's codes: unavailable, retryable, constraint violated. */

/**
 * Connection lost (class 08), out of resources such as disk or connections (53), shutting down or starting (57P), disk
 * failure (58030), statement and lock timeouts, and a read-only server: a standby, or a demoted primary.
 */
const UNAVAILABLE_SQL_STATE = /^(08...|53...|57P..|58030|57014|55P03|25P03|25006)$/;
const READ_ONLY_SQL_STATE = '25006';
const UNAVAILABLE_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT', 'EACCES']);
const UNAVAILABLE_MESSAGES =
  /Connection terminated|timeout exceeded when trying to connect|Query read timeout|connection error and is not queryable|client was closed|Cannot use a pool after calling end|driver has already been destroyed|: Read-only file system$/i;
const RETRYABLE_SQL_STATES = new Set(['40001', '40P01']);

/** A startup error whose message is already the sentence for the operator. */
export class StartError extends Error {}

/** An error and all the errors it wraps, outermost first. */
export function* causesOf(error: unknown): Generator {
  const seen = new Set<unknown>();
  for (let current = error; current && !seen.has(current);) {
    seen.add(current);
    yield current;
    if (current instanceof AggregateError) for (const inner of current.errors) yield inner;
    current = current instanceof Error ? (current.cause ?? Reflect.get(current, 'previous')) : undefined;
  }
}

function codeOf(error: unknown): string {
  const code: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined;
  return typeof code === 'string' ? code : '';
}

/** True for a serialization failure or deadlock: the whole transaction should be retried. */
export function isRetryable(error: unknown): boolean {
  return [...causesOf(error)].some((cause) => RETRYABLE_SQL_STATES.has(codeOf(cause)));
}

/** True if the server behind the connection is read-only. */
export function isReadOnly(error: unknown): boolean {
  return codeOf(error) === READ_ONLY_SQL_STATE;
}

/** True if a named statement no longer fits the schema, which a migration has changed: a new connection plans it again. */
export function isStalePlan(error: unknown): boolean {
  return ['0A000', '26000'].includes(codeOf(error));
}

/** The name of the unique or exclusion constraint that was violated, if one was. */
export function violatedConstraint(error: unknown): string | undefined {
  for (const cause of causesOf(error)) {
    if (!['23505', '23P01'].includes(codeOf(cause))) continue;
    const name: unknown = typeof cause === 'object' && cause !== null ? Reflect.get(cause, 'constraint') : undefined;
    if (typeof name === 'string') return name;
  }
  return undefined;
}

/** True if a row could not be deleted because others refer to it. */
export function isStillReferenced(error: unknown): boolean {
  return [...causesOf(error)].some((cause) => codeOf(cause) === '23503');
}

/** True if the database cannot answer right now; trying again later may help. */
export function isUnavailable(error: unknown): boolean {
  return [...causesOf(error)].some(
    (cause) =>
      UNAVAILABLE_SQL_STATE.test(codeOf(cause)) ||
      UNAVAILABLE_CODES.has(codeOf(cause)) ||
      (cause instanceof Error && UNAVAILABLE_MESSAGES.test(cause.message)),
  );
}
