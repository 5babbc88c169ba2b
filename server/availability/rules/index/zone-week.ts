/**
 * The weekly windows of all pilots of one time zone: 10 bytes a window in typed columns, and counters over the minutes of
 * the week, so that a count never reads the windows.
 */
import { MINUTES_PER_DAY } from '#server/time/time.ts';
import { MINUTES_PER_WEEK, UNKNOWN_OFFER, type WeekWindow } from './week-windows.ts';
import { WindowColumns } from './window-columns.ts';

/** Windows longer than a day are few, and looked at on every day. */
const LONG = 7;

/**
 * Called for a window that covers a time.
 * @param since minutes from the window's start to the start of the time; a week if it has none
 * @param left minutes from the start of the time to the window's end; a week if it has none
 * @returns true to stop
 */
export type VisitWindow = (pilot: number, since: number, left: number, offer: number) => boolean;

export class ZoneWeek {
  private readonly groups = Array.from({ length: LONG + 1 }, () => new WindowColumns());
  /** Windows that start, and that end, at each minute of the week. */
  private readonly edges = { start: new Int32Array(MINUTES_PER_WEEK), end: new Int32Array(MINUTES_PER_WEEK) };
  /** By duration in minutes: at each minute of the week, the windows that last so long from it. */
  private readonly lasting = new Map<number, Int32Array>();

  /** Bytes of the columns and counters. */
  bytes(): { columns: number; counters: number } {
    let columns = 0;
    for (const group of this.groups) columns += group.bytes();
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
      for (let at = group.find(pilot); at >= 0; at = group.find(pilot, at)) {
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
      for (let at = group.find(pilot); at >= 0; at = group.find(pilot, at + 1)) {
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
   * Visit the windows that last from the minute of the week for the whole duration, at most a day.
   * @returns true if a visit stopped it
   */
  visitLasting(minute: number, duration: number, visit: VisitWindow): boolean {
    const day = Math.floor(minute / MINUTES_PER_DAY);
    const before = (day + 6) % 7;
    // windows of the day before, counted from its own midnight, can last beyond the week
    const sinceBefore = before * MINUTES_PER_DAY + MINUTES_PER_DAY + (minute % MINUTES_PER_DAY);
    return (
      visitGroup(this.groups[day], minute, duration, visit) ||
      visitGroup(this.groups[before], sinceBefore, duration, visit) ||
      this.visitLong(minute, duration, visit)
    );
  }

  private visitLong(minute: number, duration: number, visit: VisitWindow): boolean {
    const group = this.groups[LONG];
    if (!group) return false;
    for (let at = 0; at < group.size; at += 1) {
      const since = (minute - (group.start[at] ?? 0) + MINUTES_PER_WEEK) % MINUTES_PER_WEEK;
      const minutes = group.length[at] ?? 0;
      const isEndless = minutes === MINUTES_PER_WEEK;
      if (since + duration > minutes && !isEndless) continue;
      const left = isEndless ? minutes : minutes - since;
      const pilot = group.pilot[at] ?? 0;
      if (visit(pilot, isEndless ? minutes : since, left, group.offer[at] ?? UNKNOWN_OFFER)) return true;
    }
    return false;
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
        const lasts = length[at] ?? 0;
        if (since < lasts || (until < minutes && lasts > 0)) visit(pilot[at] ?? 0);
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

/** @param minute counted like the starts of the group, and not before them */
function visitGroup(group: WindowColumns | undefined, minute: number, duration: number, visit: VisitWindow): boolean {
  if (!group) return false;
  const { places, loose } = group.covering(minute, minute + duration);
  const { size, start, length, offer, pilot } = group;
  for (const { from, to } of [places, { from: loose, to: size }]) {
    for (let at = from; at < to; at += 1) {
      const since = minute - (start[at] ?? 0);
      const left = (length[at] ?? 0) - since;
      if (since < 0 || left < duration) continue;
      if (visit(pilot[at] ?? 0, since, left, offer[at] ?? UNKNOWN_OFFER)) return true;
    }
  }
  return false;
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
