/**
 * The number of seats that could be filled, for many starts at once. Which pilot gets which seat does not matter: pilots
 * who fit the same aircraft are one group, seats of one aircraft another, and the maximum flow between the groups is the
 * number that the exact seating would fill.
 */
import { startsAfter } from '#server/availability/rules/do-not-disturb.ts';
import { presentIn, type EligibilityFacts } from '#server/orders/seating/rules/eligibility.ts';
import { lowerBound, subtractIntervals } from '#server/time/intervals.ts';

/** The number of bits that a JavaScript number holds exactly. */
const AIRCRAFT_MAX = 53;

export type Demand = { readonly aircraftId: number; readonly seats: number };

/** The part of a pilot that decides which seats of a mission the pilot could fill. */
export type FillPilot = Pick<EligibilityFacts, 'active' | 'presences' | 'commitments' | 'state' | 'levels'>;

/**
 * The number of seats that a mission of `lengthMs` would fill at each of the starts.
 * @param demand distinct aircraft, at most 53
 * @param pilots with presences and commitments for the whole range of the starts
 * @param starts ascending
 * @param nowMs Do Not Disturb applies to starts within 24 h of it
 */
export function countFillable({
  demand,
  pilots,
  starts,
  lengthMs,
  nowMs,
}: {
  readonly demand: readonly Demand[];
  readonly pilots: readonly FillPilot[];
  readonly starts: Float64Array;
  readonly lengthMs: number;
  readonly nowMs: number;
}): number[] {
  if (demand.length > AIRCRAFT_MAX) throw new RangeError(`More than ${AIRCRAFT_MAX} kinds of aircraft`);
  /** of each start: how many pilots fit exactly the aircraft that the bits name */
  const groups = Array.from(starts, () => new Map<number, number>());
  const fits = new Float64Array(starts.length);
  for (const pilot of pilots) {
    if (!pilot.active) continue;
    const quietUntilMs = startsAfter(pilot.state, nowMs);
    let first = starts.length;
    let beyond = 0;
    demand.forEach(({ aircraftId }, aircraft) => {
      // disjoint, so a start gets the bit of an aircraft once
      for (const free of subtractIntervals(presentIn(pilot, aircraftId), pilot.commitments)) {
        const from = lowerBound(starts, Math.max(free.startMs, quietUntilMs + 1));
        const to = lowerBound(starts, free.endMs - lengthMs + 1);
        for (let start = from; start < to; start++) fits[start] = (fits[start] ?? 0) + 2 ** aircraft;
        first = Math.min(first, from);
        beyond = Math.max(beyond, to);
      }
    });
    for (let start = first; start < beyond; start++) {
      const bits = fits[start] ?? 0;
      const group = groups[start];
      if (bits > 0) group?.set(bits, (group.get(bits) ?? 0) + 1);
      fits[start] = 0;
    }
  }
  const capacities = demand.map(({ seats }) => seats);
  return groups.map((group) => fill(group, capacities));
}

/** The maximum flow from pilots to seats. @param groups numbers of pilots by the aircraft they fit, as bits */
function fill(groups: ReadonlyMap<number, number>, capacities: readonly number[]): number {
  const free = [...capacities];
  const rows = [...groups].map(([bits, pilots]) => ({
    left: pilots,
    fits: capacities.flatMap((_, aircraft) => (Math.floor(bits / 2 ** aircraft) % 2 === 1 ? [aircraft] : [])),
    /** pilots of the group on each aircraft */
    on: new Float64Array(capacities.length),
  }));
  let filled = 0;
  // those with the least choice first: most flow is found without moving anybody
  rows.sort((a, b) => a.fits.length - b.fits.length);

  /** Make room on one of the aircraft by moving pilots along; at most one seat at a time. */
  const place = (fitting: readonly number[], tried: Set<number>): number | null => {
    for (const aircraft of fitting) {
      if (tried.has(aircraft)) continue;
      tried.add(aircraft);
      if ((free[aircraft] ?? 0) > 0) return aircraft;
      for (const row of rows) {
        if ((row.on[aircraft] ?? 0) === 0) continue;
        const other = place(row.fits, tried);
        if (other === null) continue;
        row.on[aircraft] = (row.on[aircraft] ?? 0) - 1;
        row.on[other] = (row.on[other] ?? 0) + 1;
        free[other] = (free[other] ?? 0) - 1;
        free[aircraft] = (free[aircraft] ?? 0) + 1;
        return aircraft;
      }
    }
    return null;
  };

  for (const row of rows) {
    for (const aircraft of row.fits) {
      const many = Math.min(row.left, free[aircraft] ?? 0);
      row.on[aircraft] = (row.on[aircraft] ?? 0) + many;
      free[aircraft] = (free[aircraft] ?? 0) - many;
      row.left -= many;
      filled += many;
    }
    while (row.left > 0) {
      const aircraft = place(row.fits, new Set());
      if (aircraft === null) break;
      row.on[aircraft] = (row.on[aircraft] ?? 0) + 1;
      free[aircraft] = (free[aircraft] ?? 0) - 1;
      row.left -= 1;
      filled += 1;
    }
  }
  return filled;
}
