/** Time arithmetic of the week grid: minutes since midnight, pieces split at midnight, lanes for overlapping slots. */

export const DAY_MINUTES = 1440;

/** Minutes since the weekday's midnight; `end` may be up to a day after `start`, so above 1440. */
export interface Span {
  start: number;
  end: number;
}

/** The part of a span that falls on one weekday: 0 <= start < end <= 1440. */
export interface Piece extends Span {
  /** 0 is Sunday */
  weekday: number;
}

/** Minutes since midnight of `HH:mm`; undefined for malformed text. */
export function minutesOf(wallTime: string): number | undefined {
  const match = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(wallTime);
  return match ? Number(match[1]) * 60 + Number(match[2]) : undefined;
}

/** `HH:mm` for minutes since a midnight; 1440 is `00:00`. */
export function wallTimeOf(minutes: number): string {
  const ofDay = ((minutes % DAY_MINUTES) + DAY_MINUTES) % DAY_MINUTES;
  return `${String(Math.floor(ofDay / 60)).padStart(2, '0')}:${String(ofDay % 60).padStart(2, '0')}`;
}

/** A slot's span; an end before the start is on the next day. Undefined when a time is missing or both are equal. */
export function spanOf({ startLocal, endLocal }: { startLocal: string; endLocal: string }): Span | undefined {
  const start = minutesOf(startLocal);
  const end = minutesOf(endLocal);
  if (start === undefined || end === undefined || start === end) {
    return undefined;
  }
  return { start, end: end > start ? end : end + DAY_MINUTES };
}

/** Splits a span at midnight; Saturday night continues on Sunday. */
export function splitAtMidnight(weekday: number, { start, end }: Span): Piece[] {
  if (end <= DAY_MINUTES) {
    return [{ weekday, start, end }];
  }
  return [
    { weekday, start, end: DAY_MINUTES },
    { weekday: (weekday + 1) % 7, start: 0, end: end - DAY_MINUTES },
  ];
}

/** Parts of `within` that `taken` does not cover, in order. */
export function freeSpans(taken: readonly Span[], within: Span): Span[] {
  const free: Span[] = [];
  let from = within.start;
  for (const { start, end } of taken.toSorted((a, b) => a.start - b.start)) {
    if (start > from && from < within.end) {
      free.push({ start: from, end: Math.min(start, within.end) });
    }
    from = Math.max(from, end);
  }
  if (from < within.end) {
    free.push({ start: from, end: within.end });
  }
  return free;
}

/** A piece with its lane and the number of lanes of its overlap cluster. */
export type Laned<Of> = Of & { lane: number; lanes: number };

/**
 * Assigns lanes to the overlapping pieces of one day.
 * @param pieces pieces of one weekday, in any order
 * @returns pieces by start; overlapping pieces are in different lanes
 */
export function layOut<Of extends Span>(pieces: readonly Of[]): Laned<Of>[] {
  const placed: Laned<Of>[] = [];
  let cluster: Laned<Of>[] = [];
  let laneEnds: number[] = [];
  const close = (): void => {
    for (const piece of cluster) {
      piece.lanes = laneEnds.length;
    }
    placed.push(...cluster);
    cluster = [];
    laneEnds = [];
  };
  for (const piece of pieces.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (laneEnds.length > 0 && laneEnds.every((end) => end <= piece.start)) {
      close();
    }
    const free = laneEnds.findIndex((end) => end <= piece.start);
    const lane = free === -1 ? laneEnds.length : free;
    laneEnds[lane] = piece.end;
    cluster.push({ ...piece, lane, lanes: 1 });
  }
  close();
  return placed;
}
