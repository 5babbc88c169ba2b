/**
 * The weekly windows of all pilots of one time zone: 8 bytes a window in typed columns, and counters over the minutes of
 * the week, so that a count never reads the windows.
 */
import { MINUTES_PER_DAY } from '#server/time/time.ts';
import { MINUTES_PER_WEEK, type WeekWindow } from './week-windows.ts';

/** Windows of one weekday, or the long ones; in no order. */
class Columns {
  size = 0;
  start = new Uint16Array(0);
  length = new Uint16Array(0);
  pilot = new Int32Array(0);

  add(pilot: number, { start, length }: WeekWindow): void {
    if (this.size === this.pilot.length) this.resize(Math.max(8, Math.ceil(this.size * GROWTH)));
    this.start[this.size] = start;
    this.length[this.size] = length;
    this.pilot[this.size] = pilot;
    this.size += 1;
  }

  /** The last window takes the place of the one that goes. */
  removeAt(at: number): void {
    this.size -= 1;
    this.start[at] = this.start[this.size] ?? 0;
    this.length[at] = this.length[this.size] ?? 0;
    this.pilot[at] = this.pilot[this.size] ?? 0;
    // an entry beyond the size must not be found
    this.pilot[this.size] = NOBODY;
  }

  private resize(capacity: number): void {
    const [start, length, pilot] = [
      new Uint16Array(capacity),
      new Uint16Array(capacity),
      new Int32Array(capacity).fill(NOBODY),
    ];
    start.set(this.start);
    length.set(this.length);
    pilot.set(this.pilot);
    Object.assign(this, { start, length, pilot });
  }
}

const GROWTH = 1.125;
const NOBODY = -1;
/** Windows longer than a day are few, and looked at on every day. */
const LONG = 7;

export type Collected = {
  /** long enough for everybody */
  readonly pilots: Int32Array;
  count: number;
  /** how many minutes the first of them still stays from the minute asked for */
  left: number;
};

export class ZoneWeek {
  private readonly groups = Array.from({ length: LONG + 1 }, () => new Columns());
  /** Windows that start, and that end, at each minute of the week. */
  private readonly edges = { start: new Int32Array(MINUTES_PER_WEEK), end: new Int32Array(MINUTES_PER_WEEK) };
  /** By duration in minutes: at each minute of the week, the windows that last so long from it. */
  private readonly lasting = new Map<number, Int32Array>();

  /** Bytes of the columns and counters. */
  bytes(): { columns: number; counters: number } {
    let columns = 0;
    for (const { pilot } of this.groups) columns += pilot.length * 8;
    return { columns, counters: (2 + this.lasting.size) * MINUTES_PER_WEEK * 4 };
  }

  add(pilot: number, windows: readonly WeekWindow[]): void {
    for (const window of windows) {
      this.groups[groupOf(window)]?.add(pilot, window);
      this.tally(window, 1);
    }
  }

  /** @param groups the bits that `groupsOf` gave for these windows */
  remove(pilot: number, groups: number): void {
    for (const [index, group] of this.groups.entries()) {
      if ((groups & (1 << index)) === 0) continue;
      for (let at = group.pilot.indexOf(pilot); at >= 0; at = group.pilot.indexOf(pilot, at)) {
        this.tally({ start: group.start[at] ?? 0, length: group.length[at] ?? 0 }, -1);
        group.removeAt(at);
      }
    }
  }

  /** A pilot's windows. @param groups the bits that `groupsOf` gave for them */
  windowsOf(pilot: number, groups: number): WeekWindow[] {
    const windows: WeekWindow[] = [];
    for (const [index, group] of this.groups.entries()) {
      if ((groups & (1 << index)) === 0) continue;
      for (let at = group.pilot.indexOf(pilot); at >= 0; at = group.pilot.indexOf(pilot, at + 1)) {
        windows.push({ start: group.start[at] ?? 0, length: group.length[at] ?? 0 });
      }
    }
    return windows;
  }

  /** Keep counters for a duration from now on. */
  keepDuration(duration: number): void {
    if (this.lasting.has(duration)) return;
    const differences = new Int32Array(MINUTES_PER_WEEK + 1);
    let always = 0;
    for (const { size, start, length } of this.groups) {
      for (let at = 0; at < size; at += 1) {
        const from = start[at] ?? 0;
        const minutes = length[at] ?? 0;
        if (minutes < duration) continue;
        if (minutes === MINUTES_PER_WEEK) {
          always += 1;
          continue;
        }
        const beyond = from + minutes - duration + 1;
        differences[from] = (differences[from] ?? 0) + 1;
        if (beyond <= MINUTES_PER_WEEK) {
          differences[beyond] = (differences[beyond] ?? 0) - 1;
        } else {
          always += 1;
          const wrapped = beyond - MINUTES_PER_WEEK;
          differences[wrapped] = (differences[wrapped] ?? 0) - 1;
        }
      }
    }
    const counts = new Int32Array(MINUTES_PER_WEEK);
    let sum = always;
    for (let minute = 0; minute < MINUTES_PER_WEEK; minute += 1) {
      sum += differences[minute] ?? 0;
      counts[minute] = sum;
    }
    this.lasting.set(duration, counts);
  }

  dropDuration(duration: number): void {
    this.lasting.delete(duration);
  }

  /**
   * Add to each element the windows that last the whole duration from that minute.
   * @param first minute of the week of `into[at]`
   */
  addLasting(duration: number, first: number, into: Int32Array, at: number, count: number): void {
    addCircular(this.lasting.get(duration), first, into, at, count);
  }

  /** Add to each element the windows that start, or end, at that minute. */
  addEdges(edge: 'start' | 'end', first: number, into: Int32Array, at: number, count: number): void {
    addCircular(this.edges[edge], first, into, at, count);
  }

  /**
   * Collect the pilots whose windows last from the minute of the week for the whole duration, at most a day.
   * @param skipped 1 for pilots to leave out, by pilot; null for none
   */
  collectLasting(minute: number, duration: number, skipped: Uint8Array | null, into: Collected): void {
    const { pilots } = into;
    let { count, left } = into;
    const day = Math.floor(minute / MINUTES_PER_DAY);
    for (const index of [day, (day + 6) % 7, LONG]) {
      const group = this.groups[index];
      if (!group) continue;
      const { size, start, length, pilot } = group;
      for (let at = 0; at < size; at += 1) {
        let since = minute - (start[at] ?? 0);
        if (since < 0) since += MINUTES_PER_WEEK;
        const minutes = length[at] ?? 0;
        const isEndless = minutes === MINUTES_PER_WEEK;
        if (since + duration > minutes && !isEndless) continue;
        const one = pilot[at] ?? 0;
        if (skipped?.[one] === 1) continue;
        pilots[count] = one;
        count += 1;
        if (!isEndless && minutes - since < left) left = minutes - since;
      }
    }
    into.count = count;
    into.left = left;
  }

  /** Visit the windows with any time in the minutes from one of the week on; a pilot may come more than once. */
  visitTouching(minute: number, minutes: number, visit: (pilot: number) => void): void {
    const day = Math.floor(minute / MINUTES_PER_DAY);
    const days = Math.ceil(((minute % MINUTES_PER_DAY) + minutes) / MINUTES_PER_DAY);
    const listed = Array.from({ length: Math.min(7, days + 1) }, (_, away) => (day + 6 + away) % 7);
    for (const index of [...listed, LONG]) {
      const group = this.groups[index];
      if (!group) continue;
      const { size, start, length, pilot } = group;
      for (let at = 0; at < size; at += 1) {
        const from = start[at] ?? 0;
        let since = minute - from;
        if (since < 0) since += MINUTES_PER_WEEK;
        let until = from - minute;
        if (until < 0) until += MINUTES_PER_WEEK;
        if (since < (length[at] ?? 0) || until < minutes) visit(pilot[at] ?? 0);
      }
    }
  }

  private tally({ start, length }: WeekWindow, sign: 1 | -1): void {
    if (length < MINUTES_PER_WEEK) {
      const end = (start + length) % MINUTES_PER_WEEK;
      const { edges } = this;
      edges.start[start] = (edges.start[start] ?? 0) + sign;
      edges.end[end] = (edges.end[end] ?? 0) + sign;
    }
    for (const [duration, counts] of this.lasting) {
      const count = length === MINUTES_PER_WEEK ? MINUTES_PER_WEEK : length - duration + 1;
      for (let step = 0, minute = start; step < count; step += 1) {
        counts[minute] = (counts[minute] ?? 0) + sign;
        minute += 1;
        if (minute === MINUTES_PER_WEEK) minute = 0;
      }
    }
  }
}

const groupOf = ({ start, length }: WeekWindow): number =>
  length > MINUTES_PER_DAY ? LONG : Math.floor(start / MINUTES_PER_DAY);

/** The groups that hold a pilot's windows, a bit each: 8 bits. */
export const groupsOf = (windows: readonly WeekWindow[]): number =>
  windows.reduce((bits, window) => bits | (1 << groupOf(window)), 0);

function addCircular(counts: Int32Array | undefined, first: number, into: Int32Array, at: number, count: number): void {
  if (!counts) throw new RangeError('No counters are kept for this duration.');
  // two loops, as the week is a circle: one that asks at each step whether it has come round takes twice as long
  const straight = Math.min(count, MINUTES_PER_WEEK - first);
  for (let step = 0; step < straight; step += 1) {
    into[at + step] = (into[at + step] ?? 0) + (counts[first + step] ?? 0);
  }
  for (let step = straight; step < count; step += 1) {
    into[at + step] = (into[at + step] ?? 0) + (counts[first + step - MINUTES_PER_WEEK] ?? 0);
  }
}
