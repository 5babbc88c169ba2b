/** The seat that a pilot takes next, and the day of it as people say it. */
import { daysBetween, localDate } from '#shared/clock.ts';
import type { FragOrderDto } from '#shared/schemas/pilot.ts';
import { localTime } from '#client/lib/time.ts';

const AHEAD_MS = 24 * 3_600_000;
/** Local times from which an evening begins, and until which its night lasts. */
const EVENING = { from: '17:00', until: '05:00' } as const;

/**
 * The seat that is under way or starts first within 24 hours: accepted, or offered and still open.
 * @param accepted orders with a seat
 * @param pending orders without an answer
 */
export function findNextSeat<Order extends Pick<FragOrderDto, 'startUtc' | 'endUtc' | 'expiresAt'>>(
  accepted: readonly Order[],
  pending: readonly Order[],
  now: Date,
): Order | null {
  const nowMs = now.getTime();
  const offers = pending.filter(
    ({ startUtc, expiresAt }) => Date.parse(expiresAt) > nowMs && Date.parse(startUtc) > nowMs,
  );
  const near = [...accepted, ...offers].filter(
    ({ startUtc, endUtc }) => Date.parse(endUtc) > nowMs && Date.parse(startUtc) - nowMs < AHEAD_MS,
  );
  return near.toSorted((one, other) => Date.parse(one.startUtc) - Date.parse(other.startUtc))[0] ?? null;
}

/** `Now` once it has begun, `Today`, `Tonight` for a start in the evening or the night after it, or `Tomorrow`. */
export function dayWord(startUtc: string, now: Date, timeZone: string): 'Now' | 'Today' | 'Tonight' | 'Tomorrow' {
  if (Date.parse(startUtc) <= now.getTime()) return 'Now';
  const time = localTime(startUtc, timeZone);
  const days = daysBetween(localDate(now, timeZone), localDate(startUtc, timeZone));
  if (days === 0) return time >= EVENING.from ? 'Tonight' : 'Today';
  return days === 1 && time < EVENING.until ? 'Tonight' : 'Tomorrow';
}
