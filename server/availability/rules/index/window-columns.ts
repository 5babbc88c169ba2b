/**
 * Windows of one weekday in typed columns, most of them in the order of their starts, so that a search reads only those
 * that can cover a time. New ones stand unordered at the end until a search finds too many of them.
 */
import { UNKNOWN_OFFER, type WeekWindow } from './week-windows.ts';

const GROWTH = 1.125;
const NOBODY = -1;
/** A search orders the windows again when more than this part of them is not in order. */
const LOOSE_SHARE = 1 / 32;
const LOOSE_MIN = 32;
/** More than any number of windows: a start and a place are sorted as one number. */
const PLACES = 2 ** 32;

export class WindowColumns {
  /** the used length, with gaps: a window that was removed has no length and belongs to nobody */
  size = 0;
  start = new Uint16Array(0);
  length = new Uint16Array(0);
  offer = new Uint16Array(0);
  pilot = new Int32Array(0);
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
  }

  /** The place of a pilot's next window from a place on; -1 for none. */
  find(pilot: number, from = 0): number {
    return this.pilot.indexOf(pilot, from);
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
    // an entry beyond the size must not be found
    this.pilot[this.size] = NOBODY;
  }

  /**
   * Where windows stand that may start at or before a minute and last until another: some of the ordered ones, and all
   * loose ones.
   * @param end in the count of `latest`; may be beyond the week
   */
  covering(latest: number, end: number): { readonly places: { from: number; to: number }; readonly loose: number } {
    if (this.size - this.ordered + this.gaps > LOOSE_MIN + this.ordered * LOOSE_SHARE) this.order();
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

  private order(): void {
    const keys = new Float64Array(this.size - this.gaps);
    let count = 0;
    let longest = 0;
    for (let at = 0; at < this.size; at += 1) {
      if (this.pilot[at] === NOBODY) continue;
      keys[count] = (this.start[at] ?? 0) * PLACES + at;
      count += 1;
      longest = Math.max(longest, this.length[at] ?? 0);
    }
    keys.sort();
    const { start, length, offer, pilot } = this;
    this.allocate(pilot.length);
    for (let at = 0; at < count; at += 1) {
      const place = (keys[at] ?? 0) % PLACES;
      this.start[at] = start[place] ?? 0;
      this.length[at] = length[place] ?? 0;
      this.offer[at] = offer[place] ?? UNKNOWN_OFFER;
      this.pilot[at] = pilot[place] ?? NOBODY;
    }
    this.size = count;
    this.ordered = count;
    this.gaps = 0;
    this.longest = longest;
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
    this.pilot = new Int32Array(capacity).fill(NOBODY);
  }
}
