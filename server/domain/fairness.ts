/** The fairness ledger: what the community owes each pilot, in seats. */
import { LATE_CANCEL_HOURS } from '#shared/limits.ts';
import { DAY_MS, HOUR_MS } from './time.ts';

/** Entries older than this no longer count. */
const LEDGER_DAYS = 90;

/** A pilot's share of one mission: what was due less what was given. */
export type LedgerEntry = {
  /** start of the mission */
  readonly atMs: number;
  /** in seats; positive: the pilot is owed */
  readonly change: number;
};

/**
 * The ledger entries of one mission: its filled seats are everybody's who was willing, in equal parts, less the seat
 * one had. They add up to 0, so the community owes in all as much as it has given too much.
 * @param willing pilots who could have flown: seated or outranked; distinct
 * @param seated those of them who hold a seat
 */
export function missionChanges(
  willing: readonly string[],
  seated: ReadonlySet<string>,
): { pilotId: string; change: number }[] {
  const filled = willing.filter((pilotId) => seated.has(pilotId)).length;
  return willing.map((pilotId) => ({
    pilotId,
    change: filled / willing.length - (seated.has(pilotId) ? 1 : 0),
  }));
}

/** What is given back for a seat returned at `nowMs`: all of it a day or more before start, later nothing. */
export function seatRefund(startMs: number, nowMs: number): 0 | 1 {
  return startMs - nowMs >= LATE_CANCEL_HOURS * HOUR_MS ? 1 : 0;
}

/** The sum of a pilot's entries of the last 90 days, refunds included; 0 without any. */
export function debtOf(entries: readonly LedgerEntry[], nowMs: number): number {
  const oldest = nowMs - LEDGER_DAYS * DAY_MS;
  return entries.reduce((sum, { atMs, change }) => (atMs >= oldest ? sum + change : sum), 0);
}
