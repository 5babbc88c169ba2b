/**
 * One mission's entries in the fairness ledger, for plans that seat several missions.
 * `server/accounts/pilots/fairness.queries.ts` defines the ledger and computes it from the orders.
 */

/** Shares are rounded to whole millionths of a seat, so that sums do not depend on their order. */
export const STEPS_PER_SEAT = 1_000_000;

/**
 * The ledger entries of one mission: every willing pilot gets an equal share of the taken seats, minus 1 for having taken
 * one. The entries add up to 0, except for rounding.
 * @param willing pilots who could have flown; distinct
 * @param took the pilots who took a seat; only willing ones count
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
