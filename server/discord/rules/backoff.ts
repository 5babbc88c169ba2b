/** Retry delays (exponential backoff) for calls to Discord. */

const FIRST_MS = 1_000;
const LONGEST_MS = 5 * 60_000;

/** Retry delay after Discord has refused the token, which only a person can correct. */
export const REFUSED_TOKEN_MS = LONGEST_MS;
/** After this time an announcement is given up, and messages about a mission this long after its end. */
export const PATIENCE_HOURS = 24;
/** Retry delay of a post for a server in an outage. */
export const OUTAGE_MS = 30_000;

/** Retry delay when Discord asks for a pause without saying how long. */
const UNSAID_MS = 1_000;
/** Spreads the messages that wait for the same bucket. */
const SPREAD_MS = 1_000;

/**
 * How long a message waits for a rate limit: as long as Discord asks, and no longer with every attempt.
 * @param jitter 0 to 1, chosen by the caller
 */
export function rateLimitMs(retryAfterMs: number | null, jitter: number): number {
  return Math.ceil((retryAfterMs ?? UNSAID_MS) + jitter * SPREAD_MS);
}

/**
 * Doubles from one second to five minutes, with up to 50 % jitter so that senders do not retry at the same time.
 * @param attempts made so far, 1 or more
 * @param jitter 0 to 1, chosen by the caller
 * @param retryAfterMs the delay that Discord asked for, which is the minimum
 */
export function backoffMs(attempts: number, jitter: number, retryAfterMs: number | null): number {
  const grown = FIRST_MS * 2 ** Math.min(Math.max(attempts, 1) - 1, 20);
  return Math.max(Math.min(LONGEST_MS, grown * (1 + jitter / 2)), retryAfterMs ?? 0);
}
