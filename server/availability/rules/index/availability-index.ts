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
import { MINUTES_PER_WEEK, UNKNOWN_OFFER, type WeekWindow } from './week-windows.ts';
import { createZoneClock, type ZoneClock } from './zone-clock.ts';
import { type VisitWindow, ZoneWeek } from './zone-week.ts';

/** [from, to) in minutes since 1970-01-01 UTC. */
export type MinuteSpan = { readonly from: number; readonly to: number };

export type PilotTimes = {
  readonly timeZone: string;
  /** as `mergeWeek` returns them */
  readonly week: readonly WeekWindow[];
  /** where the pilot's time may differ from the week; may overlap */
  readonly exceptions: readonly MinuteSpan[];
};

/** A window of a pilot as it is on the calendar; `offer` is for all of it, unknown by default. */
export type RealWindow = MinuteSpan & { readonly offer?: number };

/**
 * A pilot's real windows that touch a span, disjoint with gaps between them, in order. The index asks for them only where
 * the pilot has exceptions or the clock changes.
 */
export type RealWindows = (pilot: number, span: MinuteSpan) => readonly RealWindow[];

/** The week with which a pilot was added, whatever it offers: the index keeps windows by their starts, not by pilot. */
export type WeekOf = (pilot: number) => readonly WeekWindow[];

/**
 * Called for a pilot who is free throughout a time.
 * @param begin minute since 1970 at which the pilot's window began; earlier than any time that is asked for if it has no start
 * @param end when it ends; later than any time that is asked for if it has no end
 * @param offer what the pilot offers throughout the window, if it is known
 * @returns true to stop
 */
export type VisitFree = (pilot: number, begin: number, end: number, offer: number) => boolean;

export interface AvailabilityIndex {
  /** Add a pilot who is not there: a small integer, from 0. */
  add: (pilot: number, times: PilotTimes) => void;
  /** Remove a pilot while `weekOf` still answers with the week that was added. */
  remove: (pilot: number) => void;
  /** The pilot's real windows have changed, but not the week or the exceptions. */
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
  /** bytes of the typed columns, and of the counters */
  bytes: () => { columns: number; counters: number };
}

/** A day and a bit of each: the series of a month, and the days around it. */
const DAYS_KEPT = 40;
const DURATIONS_KEPT = 6;
const SPANS_KEPT = 64;
const dayOf = (minute: number): number => Math.floor(minute / MINUTES_PER_DAY);

type Zone = { readonly clock: ZoneClock; readonly week: ZoneWeek };

export function createAvailabilityIndex(realWindows: RealWindows, weekOf: WeekOf): AvailabilityIndex {
  const zones = new Map<string, Zone>();
  const zoneOfPilot: (Zone | undefined)[] = [];
  const exceptions = new Map<number, readonly MinuteSpan[]>();
  /** least recently used first */
  const days = new Map<number, ExceptionalDay>();
  const durations = new Set<number>();
  /** Counts of pilots present in a span, until a pilot changes: they are the only ones that read every window of two days. */
  const present = new Map<string, number>();
  let size = 0;

  function zoneOf(timeZone: string): Zone {
    const known = zones.get(timeZone);
    if (known) return known;
    const zone = { clock: createZoneClock(timeZone), week: new ZoneWeek() };
    for (const duration of durations) zone.week.keepDuration(duration);
    zones.set(timeZone, zone);
    return zone;
  }

  function keepDuration(duration: number): void {
    if (durations.delete(duration)) {
      durations.add(duration);
      return;
    }
    const [oldest] = durations;
    if (durations.size >= DURATIONS_KEPT && oldest !== undefined) {
      durations.delete(oldest);
      for (const { week } of zones.values()) week.dropDuration(oldest);
    }
    durations.add(duration);
    for (const { week } of zones.values()) week.keepDuration(duration);
  }

  const isExceptional = (pilot: number, day: number): boolean => {
    const from = day * MINUTES_PER_DAY;
    // ends that touch count: a window can begin or end with the day
    return (exceptions.get(pilot) ?? []).some((span) => span.to >= from && span.from <= from + DAY_REACH);
  };

  function entryOf(pilot: number, day: number): DayEntry | null {
    const weekFrom = zoneOfPilot[pilot]?.clock.minuteOfWeek(day);
    if (weekFrom === undefined) return null;
    if (weekFrom !== null && !isExceptional(pilot, day)) return null;
    const entry: number[] = [];
    const from = day * MINUTES_PER_DAY;
    const add = (start: number, end: number, sign: 1 | -1, offer: number): void => {
      if (end < 0 || start > DAY_REACH) return;
      entry.push(start < 0 ? BEFORE : start, end > DAY_REACH ? BEYOND : end, sign, offer);
    };
    if (weekFrom !== null) {
      for (const { start, length } of weekOf(pilot)) {
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
    const pilots: number[] = [];
    for (const pilot of exceptions.keys()) if (isExceptional(pilot, day)) pilots.push(pilot);
    const changing = new Set([...zones.values()].filter(({ clock }) => clock.minuteOfWeek(day) === null));
    if (changing.size > 0) {
      for (const [pilot, zone] of zoneOfPilot.entries()) if (zone && changing.has(zone)) pilots.push(pilot);
    }
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

  function remove(pilot: number): void {
    const zone = zoneOfPilot[pilot];
    if (!zone) return;
    zone.week.remove(pilot, weekOf(pilot));
    zoneOfPilot[pilot] = undefined;
    exceptions.delete(pilot);
    size -= 1;
    touch(pilot);
  }

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

  /** @param from in the day or the one after it, as is `to` */
  function visitDay(day: number, from: number, to: number, visit: (pilot: number) => void): void {
    const origin = day * MINUTES_PER_DAY;
    const exceptional = dayAt(day);
    const windows = exceptional.windows();
    const bits = exceptional.bits();
    for (const { clock, week } of zones.values()) {
      const minute = clock.minuteOfWeek(day);
      if (minute === null) continue;
      week.visitTouching((minute + from - origin) % MINUTES_PER_WEEK, to - from, (pilot) => {
        if (!hasBit(bits, pilot)) visit(pilot);
      });
    }
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
    for (const { clock, week } of zones.values()) {
      const minute = clock.minuteOfWeek(day);
      if (minute !== null && week.visitLasting((minute + since) % MINUTES_PER_WEEK, duration, visitWeekly)) return;
    }
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
    for (const { clock, week } of zones.values()) {
      const minute = clock.minuteOfWeek(day);
      if (minute !== null) week.collectLasting((minute + since) % MINUTES_PER_WEEK, duration, bits, crowd);
    }
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
    add(pilot, { timeZone, week, exceptions: spans }) {
      const zone = zoneOf(timeZone);
      zone.week.add(pilot, week);
      zoneOfPilot[pilot] = zone;
      if (spans.length > 0) exceptions.set(pilot, spans);
      size += 1;
      touch(pilot);
    },
    remove,
    touch,
    size: () => size,
    addCounts(from, duration, into, step = 1) {
      keepDuration(duration);
      eachDay(from, into.length, step, (day, since, at, count) => {
        for (const { clock, week } of zones.values()) {
          const minute = clock.minuteOfWeek(day);
          if (minute !== null)
            week.addLasting(duration, (minute + since) % MINUTES_PER_WEEK, { into, at, count, step });
        }
        const changes = dayAt(day).changes(duration);
        if (changes) addSteps(changes, since, { into, at, count, step });
      });
    },
    addOddEdges(edge, from, into) {
      eachDay(from, into.length, 1, (day, since, at, count) => {
        for (const { clock, week } of zones.values()) {
          const minute = clock.minuteOfWeek(day);
          if (minute !== null)
            week.addOddEdges(edge, (minute + since) % MINUTES_PER_WEEK, { into, at, count, step: 1 });
        }
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
      const seen = new Uint8Array(zoneOfPilot.length);
      let count = 0;
      const visit = (pilot: number): void => {
        count += 1 - (seen[pilot] ?? 0);
        seen[pilot] = 1;
      };
      const first = dayOf(from);
      const firstEnd = first * MINUTES_PER_DAY + DAY_REACH;
      visitDay(first, from, Math.min(to, firstEnd), visit);
      // the exceptions of a day reach no further, but those of the next one do
      if (to > firstEnd) visitDay(first + 1, firstEnd, to, visit);
      if (present.size >= SPANS_KEPT) present.clear();
      present.set(span, count);
      return count;
    },
    bytes() {
      let [columns, counters] = [0, 0];
      for (const { week } of zones.values()) {
        const bytes = week.bytes();
        columns += bytes.columns;
        counters += bytes.counters;
      }
      return { columns, counters };
    },
  };
}

/** A window of the week in minutes from a day's beginning, in the weeks before, in and after it. */
const startsNear = (start: number): number[] => [start - MINUTES_PER_WEEK, start, start + MINUTES_PER_WEEK];
