/**
 * The number of seats that could be filled, for many starts at once. Which pilot gets which seat does not matter: pilots
 * who fit the same aircraft are one group, seats of one aircraft another, and the maximum flow between the groups is the
 * number that the exact seating would fill.
 */
import { DO_NOT_DISTURB_HOURS } from '#shared/limits.ts';
import { presentIn, type SeatingPilot } from '#server/seating/rules/eligibility.ts';
import { subtractIntervals } from '#server/time/intervals.ts';
import { HOUR_MS } from '#server/time/time.ts';

/** The number of bits that a JavaScript number holds exactly. */
const AIRCRAFT_MAX = 53;

export type Demand = { readonly aircraftId: number; readonly seats: number };

/** Starts on a grid: `firstMs`, `firstMs + stepMs`, …, `count` of them. */
export type StartGrid = { readonly firstMs: number; readonly stepMs: number; readonly count: number };

/**
 * The number of seats that a mission of `lengthMs` would fill at each start of the grid.
 * @param demand distinct aircraft, at most 53
 * @param pilots with presences and commitments for the whole range of the grid
 * @param nowMs Do Not Disturb applies to starts within 24 h of it
 */
export function countFillable({
  demand,
  pilots,
  grid,
  lengthMs,
  nowMs,
}: {
  readonly demand: readonly Demand[];
  readonly pilots: readonly SeatingPilot[];
  readonly grid: StartGrid;
  readonly lengthMs: number;
  readonly nowMs: number;
}): number[] {
  if (demand.length > AIRCRAFT_MAX) throw new RangeError(`More than ${AIRCRAFT_MAX} kinds of aircraft`);
  const indexAtOrAfter = (ms: number) => Math.max(0, Math.ceil((ms - grid.firstMs) / grid.stepMs));
  /** of each start: how many pilots fit exactly the aircraft that the bits name */
  const groups = Array.from({ length: grid.count }, () => new Map<number, number>());
  const fits = new Float64Array(grid.count);
  for (const pilot of pilots) {
    if (!pilot.active) continue;
    fits.fill(0);
    const quietUntilMs = pilot.state === 'dnd' ? nowMs + DO_NOT_DISTURB_HOURS * HOUR_MS : -Infinity;
    demand.forEach(({ aircraftId }, aircraft) => {
      // disjoint, so a start gets the bit of an aircraft once
      for (const free of subtractIntervals(presentIn(pilot, aircraftId), pilot.commitments)) {
        const afterLast = Math.min(grid.count, indexAtOrAfter(free.endMs - lengthMs + 1));
        for (let start = indexAtOrAfter(free.startMs); start < afterLast; start++) {
          if (grid.firstMs + start * grid.stepMs > quietUntilMs) fits[start] = (fits[start] ?? 0) + 2 ** aircraft;
        }
      }
    });
    groups.forEach((group, start) => {
      const bits = fits[start] ?? 0;
      if (bits > 0) group.set(bits, (group.get(bits) ?? 0) + 1);
    });
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
