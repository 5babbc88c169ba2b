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

  function update(): void {
    for (const pilot of touched) {
      const entry = entryOf(pilot);
      if (entry) entries.set(pilot, entry);
      else if (!entries.delete(pilot)) continue;
      flat = null;
    }
    touched.clear();
  }

  return {
    touch: (pilot) => touched.add(pilot),
    windows() {
      update();
      flat ??= flatten(entries);
      return flat;
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
