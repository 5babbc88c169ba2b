/** Retry times (backoff) of deliveries on every channel, when one is given up, and when a webhook is. */
import { DAY_MS, HOUR_MS } from '#server/time/time.ts';
import { DELIVERIES, WEBHOOKS } from '#shared/limits.ts';

const MINUTE_MS = 60_000;

/** Pauses after the first failed attempt, the second, and so on; the last one repeats. */
const PAUSES_MS = [
  5_000,
  30_000,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
] as const;
const LONGEST_MS = 4 * HOUR_MS;
/** Pauses grow by up to this share, so that deliveries that failed together are not retried together. */
const JITTER_SHARE = 0.2;

/**
 * The next attempt after a failed one. The last attempt is made when the retries have lasted a day.
 * @param attempts made so far, 1 or more
 * @param askedMs the shortest pause that the receiver asks for, in ms; null for none
 * @param queuedMs when the delivery was queued, epoch ms
 * @param jitter 0 to 1, chosen by the caller
 * @returns epoch ms; null to give up
 */
export function nextAttemptMs({
  attempts,
  askedMs,
  queuedMs,
  nowMs,
  jitter,
}: {
  attempts: number;
  askedMs: number | null;
  queuedMs: number;
  nowMs: number;
  jitter: number;
}): number | null {
  const lastMs = queuedMs + DELIVERIES.retryHours * HOUR_MS;
  if (nowMs >= lastMs) return null;
  const pause = Math.max(PAUSES_MS[attempts - 1] ?? LONGEST_MS, askedMs ?? 0);
  return Math.min(nowMs + Math.round(pause * (1 + jitter * JITTER_SHARE)), lastMs);
}

/** True if a webhook that has just given up a delivery has failed for so long that it is disabled. */
export function isDead(failingSinceMs: number, nowMs: number): boolean {
  return nowMs - failingSinceMs >= WEBHOOKS.failingDays * DAY_MS;
}
