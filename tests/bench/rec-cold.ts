/**
 * Benchmark of counting without an index: `npm run bench -- rec-cold`. One pass over the slots into counters by zone and
 * minute of the week, against luxon, which reads each slot's wall time in its zone. The server never counts like this,
 * because it keeps the index; how long that takes to build is in `more`.
 */
import { DateTime } from 'luxon';
import { TIME_ZONES } from '#shared/vocabulary.ts';
import { type Crowd, DATE, givenCrowd, MINUTES_PER_DAY, WEEKDAYS } from './crowd.ts';
import { CELL_MINUTES, CELLS, DAY_MS } from './dated-crowd.ts';
import { wallClocks } from './peers.ts';
import { buildIndex, expectedCounts, sizeOf, wrongCells } from './rec-given.ts';
import { figure, hashAnswer, type Report, type Size, timed } from './report.ts';
import { calls, inRounds } from './rounds.ts';

const SEED = 104;
const WEEK = WEEKDAYS * MINUTES_PER_DAY;
/** Slots that run over Saturday midnight end in the first hours after the week. */
const WEEK_AND_DAY = WEEK + MINUTES_PER_DAY;
const MINUTE_MS = 60_000;

/** The people free in each cell, from the weekly slots alone. */
function countCold({ zone, firstSlot, weekday, start, length }: Crowd): Int32Array {
  const differences = new Int32Array(TIME_ZONES.length * WEEK_AND_DAY);
  for (let pilot = 0; pilot < zone.length; pilot += 1) {
    const origin = (zone[pilot] ?? 0) * WEEK_AND_DAY;
    const last = firstSlot[pilot + 1] ?? 0;
    for (let slot = firstSlot[pilot] ?? 0; slot < last; slot += 1) {
      const from = origin + (weekday[slot] ?? 0) * MINUTES_PER_DAY + (start[slot] ?? 0);
      const beyond = from + (length[slot] ?? 0) - CELL_MINUTES + 1;
      differences[from] = (differences[from] ?? 0) + 1;
      differences[beyond] = (differences[beyond] ?? 0) - 1;
    }
  }
  const { ofWeek } = wallClocks();
  const counts = new Int32Array(CELLS);
  const free = new Int32Array(WEEK_AND_DAY);
  for (let index = 0; index < TIME_ZONES.length; index += 1) {
    for (let minute = 0, sum = 0; minute < WEEK_AND_DAY; minute += 1) {
      sum += differences[index * WEEK_AND_DAY + minute] ?? 0;
      free[minute] = sum;
    }
    for (let cell = 0; cell < CELLS; cell += 1) {
      const minute = ofWeek[index * CELLS + cell] ?? 0;
      counts[cell] = (counts[cell] ?? 0) + (free[minute] ?? 0) + (free[minute + WEEK] ?? 0);
    }
  }
  return counts;
}

/** The same by luxon: each slot on its date of that week as two instants, then a difference over the cells. */
function countByLuxon({ zone, firstSlot, weekday, start, length }: Crowd): Int32Array {
  const [year = 0, month = 1, date = 1] = DATE.split('-').map(Number);
  const midday = DateTime.utc(year, month, date, 12);
  // the seven dates around, by weekday; luxon's Sunday is 7
  const dates = new Map(
    [-3, -2, -1, 0, 1, 2, 3].map((days) => {
      const near = midday.plus({ days });
      return [near.weekday % WEEKDAYS, { year: near.year, month: near.month, day: near.day }];
    }),
  );
  const differences = new Int32Array(CELLS + 1);
  for (let pilot = 0; pilot < zone.length; pilot += 1) {
    const name = TIME_ZONES[zone[pilot] ?? 0] ?? 'UTC';
    for (let slot = firstSlot[pilot] ?? 0; slot < (firstSlot[pilot + 1] ?? 0); slot += 1) {
      const minutes = start[slot] ?? 0;
      const clock = { hour: Math.floor(minutes / 60), minute: minutes % 60 };
      const from = DateTime.fromObject({ ...dates.get(weekday[slot] ?? 0), ...clock }, { zone: name });
      const to = from.plus({ minutes: length[slot] ?? 0 });
      const first = Math.max(0, Math.ceil((from.toMillis() - DAY_MS) / MINUTE_MS / CELL_MINUTES));
      const beyond = Math.min(CELLS, Math.floor((to.toMillis() - DAY_MS) / MINUTE_MS / CELL_MINUTES));
      if (first >= beyond) continue;
      differences[first] = (differences[first] ?? 0) + 1;
      differences[beyond] = (differences[beyond] ?? 0) - 1;
    }
  }
  let sum = 0;
  return differences.subarray(0, CELLS).map((difference) => (sum += difference));
}

export async function recCold(size: Size): Promise<Report[]> {
  const [pilots, rounds, runs] = size === 'full' ? [100_000, 5, 100] : [300, 1, 3];
  const crowd = givenCrowd({ seed: SEED, pilots, step: 15, overrides: 0 });
  const { own, luxon, build } = await inRounds(rounds, {
    own: calls(runs, () => countCold(crowd)),
    luxon: calls(1, () => countByLuxon(crowd), 0),
    build: calls(1, () => buildIndex(crowd)),
  });
  const expected = expectedCounts(crowd);
  const counts = countCold(crowd);
  const gap = wrongCells(counts, expected) + wrongCells(countByLuxon(crowd), expected);
  return [
    {
      name: 'rec-cold',
      seed: SEED,
      size: `${sizeOf(pilots)}, columns in memory, no index`,
      ...timed(own, 'luxon per slot', luxon),
      gap,
      more: { buildIndexMedian: figure(build.median) },
      answerHash: hashAnswer(Array.from(counts)),
      bar: '< 5 ms',
      barMet: own.median < 5,
      ok: gap === 0,
    },
  ];
}
