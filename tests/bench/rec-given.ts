/** Crowds in the availability index, for the benchmarks of recommended times. */
import {
  type AvailabilityIndex,
  createAvailabilityIndex,
} from '#server/availability/rules/index/availability-index.ts';
import type { PilotTimes } from '#server/availability/rules/index/pilot-weeks.ts';
import { TIME_ZONES } from '#shared/vocabulary.ts';
import { type Crowd, type CrowdGiven, givenCrowd, MINUTES_PER_DAY } from './crowd.ts';
import { CELL_MINUTES, CELLS, countWindows, DAY_MS, datedWindows, exceptionSpan, spansOf } from './dated-crowd.ts';

/** The measured day in minutes since 1970, as the index counts. */
export const DAY_MINUTE = DAY_MS / 60_000;

/** Different offers of the pilots: as many as a community has lists of aircraft. */
const OFFERS = 300;

export type Enrolled = {
  readonly crowd: Crowd;
  readonly index: AvailabilityIndex;
  /** the pilots free in each cell, by the index */
  readonly countCells: () => Int32Array;
};

/** The aircraft that a pilot offers at any time, as the number of an offer. */
const offerOf = (pilot: number): number => 1 + (pilot % OFFERS);

/** A pilot's week and exception, as the index takes them. @param exception index of the override, -1 for none */
export function timesOf(crowd: Crowd, pilot: number, exception: number): PilotTimes {
  const { zone, firstSlot, weekday, start, length } = crowd;
  const week = [];
  for (let slot = firstSlot[pilot] ?? 0; slot < (firstSlot[pilot + 1] ?? 0); slot += 1) {
    const minute = (weekday[slot] ?? 0) * MINUTES_PER_DAY + (start[slot] ?? 0);
    week.push({ start: minute, length: length[slot] ?? 0, offer: offerOf(pilot) });
  }
  const timeZone = TIME_ZONES[zone[pilot] ?? 0] ?? 'UTC';
  if (exception < 0) return { timeZone, week, exceptions: [] };
  const [from, to] = exceptionSpan(crowd, exception);
  return { timeZone, week, exceptions: [{ from: DAY_MINUTE + from, to: DAY_MINUTE + to }] };
}

/** @param donorOf whose week and zone in the crowd a pilot has now */
export function buildIndex(crowd: Crowd, donorOf: (pilot: number) => number = (pilot) => pilot): AvailabilityIndex {
  const exceptionOf = new Map(Array.from(crowd.overrides.pilot, (pilot, exception) => [pilot, exception]));
  const index = createAvailabilityIndex(
    (pilot, span) =>
      spansOf(crowd, pilot, exceptionOf.get(pilot) ?? -1)
        .map(([from, to]) => ({ from: DAY_MINUTE + from, to: DAY_MINUTE + to, offer: offerOf(pilot) }))
        .filter(({ from, to }) => from <= span.to && to >= span.from),
    (pilot) => timesOf(crowd, donorOf(pilot), -1).week,
  );
  for (let pilot = 0; pilot < crowd.zone.length; pilot += 1) {
    index.add(pilot, timesOf(crowd, pilot, exceptionOf.get(pilot) ?? -1));
  }
  return index;
}

/** Counts the cells of the day. The array is the same each time. */
export function cellCounter(index: AvailabilityIndex): () => Int32Array {
  const cells = new Int32Array(CELLS);
  return () => {
    cells.fill(0);
    index.addCounts(DAY_MINUTE, CELL_MINUTES, cells, CELL_MINUTES);
    return cells;
  };
}

export function enrol(given: CrowdGiven): Enrolled {
  const crowd = givenCrowd(given);
  const index = buildIndex(crowd);
  return { crowd, index, countCells: cellCounter(index) };
}

/** The number of cells with a wrong count. */
export function wrongCells(counts: ArrayLike<number>, expected: readonly number[]): number {
  return expected.filter((count, cell) => counts[cell] !== count).length;
}

/** The oracle's counts. */
export const expectedCounts = (crowd: Crowd): number[] => countWindows(datedWindows(crowd));

export const sizeOf = (pilots: number): string => `${pilots.toLocaleString('en-US')} pilots`;
