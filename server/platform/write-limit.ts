/** The limit on writes: so many calls that change something are taken from one account in a minute. */
import { MINUTE_MS } from '#server/time/time.ts';
import { AppError } from './errors.ts';
import { copy } from '#shared/copy.ts';

export interface WriteLimit {
  /** Count one call of a batch or a request. @throws AppError 429 with the seconds that are left of the minute */
  count(accountId: string, now: Date): void;
}

/**
 * Counted in memory and forgotten with each minute: a write to the database for every write would cost more than what it
 * keeps away. So every replica counts for itself.
 * @param perMinute 0 turns the limit off
 */
export function createWriteLimit(perMinute: number): WriteLimit {
  let minute = 0;
  const counts = new Map<string, number>();
  return {
    count(accountId, now) {
      if (perMinute === 0) return;
      const current = Math.floor(now.getTime() / MINUTE_MS);
      if (current !== minute) counts.clear();
      minute = current;
      const before = counts.get(accountId) ?? 0;
      if (before >= perMinute) {
        const retryAfterSeconds = Math.ceil(((current + 1) * MINUTE_MS - now.getTime()) / 1000);
        throw new AppError('RATE_LIMITED', copy.tooManyWrites, { retryAfterSeconds });
      }
      counts.set(accountId, before + 1);
    },
  };
}
