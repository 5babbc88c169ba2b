/**
 * One mission's shares in the fairness ledger, for plans that seat several missions. `server/pilots/fairness.queries.ts`
 * defines the ledger and computes it from the orders.
 */

/** Shares of a mission are rounded to whole millionths of a seat, so that no sum depends on the order of its parts. */
export const STEPS_PER_SEAT = 1_000_000;

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
