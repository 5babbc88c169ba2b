/** The write limit: how many mutating calls one account may make per minute. */
import { MINUTE_MS } from '#server/time/time.ts';
import { AppError, type LimitUse } from './errors.ts';
import { copy } from '#shared/copy.ts';

export interface WriteLimit {
  /**
   * Count one call, alone or in a batch.
   * @returns what is left of the limit; null without a limit
   * @throws AppError 429 with the seconds left in the minute
   */
  count(accountId: string, now: Date): LimitUse | null;
}

/**
 * Counted in memory and reset every minute: counting each write in the database would cost more than the limit saves.
 * So every replica counts on its own.
 * @param perMinute 0 turns the limit off
 */
export function createWriteLimit(perMinute: number): WriteLimit {
  let minute = 0;
  const counts = new Map<string, number>();
  return {
    count(accountId, now) {
      if (perMinute === 0) return null;
      const current = Math.floor(now.getTime() / MINUTE_MS);
      if (current !== minute) counts.clear();
      minute = current;
      const before = counts.get(accountId) ?? 0;
      const seconds = Math.ceil(((current + 1) * MINUTE_MS - now.getTime()) / 1000);
      if (before >= perMinute) {
        throw new AppError('RATE_LIMITED', copy.tooManyWrites, { retryAfterSeconds: seconds, limit: perMinute });
      }
      counts.set(accountId, before + 1);
      return { limit: perMinute, remaining: perMinute - before - 1, seconds };
    },
  };
}
