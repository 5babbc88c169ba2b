/** A crowd's windows around the measured day, by Temporal and interval arithmetic: the oracle of the availability benchmarks. */
import { TIME_ZONES } from '#shared/vocabulary.ts';
import { type Crowd, DATE, MINUTES_PER_DAY, WEEKDAYS } from './crowd.ts';

export const CELL_MINUTES = 15;
export const CELLS = MINUTES_PER_DAY / CELL_MINUTES;
/** The measured day in UTC. */
export const DAY_MS = Date.parse(`${DATE}T00:00:00Z`);
const MINUTE_MS = 60_000;

/** A slot runs into the next day, and the farthest zones are half a day from UTC. */
const DAYS_BEFORE = 2;
const DAYS_AFTER = 2;

type Span = readonly [start: number, end: number];

/** Minutes from the start of the measured day; those of a pilot are merged and ascending, from `first[pilot]` on. */
export type Windows = { readonly first: Uint32Array; readonly start: Int16Array; readonly end: Int16Array };

/** Minute of the measured day, negative before it, at which a zone's date begins. No clock changes near. */
function midnightOf(zone: number, day: number): number {
  const midnight = Temporal.PlainDate.from(DATE)
    .add({ days: day })
    .toZonedDateTime(TIME_ZONES[zone] ?? 'UTC');
  return (midnight.epochMilliseconds - DAY_MS) / MINUTE_MS;
}

const weekdayOf = (day: number): number => Temporal.PlainDate.from(DATE).add({ days: day }).dayOfWeek % WEEKDAYS;

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

export function datedWindows({ zone, firstSlot, weekday, start, length, overrides }: Crowd): Windows {
  const days = Array.from({ length: DAYS_BEFORE + DAYS_AFTER + 1 }, (_, index) => index - DAYS_BEFORE);
  /** by zone and weekday; of the five days, no two have the same */
  const midnights = TIME_ZONES.map((_, index) => {
    const byWeekday = new Map(days.map((day) => [weekdayOf(day), midnightOf(index, day)]));
    return Array.from({ length: WEEKDAYS }, (_none, day) => byWeekday.get(day) ?? null);
  });
  const first = new Uint32Array(zone.length + 1);
  const starts: number[] = [];
  const ends: number[] = [];
  let exception = 0;
  for (let pilot = 0; pilot < zone.length; pilot += 1) {
    const own = zone[pilot] ?? 0;
    let spans: Span[] = [];
    for (let slot = firstSlot[pilot] ?? 0; slot < (firstSlot[pilot + 1] ?? 0); slot += 1) {
      const midnight = midnights[own]?.[weekday[slot] ?? 0] ?? null;
      if (midnight === null) continue;
      const from = midnight + (start[slot] ?? 0);
      spans.push([from, from + (length[slot] ?? 0)]);
    }
    if (overrides.pilot[exception] === pilot) {
      const from = midnightOf(own, overrides.day[exception] ?? 0) + (overrides.start[exception] ?? 0);
      const span: Span = [from, from + (overrides.length[exception] ?? 0)];
      spans = overrides.isAway[exception] === 1 ? without(spans, span) : [...spans, span];
      exception += 1;
    }
    for (const [from, to] of merge(spans)) {
      if (to <= 0 || from >= MINUTES_PER_DAY) continue;
      starts.push(from);
      ends.push(to);
    }
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
