/** A crowd's windows around the measured day, by Temporal and interval arithmetic: the oracle of the availability benchmarks. */
import { TIME_ZONES } from '#shared/vocabulary.ts';
import { type Crowd, DATE, MINUTES_PER_DAY, WEEKDAYS } from './crowd.ts';

export const CELL_MINUTES = 15;
export const CELLS = MINUTES_PER_DAY / CELL_MINUTES;
/** The measured day in UTC. */
export const DAY_MS = Date.parse(`${DATE}T00:00:00Z`);
const MINUTE_MS = 60_000;

/** A slot runs into the next day, and the farthest zones are half a day from UTC. Seven dates have seven weekdays. */
const DAYS_AROUND = [-3, -2, -1, 0, 1, 2, 3];

export type Span = readonly [start: number, end: number];

/** Minutes from the start of the measured day; those of a pilot are merged and ascending, from `first[pilot]` on. */
export type Windows = { readonly first: Uint32Array; readonly start: Int16Array; readonly end: Int16Array };

/** Minute of the measured day, negative before it, at which a zone's date begins. No clock changes near. */
const midnights = TIME_ZONES.map((zone) =>
  DAYS_AROUND.map((day) => {
    const midnight = Temporal.PlainDate.from(DATE).add({ days: day }).toZonedDateTime(zone);
    return (midnight.epochMilliseconds - DAY_MS) / MINUTE_MS;
  }),
);
const weekdays = DAYS_AROUND.map((day) => Temporal.PlainDate.from(DATE).add({ days: day }).dayOfWeek % WEEKDAYS);
/** By zone and weekday, for the dates around the measured one. */
const midnightsByWeekday = midnights.map((ofZone) =>
  Array.from({ length: WEEKDAYS }, (_, weekday) => ofZone[weekdays.indexOf(weekday)] ?? 0),
);

/** The time of a dated exception, in minutes of the measured day. */
export function exceptionSpan({ zone, overrides }: Crowd, exception: number): Span {
  const ofZone = midnights[zone[overrides.pilot[exception] ?? 0] ?? 0];
  const midnight = ofZone?.[DAYS_AROUND.indexOf(overrides.day[exception] ?? 0)] ?? 0;
  const from = midnight + (overrides.start[exception] ?? 0);
  return [from, from + (overrides.length[exception] ?? 0)];
}

function merge(spans: readonly Span[]): Span[] {
  const merged: [number, number][] = [];
  for (const [start, end] of spans.toSorted((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else merged.push([start, end]);
  }
  return merged;
}

function without(spans: readonly Span[], [from, to]: Span): Span[] {
  return spans
    .flatMap(([start, end]): Span[] => [
      [start, Math.min(end, from)],
      [Math.max(start, to), end],
    ])
    .filter(([start, end]) => start < end);
}

/**
 * A pilot's windows on the dates around the measured one, in minutes of that day.
 * @param exception index of the pilot's override, -1 for none
 * @returns merged, ascending
 */
export function spansOf(crowd: Crowd, pilot: number, exception: number): Span[] {
  const { zone, firstSlot, weekday, start, length, overrides } = crowd;
  const ofZone = midnightsByWeekday[zone[pilot] ?? 0];
  const spans: Span[] = [];
  for (let slot = firstSlot[pilot] ?? 0; slot < (firstSlot[pilot + 1] ?? 0); slot += 1) {
    const from = (ofZone?.[weekday[slot] ?? 0] ?? 0) + (start[slot] ?? 0);
    spans.push([from, from + (length[slot] ?? 0)]);
  }
  if (exception < 0) return merge(spans);
  const span = exceptionSpan(crowd, exception);
  return merge(overrides.isAway[exception] === 1 ? without(spans, span) : [...spans, span]);
}

export function datedWindows(crowd: Crowd): Windows {
  const { pilot: excepted } = crowd.overrides;
  const pilots = crowd.zone.length;
  const first = new Uint32Array(pilots + 1);
  const starts: number[] = [];
  const ends: number[] = [];
  let exception = 0;
  for (let pilot = 0; pilot < pilots; pilot += 1) {
    const isExcepted = excepted[exception] === pilot;
    for (const [from, to] of spansOf(crowd, pilot, isExcepted ? exception : -1)) {
      if (to <= 0 || from >= MINUTES_PER_DAY) continue;
      starts.push(from);
      ends.push(to);
    }
    if (isExcepted) exception += 1;
    first[pilot + 1] = starts.length;
  }
  return { first, start: Int16Array.from(starts), end: Int16Array.from(ends) };
}

/** The people free for the whole of each cell: their windows one by one, a cell at a time. */
export function countWindows({ start, end }: Windows, minutes = CELL_MINUTES): number[] {
  const counts = Array.from({ length: CELLS }, () => 0);
  for (let window = 0; window < start.length; window += 1) {
    for (let cell = 0; cell < CELLS; cell += 1) {
      const from = cell * CELL_MINUTES;
      if ((start[window] ?? 0) <= from && from + minutes <= (end[window] ?? 0)) counts[cell] = (counts[cell] ?? 0) + 1;
    }
  }
  return counts;
}
