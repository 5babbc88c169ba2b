/**
 * Dated windows of a pilot's availability: weekly slots expanded on the calendar, across clock changes, with dated
 * overrides applied. An aircraft of null means any.
 */
import { NOTES_MAX_LENGTH } from '#shared/limits.ts';
import type { OverrideKind, WindowSource } from '#shared/vocabulary.ts';
import { clip, type Interval, subtractIntervals } from '#server/time/intervals.ts';
import { type BusyMinutes, busyDuring } from './busy-minutes.ts';
import { type LocalDay, listLocalDays } from '#server/time/local-days.ts';
import { effectiveStatus, type StoredStatus } from '#shared/pilot-status.ts';
import {
  addDays,
  DAY_MS,
  dayBounds,
  localDate,
  localTime,
  MINUTE_MS,
  MINUTES_PER_DAY,
  minutesOf,
  timeOf,
  toInstantMs,
} from '#server/time/time.ts';

/** A weekly slot of a template, in the pilot's wall time. An end that is not after the start is on the next day. */
export type WeeklySlot = {
  readonly weekday: number;
  readonly startLocal: string;
  readonly endLocal: string;
  readonly aircraftId: number | null;
  readonly notes: string | null;
};

/** A dated exception to the template, in the pilot's wall time. An end that is not after the start is on the next day. */
export type Override = {
  readonly dateLocal: string;
  readonly kind: OverrideKind;
  readonly startLocal: string;
  readonly endLocal: string;
  readonly aircraftId: number | null;
  readonly notes: string | null;
  /** what `overrideTime` says, where it is asked for again and again */
  readonly time?: Interval;
};

/** A pilot present over an interval, for one aircraft or any. */
export type Presence = Interval & {
  readonly aircraftId: number | null;
  readonly source: WindowSource;
  readonly notes: string | null;
};

/** A presence, or the part of it on one date, in wall times of that date; midnight at its end is `24:00`. */
export type DaySlot = {
  readonly startLocal: string;
  readonly endLocal: string;
  readonly aircraftId: number | null;
  readonly source: WindowSource;
  readonly notes: string | null;
};

export type DaySlots = { readonly dateLocal: string; readonly slots: DaySlot[] };

const NOTE_SEPARATOR = '; ';

/** Minutes since midnight of the slot's day; the end may exceed 1440. */
type Span = { start: number; end: number; notes: (string | null)[] };

function toSpan(slot: WeeklySlot): Span {
  const start = minutesOf(slot.startLocal);
  const end = minutesOf(slot.endLocal);
  return { start, end: end > start ? end : end + MINUTES_PER_DAY, notes: [slot.notes] };
}

/** A single note is kept as it is; several are joined without repetitions, in the order of the slots. */
function joinNotes(notes: readonly (string | null)[]): string | null {
  const distinct = new Set(notes.filter((note) => note !== null && note !== ''));
  if (distinct.size < 2) return [...distinct][0] ?? null;
  const parts = new Set([...distinct].flatMap((note) => note?.split(NOTE_SEPARATOR) ?? []));
  return Array.from([...parts].join(NOTE_SEPARATOR))
    .slice(0, NOTES_MAX_LENGTH)
    .join('');
}

/**
 * Merge overlapping and touching spans of one weekday. A slot is shorter than 24 h (its start and end differ), so a longer
 * run stays two touching spans, cut where its last slot starts, each of which fits into a slot.
 */
function mergeSpans(spans: readonly Span[]): Span[] {
  const runs: (Span & { lastStart: number; lastNotes: (string | null)[] })[] = [];
  const sorted = spans.toSorted((a, b) => a.start - b.start || a.end - b.end || compareNotes(a, b));
  for (const span of sorted) {
    const run = runs.at(-1);
    if (run && span.start <= run.end) {
      run.end = Math.max(run.end, span.end);
      run.notes.push(...span.notes);
      if (span.start > run.lastStart) run.lastNotes = [];
      run.lastStart = span.start;
      run.lastNotes.push(...span.notes);
    } else {
      runs.push({ ...span, notes: [...span.notes], lastStart: span.start, lastNotes: [...span.notes] });
    }
  }
  return runs.flatMap((run) =>
    run.end - run.start < MINUTES_PER_DAY
      ? [run]
      : [
          { start: run.start, end: run.lastStart, notes: run.notes },
          { start: run.lastStart, end: run.end, notes: run.lastNotes },
        ],
  );
}

function compareNotes(a: Span, b: Span): number {
  const [left, right] = [a.notes[0] ?? '', b.notes[0] ?? ''];
  return left < right ? -1 : left > right ? 1 : 0;
}

/**
 * Normalized weekly slots: on each weekday, slots of the same aircraft that overlap or touch are merged, past midnight
 * too, and their notes joined. Slots of different weekdays stay separate, as the pilot entered them.
 * @param slots with different start and end
 * @returns by weekday, start, aircraft (any first); an end at midnight is `00:00`; normalizing again changes nothing
 */
export function normalizeSlots(slots: readonly WeeklySlot[]): WeeklySlot[] {
  const groups = Map.groupBy(slots, (slot) => `${slot.weekday} ${slot.aircraftId ?? 0}`);
  const merged = [...groups.values()].flatMap((group) => {
    const first = group[0];
    if (!first) return [];
    return mergeSpans(group.map(toSpan)).map((span) => ({
      weekday: first.weekday,
      startLocal: timeOf(span.start),
      endLocal: timeOf(span.end),
      aircraftId: first.aircraftId,
      notes: joinNotes(span.notes),
    }));
  });
  return merged.sort(
    (a, b) =>
      a.weekday - b.weekday ||
      minutesOf(a.startLocal) - minutesOf(b.startLocal) ||
      (a.aircraftId ?? 0) - (b.aircraftId ?? 0),
  );
}

/**
 * The instants of wall times on a date. Where a clock change would leave a slot empty (it is within the skipped hour), the
 * slot keeps its start and its nominal length, so that no slot is ever lost.
 * @param instantOf instant of minutes since the date's midnight; `instantOfNext` since the next date's
 */
function toInterval(
  start: number,
  end: number,
  instantOf: (minutes: number) => number,
  instantOfNext: (minutes: number) => number,
): Interval {
  const isNextDay = end <= start;
  const startMs = instantOf(start);
  const endMs = isNextDay ? instantOfNext(end) : instantOf(end);
  if (endMs > startMs) return { startMs, endMs };
  return { startMs, endMs: startMs + (isNextDay ? end - start + MINUTES_PER_DAY : end - start) * MINUTE_MS };
}

const DAYS_PER_WEEK = 7;
/** 1970-01-01 was a Thursday. */
const FIRST_WEEKDAY = 4;

/** A slot extends at most one day past its date, and a clock change moves it by less than another. */
const REACH_DAYS = 2;

/** Wall times of one weekday, both included: slots of that day that hold one of them, or on which the night after does. */
export type SlotSearch = {
  readonly weekday: number;
  readonly fromLocal: string;
  readonly toLocal: string;
  /** true for the part after midnight of slots that end on the next day */
  readonly isAfterMidnight: boolean;
};

/**
 * The weekly slots that may be going on at an instant, in any week of the zone's calendar: none that is going on is missing,
 * and near a change of the clock there are more.
 */
export function slotsAround(ms: number, timeZone: string): SlotSearch[] {
  let at = Temporal.Instant.fromEpochMilliseconds(ms - (REACH_DAYS + 1) * DAY_MS).toZonedDateTimeISO(timeZone);
  const offsets = [at.offsetNanoseconds];
  for (;;) {
    const change = at.getTimeZoneTransition('next');
    if (!change || change.epochMilliseconds > ms + (REACH_DAYS + 1) * DAY_MS) break;
    offsets.push(change.offsetNanoseconds);
    at = change;
  }
  const minutes = (offset: number): number => offset / 1e6 / MINUTE_MS;
  const first = Math.floor(ms / MINUTE_MS + minutes(Math.min(...offsets)));
  const last = Math.ceil(ms / MINUTE_MS + minutes(Math.max(...offsets)));
  const searches: SlotSearch[] = [];
  for (let from = first; from <= last; from = (Math.floor(from / MINUTES_PER_DAY) + 1) * MINUTES_PER_DAY) {
    const day = Math.floor(from / MINUTES_PER_DAY);
    const until = Math.min(last, (day + 1) * MINUTES_PER_DAY - 1);
    const times = { fromLocal: timeOf(from - day * MINUTES_PER_DAY), toLocal: timeOf(until - day * MINUTES_PER_DAY) };
    const weekday = (day + FIRST_WEEKDAY) % DAYS_PER_WEEK;
    searches.push(
      { weekday, ...times, isAfterMidnight: false },
      { weekday: (weekday + DAYS_PER_WEEK - 1) % DAYS_PER_WEEK, ...times, isAfterMidnight: true },
    );
  }
  return searches;
}

/** Expands weekly slots in a pilot's zone into the presences that touch the range. */
export type Expansion = (slots: readonly WeeklySlot[], timeZone: string) => Presence[];

/**
 * Prepare to expand weekly slots over [fromMs, toMs) for many pilots: each zone's calendar is read only once.
 * @param sharesSlots true for pilots of a roster: equal slots are one object, and are expanded once
 * @returns presences, one per slot and date, not clipped, by start
 */
export function createExpansion(fromMs: number, toMs: number, { sharesSlots = false } = {}): Expansion {
  const weeksOf = new Map<string, Map<number, (readonly [LocalDay, LocalDay])[]>>();

  /** The relevant dates by weekday, each with the date after it. */
  const listWeekdays = (timeZone: string) => {
    const known = weeksOf.get(timeZone);
    if (known) return known;
    const first = addDays(localDate(fromMs, timeZone), -REACH_DAYS);
    const days = listLocalDays(first, addDays(localDate(toMs, timeZone), REACH_DAYS), timeZone);
    const pairs = days.flatMap((day, index) => {
      const next = days[index + 1];
      return next ? [[day, next] as const] : [];
    });
    const weekdays = Map.groupBy(pairs, ([day]) => day.weekday);
    weeksOf.set(timeZone, weekdays);
    return weekdays;
  };

  /** by zone */
  const knownOf = new Map<string, Map<WeeklySlot, readonly Presence[]>>();
  const expandSlot = (slot: WeeklySlot, timeZone: string): readonly Presence[] => {
    const { weekday, startLocal, endLocal, aircraftId, notes } = slot;
    const presences: Presence[] = [];
    const dates = listWeekdays(timeZone).get(weekday);
    if (!dates) return presences;
    const [start, end] = [minutesOf(startLocal), minutesOf(endLocal)];
    for (const [day, next] of dates) {
      const { startMs, endMs } = toInterval(start, end, day.instantOf, next.instantOf);
      if (startMs >= toMs || endMs <= fromMs) continue;
      presences.push({ startMs, endMs, aircraftId, source: 'template', notes });
    }
    return presences;
  };

  return (slots, timeZone) => {
    if (fromMs >= toMs || slots.length === 0) return [];
    const known = sharesSlots ? knownOf.getOrInsertComputed(timeZone, () => new Map()) : null;
    const presences: Presence[] = [];
    for (const slot of slots) {
      let own = known?.get(slot);
      if (!own) {
        own = expandSlot(slot, timeZone);
        known?.set(slot, own);
      }
      for (const presence of own) presences.push(presence);
    }
    return presences.length < 2 ? presences : presences.sort(comparePresences);
  };
}

/** The presences of one pilot's weekly slots that touch [fromMs, toMs): see `createExpansion`. */
export function expandSlots(slots: readonly WeeklySlot[], timeZone: string, fromMs: number, toMs: number): Presence[] {
  return createExpansion(fromMs, toMs)(slots, timeZone);
}

/** The time that an override is about. @param timeZone the pilot's */
export function overrideTime(
  { dateLocal, startLocal, endLocal, time }: Pick<Override, 'dateLocal' | 'startLocal' | 'endLocal' | 'time'>,
  timeZone: string,
): Interval {
  if (time) return time;
  const on = (date: string) => (minutes: number) => toInstantMs(date, timeOf(minutes), timeZone);
  const next = (minutes: number) => on(addDays(dateLocal, 1))(minutes);
  return toInterval(minutesOf(startLocal), minutesOf(endLocal), on(dateLocal), next);
}

/**
 * Presences with the dated overrides and the busy times applied: unavailable and busy ones are cut out (for every aircraft,
 * since the pilot is away), then available ones are added. So "away all day" and "here from 20:00" on one date mean away until
 * 20:00, and a pilot who says so is there in spite of a busy calendar.
 * @param presences by start
 * @param timeZone the pilot's, which overrides are in
 */
export function withOverrides(
  presences: readonly Presence[],
  overrides: readonly Override[],
  timeZone: string,
  busy: BusyMinutes,
): readonly Presence[] {
  const [first] = presences;
  const lastMs = presences.reduce((last, { endMs }) => Math.max(last, endMs), -Infinity);
  const taken = first && busy.length > 0 ? busyDuring(busy, { startMs: first.startMs, endMs: lastMs }) : [];
  if (overrides.length === 0) return taken.length === 0 ? presences : subtractIntervals(presences, taken);
  const dated = overrides.map((override) => ({ ...override, ...overrideTime(override, timeZone) }));
  const away = dated.filter(({ kind }) => kind === 'unavailable');
  const here = dated
    .filter(({ kind }) => kind === 'available')
    .map(({ startMs, endMs, aircraftId, notes }): Presence => ({
      startMs,
      endMs,
      aircraftId,
      source: 'override',
      notes,
    }));
  return [...subtractIntervals(presences, [...away, ...taken]), ...here].sort(comparePresences);
}

/** While a pilot's effective state is `now`: a presence for any aircraft until the state expires; otherwise []. */
export function statusPresence(status: StoredStatus, nowMs: number): Presence[] {
  const { effectiveState, expiresAtMs } = effectiveStatus(status, nowMs);
  if (effectiveState !== 'now' || expiresAtMs === null) return [];
  return [{ startMs: nowMs, endMs: expiresAtMs, aircraftId: null, source: 'status', notes: null }];
}

/**
 * Presences split at midnight, for display. Wall times are in the reader's zone; in an hour that the clock repeats, an end
 * can read earlier than its start.
 * @param timeZone the reader's
 * @param dates the days to show, in any order; each is returned, with [] if it has no presence
 */
export function splitByDay(presences: readonly Presence[], timeZone: string, dates: readonly string[]): DaySlots[] {
  const sorted = presences.toSorted(comparePresences);
  return dates.map((dateLocal) => {
    const day = dayBounds(dateLocal, timeZone);
    const slots = sorted.flatMap((presence): DaySlot[] => {
      const part = clip(presence, day);
      if (!part) return [];
      const { aircraftId, source, notes } = part;
      const endLocal = part.endMs === day.endMs ? '24:00' : localTime(part.endMs, timeZone);
      return [{ startLocal: localTime(part.startMs, timeZone), endLocal, aircraftId, source, notes }];
    });
    return { dateLocal, slots };
  });
}

/** The parts of times on a date, in wall times of the reader's zone like those of `splitByDay`. */
export function timesOnDate(times: readonly Interval[], timeZone: string, dateLocal: string) {
  const day = dayBounds(dateLocal, timeZone);
  return times.flatMap((time): Pick<DaySlot, 'startLocal' | 'endLocal'>[] => {
    const part = clip(time, day);
    if (!part) return [];
    const endLocal = part.endMs === day.endMs ? '24:00' : localTime(part.endMs, timeZone);
    return [{ startLocal: localTime(part.startMs, timeZone), endLocal }];
  });
}

/** By start, end, aircraft (any first), then source. */
function comparePresences(a: Presence, b: Presence): number {
  return (
    a.startMs - b.startMs ||
    a.endMs - b.endMs ||
    (a.aircraftId ?? 0) - (b.aircraftId ?? 0) ||
    (a.source < b.source ? -1 : a.source > b.source ? 1 : 0)
  );
}
