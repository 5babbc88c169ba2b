/** Tallies of pilots and intervals per time step, in time proportional to windows plus steps, not windows times steps. */
import type { PilotWindows } from '#server/availability/rules/pilot-presences.ts';
import { type Interval, lowerBound } from '#server/time/intervals.ts';

/** Add 1 to the steps from `first` up to but not including `beyond`. */
function mark(differences: Int32Array, first: number, beyond: number): void {
  if (first >= beyond) return;
  differences[first] = (differences[first] ?? 0) + 1;
  differences[beyond] = (differences[beyond] ?? 0) - 1;
}

function addUp(differences: Int32Array, steps: number): number[] {
  let sum = 0;
  return Array.from({ length: steps }, (_, index) => {
    sum += differences[index] ?? 0;
    return sum;
  });
}

/**
 * Pilots per step: those present for the whole step, and those present for a part of it (each counted once).
 * @param edges ascending; step i lasts from edge i to edge i + 1
 * @param pilots distinct; not counted in steps up to their `startsAfterMs`
 */
export function tallyPilots(
  edges: Float64Array,
  pilots: Iterable<PilotWindows>,
): { readonly whole: readonly number[]; readonly part: readonly number[] } {
  const steps = Math.max(0, edges.length - 1);
  const whole = new Int32Array(edges.length + 1);
  const part = new Int32Array(edges.length + 1);
  for (const { windows, startsAfterMs } of pilots) {
    const from = lowerBound(edges, startsAfterMs + 1);
    let next = from;
    for (const { startMs, endMs } of windows) {
      const [atStart, atEnd] = [lowerBound(edges, startMs), lowerBound(edges, endMs)];
      const firstWhole = Math.max(from, atStart);
      const beyondWhole = Math.max(firstWhole, edges[atEnd] === endMs ? atEnd : atEnd - 1);
      mark(whole, firstWhole, Math.min(beyondWhole, steps));
      // the step before the first whole one and the one after the last, unless an earlier window has counted it
      const touched = Math.max(next, edges[atStart] === startMs ? atStart : atStart - 1);
      const beyond = Math.min(atEnd, steps);
      mark(part, touched, Math.min(firstWhole, beyond));
      mark(part, Math.max(touched, beyondWhole), beyond);
      next = Math.max(next, beyond);
    }
  }
  return { whole: addUp(whole, steps), part: addUp(part, steps) };
}

/** Per step, the number of intervals that overlap it. */
export function tallyOverlaps(edges: Float64Array, intervals: Iterable<Interval>): readonly number[] {
  const steps = Math.max(0, edges.length - 1);
  const differences = new Int32Array(edges.length + 1);
  for (const { startMs, endMs } of intervals) {
    const first = Math.max(0, lowerBound(edges, startMs + 1) - 1);
    mark(differences, first, Math.min(lowerBound(edges, endMs), steps));
  }
  return addUp(differences, steps);
}
