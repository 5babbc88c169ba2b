/**
 * Benchmark behind the picture of README.md: `npm run bench -- rec-scale`. Time and memory of a count by the availability
 * index, by a plain grid scan and by one read of the slots, for 1,000 to 1,000,000 pilots.
 */
import { givenCrowd, packSlots } from './crowd.ts';
import { measureBytes } from './measure-bytes.ts';
import { readOnce, scanGrid } from './peers.ts';
import { buildIndex, cellCounter, expectedCounts, sizeOf, wrongCells } from './rec-given.ts';
import { figure, hashAnswer, type Report, type Size, timed } from './report.ts';
import { calls, inRounds } from './rounds.ts';

const SEED = 107;

async function measure(pilots: number, rounds: number, runs: number): Promise<Report> {
  const crowd = givenCrowd({ seed: SEED, pilots, step: 15, overrides: 0 });
  const packed = packSlots(crowd);
  const { value: countCells, bytes } = measureBytes(() => {
    const counter = cellCounter(buildIndex(crowd));
    counter();
    return counter;
  });
  const { own, grid, read } = await inRounds(rounds, {
    own: calls(runs, countCells),
    grid: calls(Math.ceil((2 * runs) / pilots), scanGrid(crowd)),
    read: calls(Math.ceil(runs / 100), readOnce(packed)),
  });
  const counts = countCells();
  const gap = wrongCells(counts, expectedCounts(crowd));
  const columns = [crowd.zone, crowd.firstSlot, crowd.weekday, crowd.start, crowd.length];
  return {
    name: 'rec-scale',
    seed: SEED,
    size: sizeOf(pilots),
    ...timed(own, 'plain grid scan (cells x people)', grid),
    gap,
    more: {
      pilots,
      oneReadMedian: figure(read.median),
      indexBytes: bytes,
      gridBytes: columns.reduce((sum, { byteLength }) => sum + byteLength, 0),
      oneReadBytes: packed.byteLength,
    },
    answerHash: hashAnswer(Array.from(counts)),
    bar: 'the picture in the README',
    barMet: gap === 0,
    ok: gap === 0,
  };
}

export async function recScale(size: Size): Promise<Report[]> {
  if (size === 'tiny') return [await measure(100, 1, 10), await measure(300, 1, 10)];
  return [
    await measure(1_000, 15, 50_000),
    await measure(10_000, 15, 50_000),
    await measure(100_000, 15, 50_000),
    await measure(1_000_000, 7, 50_000),
  ];
}
