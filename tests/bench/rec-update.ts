/**
 * Benchmark of a change in the availability index: `npm run bench -- rec-update`. A pilot's week is replaced while the index
 * keeps counters for two durations; against building the index anew.
 */
import { seeded } from '#tests/harness/seeded.ts';
import { givenCrowd, MINUTES_PER_DAY } from './crowd.ts';
import { countWindows, datedWindows } from './dated-crowd.ts';
import { buildIndex, cellCounter, DAY_MINUTE, sizeOf, timesOf, wrongCells } from './rec-given.ts';
import { figure, hashAnswer, type Report, type Size, timed } from './report.ts';
import { calls, inRounds } from './rounds.ts';

const SEED = 105;
const BAR_MS = 0.02;

export async function recUpdate(size: Size): Promise<Report[]> {
  const [pilots, rounds, runs] = size === 'full' ? [100_000, 15, 40_000] : [300, 1, 20];
  const crowd = givenCrowd({ seed: SEED, pilots, step: 15, overrides: 0 });
  /** whose week each pilot has now */
  const donors = Uint32Array.from({ length: pilots }, (_, pilot) => pilot);
  const index = buildIndex(crowd, (pilot) => donors[pilot] ?? pilot);
  const countCells = cellCounter(index);
  const random = seeded(SEED);
  const edit = () => {
    const [pilot, donor] = [random.between(0, pilots - 1), random.between(0, pilots - 1)];
    index.remove(pilot);
    donors[pilot] = donor;
    index.add(pilot, timesOf(crowd, donor, -1));
  };
  countCells();
  index.addCounts(DAY_MINUTE, 60, new Int32Array(MINUTES_PER_DAY));
  const { own, build, count } = await inRounds(rounds, {
    own: calls(runs, edit),
    build: calls(Math.ceil(runs / 10_000), () => buildIndex(crowd)),
    // the index may put off work to the next answer
    count: calls(Math.ceil(runs / 20), () => {
      edit();
      return countCells();
    }),
  });
  const { first, start, end } = datedWindows(crowd);
  const picked = Array.from(donors).flatMap((donor) =>
    Array.from({ length: (first[donor + 1] ?? 0) - (first[donor] ?? 0) }, (_, at) => (first[donor] ?? 0) + at),
  );
  const expected = countWindows({
    first,
    start: Int16Array.from(picked, (window) => start[window] ?? 0),
    end: Int16Array.from(picked, (window) => end[window] ?? 0),
  });
  const counts = countCells();
  const gap = wrongCells(counts, expected);
  return [
    {
      name: 'rec-update',
      seed: SEED,
      size: `${sizeOf(pilots)}, one week replaced`,
      ...timed(own, 'building the index anew', build),
      gap,
      more: { updateAndCountMedian: figure(count.median), updateAndCountP99: figure(count.p99) },
      answerHash: hashAnswer(Array.from(counts)),
      bar: `p99 < ${BAR_MS} ms`,
      barMet: own.p99 < BAR_MS,
      ok: gap === 0,
    },
  ];
}
