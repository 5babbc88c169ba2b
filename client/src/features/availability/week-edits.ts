/** Pure edits of the week's slots, for the tools and the grid. Each returns new rows, sorted by day and time. */
import { SLOT_DEFAULT } from '#shared/limits.ts';
import { countChanges, nextKey, type SlotRow } from './week.ts';
import { DAY_MINUTES, freeSpans, spanOf, splitAtMidnight, wallTimeOf, type Span } from './week-spans.ts';

const ALL_DAYS = [0, 1, 2, 3, 4, 5, 6] as const;
const PRESET_DAYS = { weeknights: [1, 2, 3, 4, 5], weekends: [0, 6] } as const;
/** 18:00 to 22:00 */
const EVENING = spanOf(SLOT_DEFAULT) ?? { start: 0, end: 0 };

export type Preset = keyof typeof PRESET_DAYS;

function byDayAndTime(rows: readonly SlotRow[]): SlotRow[] {
  return rows.toSorted((a, b) => a.weekday - b.weekday || a.startLocal.localeCompare(b.startLocal));
}

/** True when an edit changed nothing. */
export const sameWeek = (a: readonly SlotRow[], b: readonly SlotRow[]): boolean => countChanges(a, b) === 0;

/** Splits a whole day in two halves, because a slot's start and end must differ. */
function halve(span: Span): Span[] {
  if (span.end - span.start < DAY_MINUTES) {
    return [span];
  }
  const noon = span.start + DAY_MINUTES / 2;
  return [
    { start: span.start, end: noon },
    { start: noon, end: span.end },
  ];
}

function rowOf(weekday: number, span: Span, aircraft: string, key = nextKey()): SlotRow {
  return {
    key,
    weekday,
    startLocal: wallTimeOf(span.start),
    endLocal: wallTimeOf(span.end),
    aircraft,
    notes: null,
  };
}

/**
 * Merges a slot with slots of the same weekday and aircraft that it overlaps or touches, as the server does on save.
 * Slots with different notes stay separate, and so do slots that would fill a whole day.
 * @returns the rows with the merged slot under the key of its earliest part
 */
export function joinRow(rows: readonly SlotRow[], key: string): SlotRow[] {
  const row = rows.find((candidate) => candidate.key === key);
  const span = row && spanOf(row);
  if (!row || !span) {
    return [...rows];
  }
  const joined = { row, span };
  const gone = new Set<string>();
  const others = byDayAndTime(rows).filter(
    (other) => other.key !== key && other.weekday === row.weekday && other.aircraft === row.aircraft,
  );
  for (const other of others) {
    const next = spanOf(other);
    if (!next || next.start > joined.span.end || next.end < joined.span.start) {
      continue;
    }
    const whole = { start: Math.min(next.start, joined.span.start), end: Math.max(next.end, joined.span.end) };
    const agree = joined.row.notes === null || other.notes === null || joined.row.notes === other.notes;
    if (!agree || whole.end - whole.start >= DAY_MINUTES) {
      continue;
    }
    const notes = joined.row.notes ?? other.notes;
    const keeps = rows.indexOf(other) < rows.indexOf(joined.row) ? other : joined.row;
    gone.add(keeps === other ? joined.row.key : other.key);
    joined.row = { ...rowOf(row.weekday, whole, row.aircraft, keeps.key), notes };
    joined.span = whole;
  }
  return byDayAndTime(
    rows.filter((other) => !gone.has(other.key)).map((other) => (other.key === joined.row.key ? joined.row : other)),
  );
}

export interface Stroke {
  days: readonly number[];
  /** within the day: 0 <= start < end <= 1440 */
  span: Span;
  aircraft: string;
}

/** Adds a stroke's time on each of its days. @param keyOf key of a new slot; stable during one stroke */
export function paint(
  rows: readonly SlotRow[],
  { days, span, aircraft }: Stroke,
  keyOf: (weekday: number, part: number) => string = nextKey,
): SlotRow[] {
  let week = [...rows];
  for (const weekday of days) {
    for (const [part, half] of halve(span).entries()) {
      const row = rowOf(weekday, half, aircraft, keyOf(weekday, part));
      week = joinRow([...week, row], row.key);
    }
  }
  return byDayAndTime(week);
}

/** Covered spans of each weekday, including slots that continue from the day before. */
function takenByDay(rows: readonly SlotRow[]): Span[][] {
  const taken: Span[][] = ALL_DAYS.map(() => []);
  for (const row of rows) {
    const span = spanOf(row);
    for (const { weekday, ...piece } of span ? splitAtMidnight(row.weekday, span) : []) {
      taken[weekday]?.push(piece);
    }
  }
  return taken;
}

/** Fills the free time within `span` on these days. Existing slots keep their aircraft and notes. */
export function fillFree(
  rows: readonly SlotRow[],
  days: readonly number[],
  aircraft: string,
  span: Span = EVENING,
): SlotRow[] {
  const taken = takenByDay(rows);
  let week = [...rows];
  for (const weekday of days) {
    for (const free of freeSpans(taken[weekday] ?? [], span)) {
      week = paint(week, { days: [weekday], span: free, aircraft });
    }
  }
  return week;
}

/** Fills 18:00 to 22:00 on weeknights or the weekend, where it is still free. */
export function fillPreset(preset: Preset, rows: readonly SlotRow[], aircraft: string): SlotRow[] {
  return fillFree(rows, PRESET_DAYS[preset], aircraft);
}

/** Inverts the week: free time becomes available, available time becomes free. */
export function invertWeek(rows: readonly SlotRow[], aircraft: string): SlotRow[] {
  return takenByDay(rows).flatMap((taken, weekday) =>
    freeSpans(taken, { start: 0, end: DAY_MINUTES })
      .flatMap(halve)
      .map((span) => rowOf(weekday, span, aircraft)),
  );
}

/** Copies the slots of one day to other days, replacing theirs. */
export function copyDay(rows: readonly SlotRow[], from: number, targets: readonly number[]): SlotRow[] {
  const replaced = new Set(targets.filter((weekday) => weekday !== from));
  const source = rows.filter(({ weekday }) => weekday === from);
  const copies = [...replaced].flatMap((weekday) => source.map((row) => ({ ...row, weekday, key: nextKey() })));
  return byDayAndTime([...rows.filter(({ weekday }) => !replaced.has(weekday)), ...copies]);
}

/** Moves a slot to another day or time; its length, aircraft and notes stay. */
export function moveSlot(rows: readonly SlotRow[], key: string, days: number, minutes: number): SlotRow[] {
  return rows.map((row) => {
    const span = spanOf(row);
    if (row.key !== key || !span) {
      return row;
    }
    const start = Math.min(Math.max(span.start + minutes, 0), DAY_MINUTES - 30);
    return {
      ...row,
      weekday: Math.min(Math.max(row.weekday + days, 0), 6),
      startLocal: wallTimeOf(start),
      endLocal: wallTimeOf(start + span.end - span.start),
    };
  });
}

/**
 * Moves one end of a slot; the minimum length is half an hour.
 * @param minute minutes since midnight of the slot's weekday, 0 to 2880
 */
export function stretchSlot(rows: readonly SlotRow[], key: string, edge: 'start' | 'end', minute: number): SlotRow[] {
  return rows.map((row) => {
    const span = spanOf(row);
    if (row.key !== key || !span) {
      return row;
    }
    if (edge === 'end') {
      const end = Math.min(Math.max(minute, span.start + 30), span.start + DAY_MINUTES - 30);
      return { ...row, endLocal: wallTimeOf(end) };
    }
    const earliest = Math.max(0, span.end - DAY_MINUTES + 30);
    return { ...row, startLocal: wallTimeOf(Math.max(Math.min(minute, span.end - 30, DAY_MINUTES - 30), earliest)) };
  });
}
