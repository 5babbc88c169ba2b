/**
 * The weekly windows of all pilots of one time zone: 10 bytes a window in typed columns, and counters over the minutes of
 * the week, so that a count never reads the windows.
 */
import { MINUTES_PER_DAY } from '#server/time/time.ts';
import { collectGroup, type Crowd } from './crowd.ts';
import { hasBit } from './exceptional-days.ts';
import { addCircular, LastingCounts, QUARTER_MINUTES, type Sums } from './week-counts.ts';
import { MINUTES_PER_WEEK, restOfWeek, UNKNOWN_OFFER, type WeekWindow } from './week-windows.ts';
import { listGaps, NOBODY, WindowColumns } from './window-columns.ts';

/** The two kinds of time that are counted: the windows of the pilots' weeks, and the rest of their weeks. */
export type WeekKind = 'windows' | 'gaps';

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
  /** Windows that start, and that end, at minutes of the week that are not on a quarter of an hour; null before the first. */
  private odd: { readonly start: Int32Array; readonly end: Int32Array } | null = null;
  /** Pilots without windows. */
  private idle = 0;
  /** By duration in minutes. */
  private readonly lasting = {
    windows: new Map<number, LastingCounts>(),
    gaps: new Map<number, LastingCounts>(),
  };

  /** Bytes of the columns and counters. */
  bytes(): { columns: number; counters: number } {
    let columns = 0;
    for (const group of this.groups) columns += group.bytes();
    let counters = this.odd === null ? 0 : this.odd.start.byteLength + this.odd.end.byteLength;
    for (const kept of [this.lasting.windows, this.lasting.gaps]) {
      for (const counts of kept.values()) counters += counts.bytes();
    }
    return { columns, counters };
  }

  add(pilot: number, windows: readonly WeekWindow[]): void {
    for (const window of windows) {
      this.groups[groupOf(window)]?.add(pilot, window);
      this.tally(window, 1);
    }
    this.tallyGaps(windows, 1);
  }

  /** @param windows as they were added */
  remove(pilot: number, windows: readonly WeekWindow[]): void {
    for (const window of windows) {
      const group = this.groups[groupOf(window)];
      const at = group?.find(pilot, window) ?? -1;
      if (at < 0) throw new RangeError(`Pilot ${pilot} has no window at ${window.start}.`);
      group?.removeAt(at);
      this.tally(window, -1);
    }
    this.tallyGaps(windows, -1);
  }

  /** Keep counters for a duration from now on. */
  keepDuration(kind: WeekKind, duration: number): void {
    const groups = kind === 'windows' ? this.groups : [listGaps(this.groups, this.idle)];
    this.lasting[kind].set(duration, new LastingCounts(duration, groups));
  }

  dropDuration(kind: WeekKind, duration: number): void {
    this.lasting[kind].delete(duration);
  }

  /**
   * Add to each element the windows, or gaps, that last the whole duration from that minute.
   * @param first minute of the week of the first element
   */
  addLasting(kind: WeekKind, duration: number, first: number, sums: Sums): void {
    const counts = this.lasting[kind].get(duration);
    if (!counts) throw new RangeError('No counters are kept for this duration.');
    counts.addTo(first, sums);
  }

  /** Add to each element the windows that start, or end, at that minute; those on quarters of an hour may be left out. */
  addOddEdges(edge: 'start' | 'end', first: number, sums: Sums): void {
    if (this.odd !== null) addCircular(this.odd[edge], first, sums);
  }

  /**
   * Visit the windows that last from the minute of the week for the whole duration, at most a day.
   * @returns true if a visit stopped it
   */
  visitLasting(minute: number, duration: number, visit: VisitWindow): boolean {
    const { day, before, sinceBefore } = daysOf(minute);
    return (
      visitGroup(this.groups[day], minute, duration, visit) ||
      visitGroup(this.groups[before], sinceBefore, duration, visit) ||
      this.visitLong(minute, duration, visit)
    );
  }

  /**
   * Add the pilots of the windows that `visitLasting` visits to a crowd. A call for each of thousands would take several
   * times as long.
   * @param left the bits of pilots to leave out
   */
  collectLasting(minute: number, duration: number, left: Uint8Array, crowd: Crowd): void {
    const { day, before, sinceBefore } = daysOf(minute);
    collectGroup(this.groups[day], minute, duration, left, crowd);
    collectGroup(this.groups[before], sinceBefore, duration, left, crowd);
    this.visitLong(minute, duration, (pilot, _since, _left, offer) => {
      if (!hasBit(left, pilot)) crowd.add(pilot, offer);
      return false;
    });
  }

  private visitLong(minute: number, duration: number, visit: VisitWindow): boolean {
    const group = this.groups[LONG];
    if (!group) return false;
    for (let at = 0; at < group.size; at += 1) {
      const pilot = group.pilot[at] ?? NOBODY;
      if (pilot === NOBODY) continue;
      const since = (minute - (group.start[at] ?? 0) + MINUTES_PER_WEEK) % MINUTES_PER_WEEK;
      const minutes = group.length[at] ?? 0;
      const isEndless = minutes === MINUTES_PER_WEEK;
      if (since + duration > minutes && !isEndless) continue;
      const left = isEndless ? minutes : minutes - since;
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
        const number = pilot[at] ?? NOBODY;
        if (number !== NOBODY && (since < (length[at] ?? 0) || until < minutes)) visit(number);
      }
    }
  }

  private tally({ start, length }: WeekWindow, sign: 1 | -1): void {
    if (length < MINUTES_PER_WEEK) {
      this.tallyOdd('start', start, sign);
      this.tallyOdd('end', (start + length) % MINUTES_PER_WEEK, sign);
    }
    for (const counts of this.lasting.windows.values()) counts.tally(start, length, sign);
  }

  private tallyOdd(edge: 'start' | 'end', minute: number, sign: 1 | -1): void {
    if (minute % QUARTER_MINUTES === 0) return;
    // most communities have none
    this.odd ??= { start: new Int32Array(MINUTES_PER_WEEK), end: new Int32Array(MINUTES_PER_WEEK) };
    const counts = this.odd[edge];
    counts[minute] = (counts[minute] ?? 0) + sign;
  }

  private tallyGaps(windows: readonly WeekWindow[], sign: 1 | -1): void {
    if (windows.length === 0) this.idle += sign;
    if (this.lasting.gaps.size === 0) return;
    for (const { start, length } of restOfWeek(windows)) {
      for (const counts of this.lasting.gaps.values()) counts.tally(start, length, sign);
    }
  }
}

/** @param minute counted like the starts of the group, and not before them */
function visitGroup(group: WindowColumns | undefined, minute: number, duration: number, visit: VisitWindow): boolean {
  if (!group) return false;
  return group.visitCovering(minute, minute + duration, (from, to) => {
    const { start, length, offer, pilot } = group;
    for (let at = from; at < to; at += 1) {
      const number = pilot[at] ?? NOBODY;
      if (number === NOBODY) continue;
      const since = minute - (start[at] ?? 0);
      if (visit(number, since, (length[at] ?? 0) - since, offer[at] ?? UNKNOWN_OFFER)) return true;
    }
    return false;
  });
}

/** The weekdays whose windows can cover a minute of the week: its own and the one before, whose windows can last beyond the week. */
function daysOf(minute: number): { day: number; before: number; sinceBefore: number } {
  const day = Math.floor(minute / MINUTES_PER_DAY);
  const before = (day + 6) % 7;
  return { day, before, sinceBefore: before * MINUTES_PER_DAY + MINUTES_PER_DAY + (minute % MINUTES_PER_DAY) };
}

const groupOf = ({ start, length }: WeekWindow): number =>
  length > MINUTES_PER_DAY ? LONG : Math.floor(start / MINUTES_PER_DAY);
