/** When a webhook that fails is disabled. */
import { DAY_MS } from '#server/time/time.ts';
import { WEBHOOKS } from '#shared/limits.ts';

/** True if a webhook that has just given up a delivery has failed for so long that it is disabled. */
export function isDead(failingSinceMs: number, nowMs: number): boolean {
  return nowMs - failingSinceMs >= WEBHOOKS.failingDays * DAY_MS;
}
