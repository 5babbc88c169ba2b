/**
 * Pilots whose time on a UTC day is not what their week says: overrides, leaves, held seats, a live status, or a change of
 * their clock. Each such day keeps their windows by the week with -1 and their real ones with +1.
 */
import { MINUTES_PER_DAY } from '#server/time/time.ts';
import { UNKNOWN_OFFER } from './week-windows.ts';

/** A day's windows reach into the day after it. */
export const DAY_REACH = 2 * MINUTES_PER_DAY;
/** A window that began before the day, or that ends after the day after it. */
export const BEFORE = -1;
export const BEYOND = DAY_REACH + 1;
const DURATIONS_KEPT = 6;

/** Windows of a day, in minutes since it began; each -1 (by the week, but not real) or +1 (real). The real ones come first. */
export type SignedWindows = {
  readonly size: number;
  /** how many are real */
  readonly real: number;
  readonly pilot: Int32Array;
  readonly start: Int16Array;
  readonly end: Int16Array;
  readonly sign: Int8Array;
  readonly offer: Uint16Array;
};

/** Start, end, sign and offer of each window, one after the other. */
export type DayEntry = readonly number[];
const FIELDS = 4;

export interface ExceptionalDay {
  /** Compute these pilots' windows again before the next use. */
  touch: (pilot: number) => void;
  windows: () => SignedWindows;
  /**
   * By minute of the day: how many more pilots are free throughout the duration from it than their weeks say. Kept until a
   * window changes. Null when no pilot differs.
   */
  changes: (duration: number) => Int32Array | null;
  /** By minute from the day's beginning to `DAY_REACH`: the signed number of windows that start, or end, there. */
  edges: (edge: 'start' | 'end') => Int32Array | null;
  /** The pilots with windows on this day, for `hasBit`. Until the next change only. */
  bits: () => Uint8Array;
}

/** @param entryOf a pilot's windows on this day; null when the week tells them */
export function createExceptionalDay(
  pilots: Iterable<number>,
  entryOf: (pilot: number) => DayEntry | null,
): ExceptionalDay {
  const entries = new Map<number, DayEntry>();
  const touched = new Set<number>(pilots);
  /** a bit for each pilot with an entry: a loop over all windows asks for each of them */
  let bits = new Uint8Array(0);
  let flat: SignedWindows | null = null;
  const changesBy = new Map<number, Int32Array>();
  const edgesBy = new Map<'start' | 'end', Int32Array>();

  function update(): void {
    for (const pilot of touched) {
      const entry = entryOf(pilot);
      if (entry) {
        entries.set(pilot, entry);
        bits = withBit(bits, pilot);
      } else if (entries.delete(pilot)) {
        bits[pilot >> 3] = (bits[pilot >> 3] ?? 0) & ~(1 << (pilot & 7));
      } else {
        continue;
      }
      flat = null;
      changesBy.clear();
      edgesBy.clear();
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
    edges(edge) {
      const signed = windows();
      if (signed.size === 0) return null;
      const known = edgesBy.get(edge);
      if (known) return known;
      const made = new Int32Array(DAY_REACH + 1);
      for (let index = 0; index < signed.size; index += 1) {
        const minute = signed[edge][index] ?? BEFORE;
        if (minute > BEFORE && minute < BEYOND) made[minute] = (made[minute] ?? 0) + (signed.sign[index] ?? 0);
      }
      edgesBy.set(edge, made);
      return made;
    },
    bits() {
      update();
      return bits;
    },
  };
}

/** True if the pilot's bit is set; every pilot has one bit. */
export const hasBit = (bits: Uint8Array, pilot: number): boolean =>
  ((bits[pilot >> 3] ?? 0) & (1 << (pilot & 7))) !== 0;

function withBit(bits: Uint8Array<ArrayBuffer>, pilot: number): Uint8Array<ArrayBuffer> {
  let wide = bits;
  if (pilot >> 3 >= bits.length) {
    wide = new Uint8Array(Math.max(2 * bits.length, (pilot >> 3) + 1));
    wide.set(bits);
  }
  wide[pilot >> 3] = (wide[pilot >> 3] ?? 0) | (1 << (pilot & 7));
  return wide;
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
  for (const { length } of entries.values()) size += length / FIELDS;
  const pilots = new Int32Array(size);
  const start = new Int16Array(size);
  const end = new Int16Array(size);
  const sign = new Int8Array(size);
  const offer = new Uint16Array(size);
  let at = 0;
  for (const wanted of [1, -1]) {
    for (const [pilot, entry] of entries) {
      for (let field = 0; field < entry.length; field += FIELDS) {
        if (entry[field + 2] !== wanted) continue;
        pilots[at] = pilot;
        start[at] = entry[field] ?? 0;
        end[at] = entry[field + 1] ?? 0;
        sign[at] = wanted;
        offer[at] = entry[field + 3] ?? UNKNOWN_OFFER;
        at += 1;
      }
    }
  }
  const firstUnreal = sign.indexOf(-1);
  return { size, real: firstUnreal < 0 ? size : firstUnreal, pilot: pilots, start, end, sign, offer };
}
