/**
 * Pilots whose time on a UTC day is not what their week says: overrides, leaves, held seats, a live status, or a change of
 * their clock. Each such day keeps their windows by the week with -1 and their real ones with +1.
 */
import { MINUTES_PER_DAY } from '#server/time/time.ts';

/** A day's windows reach into the day after it. */
export const DAY_REACH = 2 * MINUTES_PER_DAY;
/** A window that began before the day, or that ends after the day after it. */
export const BEFORE = -1;
export const BEYOND = DAY_REACH + 1;
const DURATIONS_KEPT = 6;

/** Windows of a day, in minutes since it began; each -1 (by the week, but not real) or +1 (real). */
export type SignedWindows = {
  readonly size: number;
  readonly pilot: Int32Array;
  readonly start: Int16Array;
  readonly end: Int16Array;
  readonly sign: Int8Array;
};

/** Triples of start, end and sign. */
export type DayEntry = readonly number[];

export interface ExceptionalDay {
  /** Compute these pilots' windows again before the next use. */
  touch: (pilot: number) => void;
  windows: () => SignedWindows;
  /**
   * By minute of the day: how many more pilots are free throughout the duration from it than their weeks say. Kept until a
   * window changes. Null when no pilot differs.
   */
  changes: (duration: number) => Int32Array | null;
  has: (pilot: number) => boolean;
  pilots: () => Iterable<number>;
}

/** @param entryOf a pilot's windows on this day; null when the week tells them */
export function createExceptionalDay(
  pilots: Iterable<number>,
  entryOf: (pilot: number) => DayEntry | null,
): ExceptionalDay {
  const entries = new Map<number, DayEntry>();
  const touched = new Set<number>(pilots);
  let flat: SignedWindows | null = null;
  const changesBy = new Map<number, Int32Array>();

  function update(): void {
    for (const pilot of touched) {
      const entry = entryOf(pilot);
      if (entry) entries.set(pilot, entry);
      else if (!entries.delete(pilot)) continue;
      flat = null;
      changesBy.clear();
    }
    touched.clear();
  }

  function windows(): SignedWindows {
    update();
    flat ??= flatten(entries);
    return flat;
  }

  return {
    touch: (pilot) => touched.add(pilot),
    windows,
    changes(duration) {
      const signed = windows();
      if (signed.size === 0) return null;
      const known = changesBy.get(duration);
      if (known) return known;
      if (changesBy.size >= DURATIONS_KEPT) changesBy.clear();
      const made = sumChanges(signed, duration);
      changesBy.set(duration, made);
      return made;
    },
    has(pilot) {
      update();
      return entries.has(pilot);
    },
    pilots() {
      update();
      return entries.keys();
    },
  };
}

function sumChanges({ size, start, end, sign }: SignedWindows, duration: number): Int32Array {
  const differences = new Int32Array(MINUTES_PER_DAY + 1);
  for (let index = 0; index < size; index += 1) {
    const first = Math.max(0, start[index] ?? 0);
    const beyond = Math.min(MINUTES_PER_DAY, (end[index] ?? 0) - duration + 1);
    if (first >= beyond) continue;
    const step = sign[index] ?? 0;
    differences[first] = (differences[first] ?? 0) + step;
    differences[beyond] = (differences[beyond] ?? 0) - step;
  }
  let sum = 0;
  return differences.subarray(0, MINUTES_PER_DAY).map((difference) => (sum += difference));
}

function flatten(entries: ReadonlyMap<number, DayEntry>): SignedWindows {
  let size = 0;
  for (const { length } of entries.values()) size += length / 3;
  const pilots = new Int32Array(size);
  const start = new Int16Array(size);
  const end = new Int16Array(size);
  const sign = new Int8Array(size);
  let at = 0;
  for (const [pilot, entry] of entries) {
    for (let field = 0; field < entry.length; field += 3) {
      pilots[at] = pilot;
      start[at] = entry[field] ?? 0;
      end[at] = entry[field + 1] ?? 0;
      sign[at] = entry[field + 2] ?? 0;
      at += 1;
    }
  }
  return { size, pilot: pilots, start, end, sign };
}
