/**
 * Windows of one weekday in typed columns, most of them in the order of their starts and then of their lengths, so that a
 * search reads only those that can cover a time, and the processor rarely guesses wrong which do. New ones stand unordered
 * at the end until a search finds too many of them.
 */
import type { Windows } from './week-counts.ts';
import { MINUTES_PER_WEEK, UNKNOWN_OFFER, type WeekWindow } from './week-windows.ts';

const GROWTH = 1.125;
const NOBODY = -1;
/** The part of the windows that may be out of order: a search for a time reads all of these, one for a pilot few others. */
const LOOSE_FOR_TIMES = 1 / 32;
const LOOSE_FOR_PILOTS = 1 / 2;
const LOOSE_MIN = 32;

export class WindowColumns {
  /** the used length, with gaps: a window that was removed has no length and belongs to nobody */
  size = 0;
  start = new Uint16Array(0);
  length = new Uint16Array(0);
  offer = new Uint16Array(0);
  pilot = new Int32Array(0);
  /** no offer has a higher number */
  offersMax = UNKNOWN_OFFER;
  /** how many of the first are in order */
  private ordered = 0;
  private gaps = 0;
  /** no window is longer */
  private longest = 0;

  /** bytes of the columns */
  bytes(): number {
    return this.pilot.length * 10;
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

  /** The place of a pilot's window with this start; -1 for none. */
  find(number: number, minute: number): number {
    this.orderBeyond(LOOSE_FOR_PILOTS);
    const { size, start, pilot, ordered } = this;
    for (let at = this.firstFrom(minute); at < ordered && start[at] === minute; at += 1) {
      if (pilot[at] === number) return at;
    }
    for (let at = ordered; at < size; at += 1) if (pilot[at] === number && start[at] === minute) return at;
    return -1;
  }

  removeAt(at: number): void {
    if (at < this.ordered) {
      this.length[at] = 0;
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
   * Where windows stand that may start at or before a minute and last until another: some of the ordered ones, and all
   * loose ones.
   * @param end in the count of `latest`; may be beyond the week
   */
  covering(latest: number, end: number): { readonly places: { from: number; to: number }; readonly loose: number } {
    this.orderBeyond(LOOSE_FOR_TIMES);
    const places = { from: this.firstFrom(end - this.longest), to: this.firstFrom(latest + 1) };
    return { places, loose: this.ordered };
  }

  /** The first place in order with a start from a minute on. */
  private firstFrom(minute: number): number {
    let [low, high] = [0, this.ordered];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.start[middle] ?? 0) < minute) low = middle + 1;
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
    for (let at = 0; at < count; at += 1) {
      const place = places[at] ?? 0;
      const minutes = length[place] ?? 0;
      this.start[at] = start[place] ?? 0;
      this.length[at] = minutes;
      this.offer[at] = offer[place] ?? UNKNOWN_OFFER;
      this.pilot[at] = pilot[place] ?? NOBODY;
      if (minutes > this.longest) this.longest = minutes;
    }
    this.size = count;
    this.ordered = count;
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
