/**
 * Windows of one weekday in typed columns, most of them in the order of their starts and then of their lengths, so that
 * those with one start that cover a time stand side by side. New ones stand unordered at the end until a search finds too
 * many of them.
 */
import { MINUTES_PER_WEEK, UNKNOWN_OFFER, type WeekWindow } from './week-windows.ts';

const GROWTH = 1.125;
export const NOBODY = -1;
/** The part of the windows that may be out of order: a search for a time reads all of these, one for a pilot few others. */
const LOOSE_FOR_TIMES = 1 / 32;
const LOOSE_FOR_PILOTS = 1 / 3;
const LOOSE_MIN = 32;

/** Windows by their starts and lengths; none for nobody. */
export type Windows = {
  readonly size: number;
  readonly start: Uint16Array;
  readonly length: Uint16Array;
  readonly pilot?: Int32Array;
};

export class WindowColumns {
  /** the used length, with gaps: a window that was removed belongs to nobody */
  size = 0;
  start = new Uint16Array(0);
  length = new Uint16Array(0);
  offer = new Uint16Array(0);
  pilot = new Int32Array(0);
  /** no offer has a higher number */
  offersMax = UNKNOWN_OFFER;
  /** how many of the first are in order */
  private ordered = 0;
  /** where windows in order with the same start begin, and where the last of them end */
  private runs = new Uint32Array(1);
  private gaps = 0;
  /** no window is longer */
  private longest = 0;

  /** bytes of the columns */
  bytes(): number {
    return this.pilot.length * 10 + this.runs.byteLength;
  }

  add(pilot: number, { start, length, offer = UNKNOWN_OFFER }: WeekWindow): void {
    if (this.size === this.pilot.length) this.resize(Math.max(8, Math.ceil(this.size * GROWTH)));
    this.start[this.size] = start;
    this.length[this.size] = length;
    this.offer[this.size] = offer;
    this.pilot[this.size] = pilot;
    this.size += 1;
    if (length > this.longest) this.longest = length;
    if (offer > this.offersMax) this.offersMax = offer;
  }

  /** The place of a pilot's window; -1 for none. */
  find(number: number, window: WeekWindow): number {
    this.orderBeyond(LOOSE_FOR_PILOTS);
    const { size, start, length, pilot, ordered, runs } = this;
    const run = this.firstRun(window.start);
    const to = start[runs[run] ?? 0] === window.start ? (runs[run + 1] ?? 0) : 0;
    for (
      let at = firstOf(length, window.length, runs[run] ?? 0, to);
      at < to && length[at] === window.length;
      at += 1
    ) {
      if (pilot[at] === number) return at;
    }
    for (let at = ordered; at < size; at += 1) if (pilot[at] === number && start[at] === window.start) return at;
    return -1;
  }

  removeAt(at: number): void {
    if (at < this.ordered) {
      this.pilot[at] = NOBODY;
      this.gaps += 1;
      return;
    }
    // the last window takes the place of the one that goes
    this.size -= 1;
    this.start[at] = this.start[this.size] ?? 0;
    this.length[at] = this.length[this.size] ?? 0;
    this.offer[at] = this.offer[this.size] ?? UNKNOWN_OFFER;
    this.pilot[at] = this.pilot[this.size] ?? NOBODY;
  }

  /**
   * Visit the windows that start at or before a minute and last until another, as ranges of places, some of which may belong
   * to nobody. Start and length are read only to find the ranges.
   * @param end in the count of `latest`; may be beyond the week
   * @returns true if a visit stopped it
   */
  visitCovering(latest: number, end: number, visit: (from: number, to: number) => boolean): boolean {
    this.orderBeyond(LOOSE_FOR_TIMES);
    const { size, start, length, ordered, runs } = this;
    for (let run = this.firstRun(end - this.longest); run + 1 < runs.length; run += 1) {
      const minute = start[runs[run] ?? 0] ?? 0;
      if (minute > latest) break;
      const to = runs[run + 1] ?? ordered;
      const from = firstOf(length, end - minute, runs[run] ?? 0, to);
      if (from < to && visit(from, to)) return true;
    }
    for (let at = ordered; at < size; at += 1) {
      const minute = start[at] ?? 0;
      if (minute <= latest && minute + (length[at] ?? 0) >= end && visit(at, at + 1)) return true;
    }
    return false;
  }

  /** The first run with a start from a minute on. */
  private firstRun(minute: number): number {
    const { start, runs } = this;
    let [low, high] = [0, runs.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((start[runs[middle] ?? 0] ?? 0) < minute) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private orderBeyond(share: number): void {
    if (this.size - this.ordered + this.gaps > LOOSE_MIN + this.ordered * share) this.order();
  }

  private order(): void {
    const { size, start, length, offer, pilot } = this;
    const kept = new Uint32Array(size - this.gaps);
    let count = 0;
    for (let at = 0; at < size; at += 1) if (pilot[at] !== NOBODY) kept[count++] = at;
    const places = sortedBy(start, sortedBy(length, kept));
    this.allocate(pilot.length);
    this.longest = 0;
    const runs: number[] = [];
    for (let at = 0; at < count; at += 1) {
      const place = places[at] ?? 0;
      const minutes = length[place] ?? 0;
      const minute = start[place] ?? 0;
      if (at === 0 || minute !== this.start[at - 1]) runs.push(at);
      this.start[at] = minute;
      this.length[at] = minutes;
      this.offer[at] = offer[place] ?? UNKNOWN_OFFER;
      this.pilot[at] = pilot[place] ?? NOBODY;
      if (minutes > this.longest) this.longest = minutes;
    }
    this.size = count;
    this.ordered = count;
    this.runs = Uint32Array.from([...runs, count]);
    this.gaps = 0;
  }

  private resize(capacity: number): void {
    const { start, length, offer, pilot } = this;
    this.allocate(capacity);
    this.start.set(start);
    this.length.set(length);
    this.offer.set(offer);
    this.pilot.set(pilot);
  }

  private allocate(capacity: number): void {
    this.start = new Uint16Array(capacity);
    this.length = new Uint16Array(capacity);
    this.offer = new Uint16Array(capacity);
    this.pilot = new Int32Array(capacity);
  }
}

/** The first place of a range, whose values ascend, with at least a value. */
function firstOf(values: Uint16Array, least: number, from: number, to: number): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] ?? 0) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The places in the order of their values, by counting each value: as fast as copying. Equal ones keep their order. */
function sortedBy(values: Uint16Array, places: Uint32Array): Uint32Array {
  let [least, most] = [Infinity, 0];
  for (const place of places) {
    const value = values[place] ?? 0;
    if (value < least) least = value;
    if (value > most) most = value;
  }
  const next = new Uint32Array(Math.max(0, most - least + 2));
  for (const place of places) {
    const after = (values[place] ?? 0) - least + 1;
    next[after] = (next[after] ?? 0) + 1;
  }
  for (let index = 1; index < next.length; index += 1) next[index] = (next[index] ?? 0) + (next[index - 1] ?? 0);
  const sorted = new Uint32Array(places.length);
  for (const place of places) {
    const value = (values[place] ?? 0) - least;
    const at = next[value] ?? 0;
    next[value] = at + 1;
    sorted[at] = place;
  }
  return sorted;
}

/**
 * The gaps between the windows of each pilot, as `restOfWeek` has them. Computed from the columns, because they are
 * only read where a duration is asked for that has no counters yet.
 * @param idle pilots without windows, whose gap is the whole week
 */
export function listGaps(groups: readonly WindowColumns[], idle: number): Windows {
  const size = groups.reduce((sum, group) => sum + group.size, 0);
  const start = new Uint16Array(size);
  const length = new Uint16Array(size);
  const pilot = new Int32Array(size);
  let at = 0;
  let bound = 0;
  for (const group of groups) {
    for (let place = 0; place < group.size; place += 1) {
      const owner = group.pilot[place] ?? NOBODY;
      if (owner === NOBODY) continue;
      start[at] = group.start[place] ?? 0;
      length[at] = group.length[place] ?? 0;
      pilot[at] = owner;
      bound = Math.max(bound, owner + 1);
      at += 1;
    }
  }
  const first = new Int32Array(bound).fill(NOBODY);
  const ends = new Int32Array(bound);
  const gaps = { size: 0, start: new Uint16Array(at + idle), length: new Uint16Array(at + idle) };
  const add = (from: number, minutes: number): void => {
    if (minutes <= 0) return;
    gaps.start[gaps.size] = from % MINUTES_PER_WEEK;
    gaps.length[gaps.size] = minutes;
    gaps.size += 1;
  };
  for (const place of sortedBy(
    start,
    Uint32Array.from({ length: at }, (_, index) => index),
  )) {
    const owner = pilot[place] ?? 0;
    const from = start[place] ?? 0;
    const end = ends[owner] ?? 0;
    if (first[owner] === NOBODY) first[owner] = from;
    else add(end, from - end);
    ends[owner] = from + (length[place] ?? 0);
  }
  for (let owner = 0; owner < bound; owner += 1) {
    const from = first[owner] ?? NOBODY;
    const end = ends[owner] ?? 0;
    if (from !== NOBODY) add(end, from + MINUTES_PER_WEEK - end);
  }
  for (let count = 0; count < idle; count += 1) add(0, MINUTES_PER_WEEK);
  return gaps;
}
