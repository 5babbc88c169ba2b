/**
 * Fairness debt and reliability of pilots, for the matchmaking. Both are computed from the orders on every request, so
 * they are never stale. They are sums of whole numbers, which do not depend on the order of the rows, so a dry run gives
 * the same result as issuing the orders.
 */
import type { Em } from '#server/schema/orm.ts';
import { STEPS_PER_SEAT } from '#server/accounts/pilots/rules/ledger-entries.ts';
import { estimateReliability } from '#server/accounts/pilots/rules/reliability.ts';
import { RELIABILITY } from '#shared/limits.ts';
import { insertWilling, STEPS_PER_MISSION, sumDebts, sumOutcomes } from './fairness.queries.ts';

/** Record pilots as willing: eligible when the mission was issued, or asked now. Existing records stay. */
export async function recordWilling(tx: Em, missionId: string, pilotIds: readonly string[]): Promise<void> {
  if (pilotIds.length > 0) await insertWilling(tx, missionId, pilotIds);
}

/**
 * The fairness debt of each pilot, in seats. Pilots without entries in the ledger are left out: their debt is 0.
 * @param pilotIds only these; undefined for everybody
 */
export async function loadDebts(em: Em, now: Date, pilotIds?: readonly string[]): Promise<Map<string, number>> {
  const debts = await sumDebts(em, now, pilotIds);
  return new Map(debts.map(({ pilotId, steps }) => [pilotId, steps / STEPS_PER_SEAT]));
}

/** Seats of one pilot in the ledger, and how many a fair share would be. */
export interface SeatShare {
  seats: number;
  fairShare: number;
  /** fair share minus seats */
  debt: number;
}

/** The entries of the ledger behind the debts. Pilots without any are left out: 0 of 0 seats. */
export async function loadSeatShares(em: Em, now: Date, pilotIds: readonly string[]): Promise<Map<string, SeatShare>> {
  const sums = await sumDebts(em, now, pilotIds);
  return new Map(
    sums.map(({ pilotId, steps, seats }) => [
      pilotId,
      { seats, fairShare: (steps + seats * STEPS_PER_SEAT) / STEPS_PER_SEAT, debt: steps / STEPS_PER_SEAT },
    ]),
  );
}

/** One pilot's record and the figures derived from it. */
export interface PilotRecord {
  /** 0 to 1 */
  reliability: number;
  attended: number;
  noShows: number;
  excused: number;
  lateCancels: number;
  /** no outcome counts yet */
  isNew: boolean;
}

/**
 * Track records by pilot; pilots without one count as new pilots.
 * @param pilotIds only these; undefined for everybody
 */
export async function loadRecords(em: Em, now: Date, pilotIds?: readonly string[]): Promise<Map<string, PilotRecord>> {
  const outcomes = await sumOutcomes(em, now, pilotIds);
  return new Map(
    outcomes.map(({ pilotId, flown, all, ...counts }) => [
      pilotId,
      {
        reliability: estimateReliability({ flown: flown / STEPS_PER_MISSION, all: all / STEPS_PER_MISSION }),
        ...counts,
      },
    ]),
  );
}

/** A pilot's reliability: from the track record, or that of a new pilot. */
export function reliabilityIn(records: ReadonlyMap<string, PilotRecord>, pilotId: string): number {
  return records.get(pilotId)?.reliability ?? RELIABILITY.newPilot;
}
