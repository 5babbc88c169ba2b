/** Retry delays (exponential backoff) for calls to Discord. */

const FIRST_MS = 1_000;
const LONGEST_MS = 5 * 60_000;

/** A token that Discord refuses is refused until somebody changes it. */
export const REFUSED_TOKEN_MS = LONGEST_MS;
/** An announcement is given up after so long, and what Discord shows of a mission so long after its end. */
export const PATIENCE_HOURS = 24;
/** Retry delay of a post for a server in an outage. */
export const OUTAGE_MS = 30_000;

/**
 * Doubles from one second to five minutes, spread by up to a half so that senders do not come back together.
 * @param attempts made so far, 1 or more
 * @param jitter 0 to 1, chosen by the caller
 * @param retryAfterMs what Discord asked for; it is never undercut
 */
export function backoffMs(attempts: number, jitter: number, retryAfterMs: number | null): number {
  const grown = FIRST_MS * 2 ** Math.min(Math.max(attempts, 1) - 1, 20);
  return Math.max(Math.min(LONGEST_MS, grown * (1 + jitter / 2)), retryAfterMs ?? 0);
}
