/**
 * Oracle of a pilot's fairness debt and reliability: computes them by their definitions, order by order, for comparison
 * with `server/accounts/pilots/fairness.queries.ts`.
 */
import { STEPS_PER_SEAT } from '#server/accounts/pilots/rules/ledger-entries.ts';
import { estimateReliability } from '#server/accounts/pilots/rules/reliability.ts';
import { DAY_MS, HOUR_MS } from '#server/time/time.ts';
import { LATE_CANCEL_HOURS, LEDGER_DAYS, RELIABILITY } from '#shared/limits.ts';

/** The outcome of an order, as the ledger counts it. */
export type LedgerOrder = {
  /** currently holds a seat */
  readonly holdsSeat: boolean;
  /** an accepted seat was given back less than 24 h before the start */
  readonly isLate: boolean;
  /** expired without an answer, whether or not the job has run since */
  readonly ranOut: boolean;
  /** held no seat while it waited for an answer */
  readonly isSharedOffer: boolean;
  /** when it was issued, or last changed by an admin: its request is known since then */
  readonly askedMs: number;
};

/** True when the order made its pilot take one of the mission's seats. */
export function tookSeat(order: LedgerOrder, startMs: number): boolean {
  if (order.ranOut) return !order.isSharedOffer && startMs - order.askedMs >= LATE_CANCEL_HOURS * HOUR_MS;
  return order.holdsSeat || order.isLate;
}

/** A pilot's entry for one mission: the fair share minus the seat taken. */
export type LedgerEntry = {
  /** start of the mission */
  readonly atMs: number;
  /** in seats; positive: the pilot is owed */
  readonly change: number;
};

/** The sum of a pilot's entries of the last 90 days and of missions ahead, in seats; 0 without any. */
export function debtOf(entries: readonly LedgerEntry[], nowMs: number): number {
  const oldest = nowMs - LEDGER_DAYS * DAY_MS;
  const steps = entries.reduce(
    (sum, { atMs, change }) => (atMs >= oldest ? sum + Math.round(change * STEPS_PER_SEAT) : sum),
    0,
  );
  return steps / STEPS_PER_SEAT;
}

export type Outcome = {
  /** turned up; false for a no-show and for a seat given back late. An excused absence is no outcome. */
  readonly flown: boolean;
  /** whole UTC days since the mission's start, see `ageInDays` */
  readonly ageDays: number;
};

/** Whole days by the UTC calendar, so that the same question has the same answer all day; 0 for a mission ahead. */
export function ageInDays(startMs: number, nowMs: number): number {
  return Math.max(0, Math.floor(nowMs / DAY_MS) - Math.floor(startMs / DAY_MS));
}

/** 1 on the day of the mission, half of it after every half-life. */
export function outcomeWeight(ageDays: number): number {
  return 0.5 ** (ageDays / RELIABILITY.halfLifeDays);
}

/** @param outcomes in any order; without any the pilot is as reliable as every new one */
export function reliabilityOf(outcomes: readonly Outcome[]): number {
  const weigh = (some: readonly Outcome[]) => some.reduce((sum, { ageDays }) => sum + outcomeWeight(ageDays), 0);
  return estimateReliability({ flown: weigh(outcomes.filter(({ flown }) => flown)), all: weigh(outcomes) });
}
