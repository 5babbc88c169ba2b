/**
 * The fairness ledger: what the community owes each pilot, in seats. It follows from facts that are kept anyway (who was
 * willing, who holds which seat, what became of orders), so it cannot drift from them:
 *
 * - Every mission that is on and starts after the last 90 days counts, those ahead too: else missions that are issued in
 *   a row would all seat the same pilots. Drafts and cancelled missions count for nobody.
 * - Its taken seats are due to everybody who was willing, in equal parts; who took one has had it.
 * - A pilot took a seat who holds one now, who gave an accepted one back late, or who let the offer of one run out.
 * - A seat given back 24 h or more before the start costs nothing, nor does an offer that ran out when it had come at
 *   shorter notice than that, nor an open offer: it held no seat.
 *
 * `server/pilots/fairness.ts` computes the same in SQL.
 */
import { LATE_CANCEL_HOURS, LEDGER_DAYS } from '#shared/limits.ts';
import { DAY_MS, HOUR_MS } from '#server/time/time.ts';

/** Shares of a mission are rounded to whole millionths of a seat, so that no sum depends on the order of its parts. */
const STEPS_PER_SEAT = 1_000_000;

/** What became of an order, as far as the ledger asks. */
export type LedgerOrder = {
  /** there is a seat under it now */
  readonly holdsSeat: boolean;
  /** an accepted seat was given back less than 24 h before the start */
  readonly isLate: boolean;
  /** nobody answered in time, whether or not a job has come by since */
  readonly ranOut: boolean;
  /** held no seat while it waited for an answer */
  readonly isOpenOffer: boolean;
  /** issued, or changed by an admin after that: what it asks for is known since */
  readonly askedMs: number;
};

/** Whether an order made its pilot take one of the mission's seats. */
export function tookSeat(order: LedgerOrder, startMs: number): boolean {
  if (order.ranOut) return !order.isOpenOffer && startMs - order.askedMs >= LATE_CANCEL_HOURS * HOUR_MS;
  return order.holdsSeat || order.isLate;
}

/** A pilot's share of one mission: what was due less what was taken. */
export type LedgerEntry = {
  /** start of the mission */
  readonly atMs: number;
  /** in seats; positive: the pilot is owed */
  readonly change: number;
};

/**
 * The ledger entries of one mission: its taken seats are everybody's who was willing, in equal parts, less the seat one
 * took. They add up to 0 (but for the rounding), so the community owes in all as much as it has given too much.
 * @param willing pilots who could have flown; distinct
 * @param took those of them who took a seat; others in it do not count
 */
export function missionChanges(
  willing: readonly string[],
  took: ReadonlySet<string>,
): { pilotId: string; change: number }[] {
  const taken = willing.filter((pilotId) => took.has(pilotId)).length;
  const share = Math.round((taken * STEPS_PER_SEAT) / willing.length);
  return willing.map((pilotId) => ({
    pilotId,
    change: (share - (took.has(pilotId) ? STEPS_PER_SEAT : 0)) / STEPS_PER_SEAT,
  }));
}

/** The sum of a pilot's entries of the last 90 days and of missions ahead, in seats; 0 without any. */
export function debtOf(entries: readonly LedgerEntry[], nowMs: number): number {
  const oldest = nowMs - LEDGER_DAYS * DAY_MS;
  const steps = entries.reduce(
    (sum, { atMs, change }) => (atMs >= oldest ? sum + Math.round(change * STEPS_PER_SEAT) : sum),
    0,
  );
  return steps / STEPS_PER_SEAT;
}
