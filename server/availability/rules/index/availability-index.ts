/**
 * The availability index: how many pilots, and which ones, are free throughout any time, without reading their slots. It
 * counts weekly windows by time zone, and keeps exceptions by day. No clock and no database: it knows what it was given.
 * All times are whole minutes since 1970-01-01 UTC; the words of `server/availability/README.md` explain why it is exact.
 */
import { MINUTES_PER_DAY } from '#server/time/time.ts';
import type { Crowd } from './crowd.ts';
import {
  BEFORE,
  BEYOND,
  createExceptionalDay,
  DAY_REACH,
  type DayEntry,
  type ExceptionalDay,
  hasBit,
} from './exceptional-days.ts';
import { addSteps } from './week-counts.ts';
import { createPilotWeeks, type MinuteSpan, type PilotTimes, type PilotWeeks, type WeekOf } from './pilot-weeks.ts';
import { MINUTES_PER_WEEK, UNKNOWN_OFFER } from './week-windows.ts';
import type { VisitWindow, WeekKind, ZoneWeek } from './zone-week.ts';

/** A window of a pilot as it is on the calendar; `offer` is for all of it, unknown by default. */
export type RealWindow = MinuteSpan & { readonly offer?: number };

/**
 * A pilot's real windows that touch a span, disjoint with gaps between them, in order. The index asks for them only where
 * the pilot has exceptions or the clock changes.
 */
export type RealWindows = (pilot: number, span: MinuteSpan) => readonly RealWindow[];

/**
 * Called for a pilot who is free throughout a time.
 * @param begin minute since 1970 at which the pilot's window began; earlier than any time that is asked for if it has no start
 * @param end when it ends; later than any time that is asked for if it has no end
 * @param offer what the pilot offers throughout the window, if it is known
 * @returns true to stop
 */
export type VisitFree = (pilot: number, begin: number, end: number, offer: number) => boolean;

/** Answers about the pilots of some weeks. */
export interface AvailabilityReads {
  /** The pilot's times have changed, or only the real windows. */
  touch: (pilot: number) => void;
  size: () => number;
  /**
   * Add to `into[i]` the pilots who are free throughout [from + i * step, from + i * step + duration).
   * @param duration 1 to 1440 minutes
   * @param step minutes, 1 by default
   */
  addCounts: (from: number, duration: number, into: Int32Array, step?: number) => void;
  /**
   * Add to `into[i]` the windows that start, or end, at from + i. Those on quarters of an hour in UTC may be left out: most
   * pilots have no others, and then nothing is read.
   */
  addOddEdges: (edge: 'start' | 'end', from: number, into: Int32Array) => void;
  /** Visit the pilots who are free throughout a time of at most a day, each once, in no order. */
  visitFree: (from: number, to: number, visit: VisitFree) => void;
  /** Add the pilots who are free throughout a time of at most a day to a crowd. */
  collectFree: (from: number, to: number, crowd: Crowd) => void;
  /** True if whoever is free throughout a time is free throughout another that overlaps it; both of at most half a day. */
  isKeptBy: (time: MinuteSpan, other: MinuteSpan) => boolean;
  /** The pilots with any free time in a span of at most 26 hours. */
  countPresent: (from: number, to: number) => number;
}

export interface AvailabilityIndex extends AvailabilityReads {
  /** Add a pilot who is not there: a small integer, from 0. */
  add: (pilot: number, times: PilotTimes) => void;
  /** Remove a pilot while `weekOf` still answers with the week that was added. */
  remove: (pilot: number) => void;
  /** for other reads of the same pilots */
  weeks: PilotWeeks;
  /** bytes of the typed columns, and of the counters */
  bytes: () => { columns: number; counters: number };
}

/** A day and a bit of each: the series of a month, and the days around it. */
const DAYS_KEPT = 40;
const SPANS_KEPT = 64;
const dayOf = (minute: number): number => Math.floor(minute / MINUTES_PER_DAY);

/** An index of pilots who are added to it. */
export function createAvailabilityIndex(realWindows: RealWindows, weekOf: WeekOf): AvailabilityIndex {
  const weeks = createPilotWeeks(weekOf);
  const reads = createReads([weeks], realWindows);
  return {
    ...reads,
    weeks,
    add(pilot, times) {
      weeks.add(pilot, times);
      reads.touch(pilot);
    },
    remove(pilot) {
      if (weeks.remove(pilot)) reads.touch(pilot);
    },
    bytes: weeks.bytes,
  };
}

/**
 * Counts the pilots of some weeks who are away throughout a time.
 * @param realGaps the times at which they are
 */
export const createAbsenceCounts = (
  weeks: readonly PilotWeeks[],
  realGaps: RealWindows,
): Pick<AvailabilityReads, 'touch' | 'addCounts'> => createReads(weeks, realGaps, 'gaps');

/** Reads the weeks of other indexes with other real windows: nobody is added to it, but `touch` is called for each change. */
export function createReads(
  weeksOfAll: readonly PilotWeeks[],
  realWindows: RealWindows,
  kind: WeekKind = 'windows',
): AvailabilityReads {
  /** least recently used first */
  const days = new Map<number, ExceptionalDay>();
  /** Counts of pilots present in a span, until a pilot changes: they are the only ones that read every window of two days. */
  const present = new Map<string, number>();

  function entryOf(pilot: number, day: number): DayEntry | null {
    const weeks = weeksOfAll.find(({ zoneOf }) => zoneOf(pilot) !== undefined);
    const weekFrom = weeks?.zoneOf(pilot)?.clock.minuteOfWeek(day);
    if (!weeks || weekFrom === undefined) return null;
    if (weekFrom !== null && !weeks.isExceptional(pilot, day)) return null;
    const entry: number[] = [];
    const from = day * MINUTES_PER_DAY;
    const add = (start: number, end: number, sign: 1 | -1, offer: number): void => {
      if (end < 0 || start > DAY_REACH) return;
      entry.push(start < 0 ? BEFORE : start, end > DAY_REACH ? BEYOND : end, sign, offer);
    };
    if (weekFrom !== null) {
      for (const { start, length } of weeks.weekOf(pilot, kind)) {
        if (length === MINUTES_PER_WEEK) add(BEFORE, BEYOND, -1, UNKNOWN_OFFER);
        else for (const at of startsNear(start - weekFrom)) add(at, at + length, -1, UNKNOWN_OFFER);
      }
    }
    for (const window of realWindows(pilot, { from: from - 1, to: from + DAY_REACH + 1 })) {
      add(window.from - from, window.to - from, 1, window.offer ?? UNKNOWN_OFFER);
    }
    return entry;
  }

  function dayAt(day: number): ExceptionalDay {
    const known = days.get(day);
    if (known) {
      days.delete(day);
      days.set(day, known);
      return known;
    }
    const pilots = weeksOfAll.flatMap((weeks) => weeks.listExceptional(day));
    const made = createExceptionalDay(pilots, (pilot) => entryOf(pilot, day));
    const [oldest] = days.keys();
    if (days.size >= DAYS_KEPT && oldest !== undefined) days.delete(oldest);
    days.set(day, made);
    return made;
  }

  const touch = (pilot: number): void => {
    present.clear();
    for (const day of days.values()) day.touch(pilot);
  };

  /** The parts of `length` minutes from one on, `step` apart, in each UTC day. */
  function eachDay(
    from: number,
    length: number,
    step: number,
    act: (day: number, since: number, at: number, count: number) => void,
  ) {
    for (let at = 0; at < length;) {
      const day = dayOf(from + at * step);
      const since = from + at * step - day * MINUTES_PER_DAY;
      const count = Math.min(length - at, Math.ceil((MINUTES_PER_DAY - since) / step));
      act(day, since, at, count);
      at += count;
    }
  }

  /**
   * Zones whose clock does not change near a day, with the minute of their week at its beginning.
   * @returns true if the act stopped it
   */
  function eachZone(day: number, act: (week: ZoneWeek, minute: number) => boolean): boolean {
    for (const { zones } of weeksOfAll) {
      for (const { clock, week } of zones) {
        const minute = clock.minuteOfWeek(day);
        if (minute !== null && act(week, minute)) return true;
      }
    }
    return false;
  }

  /** @param from in the day or the one after it, as is `to` */
  function visitDay(day: number, from: number, to: number, visit: (pilot: number) => void): void {
    const origin = day * MINUTES_PER_DAY;
    const exceptional = dayAt(day);
    const windows = exceptional.windows();
    const bits = exceptional.bits();
    eachZone(day, (week, minute) => {
      week.visitTouching((minute + from - origin) % MINUTES_PER_WEEK, to - from, (pilot) => {
        if (!hasBit(bits, pilot)) visit(pilot);
      });
      return false;
    });
    for (let index = 0; index < windows.real; index += 1) {
      const isThere = origin + (windows.start[index] ?? 0) < to && from < origin + (windows.end[index] ?? 0);
      if (isThere) visit(windows.pilot[index] ?? 0);
    }
  }

  function visitFree(from: number, to: number, visit: VisitFree): void {
    const day = dayOf(from);
    const since = from - day * MINUTES_PER_DAY;
    const duration = to - from;
    const exceptional = dayAt(day);
    const windows = exceptional.windows();
    const bits = exceptional.bits();
    const visitWeekly: VisitWindow = (pilot, past, left, offer) =>
      !hasBit(bits, pilot) && visit(pilot, from - past, from + left, offer);
    const isStopped = eachZone(day, (week, minute) =>
      week.visitLasting((minute + since) % MINUTES_PER_WEEK, duration, visitWeekly),
    );
    if (isStopped) return;
    for (let index = 0; index < windows.real; index += 1) {
      const start = windows.start[index] ?? 0;
      const end = windows.end[index] ?? 0;
      if (start > since || since + duration > end) continue;
      const begin = start > BEFORE ? from + start - since : from - MINUTES_PER_WEEK;
      const until = end < BEYOND ? from + end - since : from + MINUTES_PER_WEEK;
      if (visit(windows.pilot[index] ?? 0, begin, until, windows.offer[index] ?? UNKNOWN_OFFER)) return;
    }
  }

  function collectFree(from: number, to: number, crowd: Crowd): void {
    const day = dayOf(from);
    const since = from - day * MINUTES_PER_DAY;
    const duration = to - from;
    const exceptional = dayAt(day);
    const bits = exceptional.bits();
    eachZone(day, (week, minute) => {
      week.collectLasting((minute + since) % MINUTES_PER_WEEK, duration, bits, crowd);
      return false;
    });
    const { real, start, end, pilot, offer } = exceptional.windows();
    for (let index = 0; index < real; index += 1) {
      if ((start[index] ?? 0) > since || since + duration > (end[index] ?? 0)) continue;
      crowd.add(pilot[index] ?? 0, offer[index] ?? UNKNOWN_OFFER);
    }
  }

  function countFree({ from, to }: MinuteSpan): number {
    let count = 0;
    visitFree(from, to, () => {
      count += 1;
      return false;
    });
    return count;
  }

  return {
    touch,
    size: () => weeksOfAll.reduce((sum, weeks) => sum + weeks.size(), 0),
    addCounts(from, duration, into, step = 1) {
      for (const weeks of weeksOfAll) weeks.keepDuration(kind, duration);
      eachDay(from, into.length, step, (day, since, at, count) => {
        eachZone(day, (week, minute) => {
          week.addLasting(kind, duration, (minute + since) % MINUTES_PER_WEEK, { into, at, count, step });
          return false;
        });
        const changes = dayAt(day).changes(duration);
        if (changes) addSteps(changes, since, { into, at, count, step });
      });
    },
    addOddEdges(edge, from, into) {
      eachDay(from, into.length, 1, (day, since, at, count) => {
        eachZone(day, (week, minute) => {
          week.addOddEdges(edge, (minute + since) % MINUTES_PER_WEEK, { into, at, count, step: 1 });
          return false;
        });
        const edges = dayAt(day).edges(edge);
        if (edges) addSteps(edges, since, { into, at, count, step: 1 });
      });
    },
    visitFree,
    collectFree,
    isKeptBy(time, other) {
      const whole = { from: Math.min(time.from, other.from), to: Math.max(time.to, other.to) };
      // an exceptional window does not tell when it began before its day
      if (dayOf(whole.from) < dayOf(time.from)) return countFree(whole) === countFree(time);
      let isKept = true;
      visitFree(time.from, time.to, (_pilot, begin, end) => {
        isKept = begin <= whole.from && whole.to <= end;
        return !isKept;
      });
      return isKept;
    },
    countPresent(from, to) {
      const span = `${from} ${to}`;
      const known = present.get(span);
      if (known !== undefined) return known;
      const seen = new Uint8Array(Math.max(...weeksOfAll.map((weeks) => weeks.bound())));
      let count = 0;
      const visit = (pilot: number): void => {
        count += 1 - (seen[pilot] ?? 0);
        seen[pilot] = 1;
      };
      const first = dayOf(from);
      const firstEnd = first * MINUTES_PER_DAY + DAY_REACH;
      visitDay(first, from, Math.min(to, firstEnd), visit);
      // the exceptions of a day reach no further, but the next day's do
      if (to > firstEnd) visitDay(first + 1, firstEnd, to, visit);
      if (present.size >= SPANS_KEPT) present.clear();
      present.set(span, count);
      return count;
    },
  };
}

/** A window of the week in minutes from a day's beginning, in the weeks before, in and after it. */
const startsNear = (start: number): number[] => [start - MINUTES_PER_WEEK, start, start + MINUTES_PER_WEEK];
