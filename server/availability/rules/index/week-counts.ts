/** Counters over the minutes of the week, which is a circle: how many windows last for a duration from each minute on. */
import { MINUTES_PER_WEEK } from './week-windows.ts';
import { NOBODY, type Windows } from './window-columns.ts';

export const QUARTER_MINUTES = 15;

/** The elements of an array from one on that stand for minutes `step` apart. */
export type Sums = { readonly into: Int32Array; readonly at: number; readonly count: number; readonly step: number };

/**
 * The counters of one duration: the counts at quarters of an hour, which most questions are about, and the change from each
 * minute to the next. So a window of hours is counted by a dozen numbers.
 */
export class LastingCounts {
  private readonly duration: number;
  private readonly quarters = new Int32Array(MINUTES_PER_WEEK / QUARTER_MINUTES);
  /** from the minute before */
  private readonly changes = new Int32Array(MINUTES_PER_WEEK);

  /** @param groups the windows to begin with */
  constructor(duration: number, groups: readonly Windows[]) {
    this.duration = duration;
    let count = 0;
    for (const { size, start, length, pilot } of groups) {
      for (let at = 0; at < size; at += 1) {
        if (pilot?.[at] === NOBODY) continue;
        const beyond = this.tallyChanges(start[at] ?? 0, length[at] ?? 0, 1);
        // it counts at the last minute of the week
        if (beyond >= MINUTES_PER_WEEK) count += 1;
      }
    }
    for (let minute = 0; minute < MINUTES_PER_WEEK; minute += 1) {
      count += this.changes[minute] ?? 0;
      if (minute % QUARTER_MINUTES === 0) this.quarters[minute / QUARTER_MINUTES] = count;
    }
  }

  bytes(): number {
    return this.quarters.byteLength + this.changes.byteLength;
  }

  /** Count a window, or with -1 no longer. */
  tally(start: number, length: number, sign: 1 | -1): void {
    const { quarters } = this;
    const beyond = this.tallyChanges(start, length, sign);
    const [first, last] = [Math.ceil(start / QUARTER_MINUTES), Math.ceil(beyond / QUARTER_MINUTES)];
    addToAll(quarters, first, Math.min(last, quarters.length), sign);
    addToAll(quarters, 0, last - quarters.length, sign);
  }

  /** @returns the minute from which on the window no longer lasts for the duration; may be beyond the week */
  private tallyChanges(start: number, length: number, sign: 1 | -1): number {
    if (length === MINUTES_PER_WEEK) return start + MINUTES_PER_WEEK;
    if (length < this.duration) return start;
    const { changes } = this;
    const beyond = start + length - this.duration + 1;
    changes[start] = (changes[start] ?? 0) + sign;
    const end = beyond % MINUTES_PER_WEEK;
    changes[end] = (changes[end] ?? 0) - sign;
    return beyond;
  }

  /**
   * Add to each element the windows that last for the duration from that minute.
   * @param first minute of the week of the first element
   */
  addTo(first: number, sums: Sums): void {
    if (first % QUARTER_MINUTES === 0 && sums.step % QUARTER_MINUTES === 0) {
      addCircular(this.quarters, first / QUARTER_MINUTES, { ...sums, step: sums.step / QUARTER_MINUTES });
      return;
    }
    const { into, at, count, step } = sums;
    const { changes } = this;
    const quarter = Math.floor(first / QUARTER_MINUTES);
    let sum = this.quarters[quarter] ?? 0;
    let minute = quarter * QUARTER_MINUTES;
    let ahead = first - minute;
    for (let index = 0; index < count; index += 1, ahead = step) {
      for (; ahead > 0; ahead -= 1) {
        minute = minute + 1 === MINUTES_PER_WEEK ? 0 : minute + 1;
        sum += changes[minute] ?? 0;
      }
      into[at + index] = (into[at + index] ?? 0) + sum;
    }
  }
}

function addToAll(counts: Int32Array, from: number, to: number, amount: number): void {
  for (let at = from; at < to; at += 1) counts[at] = (counts[at] ?? 0) + amount;
}

/** Adds counts over the week, which is a circle. @param from the first of the counts */
export function addCircular(counts: Int32Array, from: number, { into, at, count, step }: Sums): void {
  // two loops: one that asks at each step whether it has come round takes twice as long
  const straight = Math.min(count, Math.ceil((counts.length - from) / step));
  addSteps(counts, from, { into, at, count: straight, step });
  addSteps(counts, from + straight * step - counts.length, { into, at: at + straight, count: count - straight, step });
}

/** Adds counts to a part of an array. @param from the first of the counts */
export function addSteps(counts: Int32Array, from: number, { into, at, count, step }: Sums): void {
  for (let index = 0, next = from; index < count; index += 1, next += step) {
    into[at + index] = (into[at + index] ?? 0) + (counts[next] ?? 0);
  }
}
