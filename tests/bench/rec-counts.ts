/**
 * Benchmark of counting: `npm run bench -- rec-counts`. The pilots free in each quarter of an hour of a day, from the
 * availability index, against a plain grid scan and one read of the slots.
 */
import { packSlots } from './crowd.ts';
import { readOnce, scanGrid } from './peers.ts';
import { enrol, expectedCounts, sizeOf, wrongCells } from './rec-given.ts';
import { figure, hashAnswer, type Report, type Size, timed } from './report.ts';
import { calls, inRounds, ratioOf } from './rounds.ts';

const SEED = 100;

export async function recCounts(size: Size): Promise<Report[]> {
  const isFull = size === 'full';
  return [await countMany(isFull ? 100_000 : 300, isFull), await countMost(isFull ? 1_000_000 : 500, isFull)];
}

async function countMany(pilots: number, isFull: boolean): Promise<Report> {
  const { crowd, countCells } = enrol({ seed: SEED, pilots, step: 15, overrides: pilots * 0.06 });
  const scan = scanGrid(crowd);
  const { own, grid, read } = await inRounds(isFull ? 21 : 1, {
    own: calls(isFull ? 50_000 : 3, countCells),
    grid: calls(1, scan),
    read: calls(isFull ? 500 : 3, readOnce(packSlots(crowd))),
  });
  const counts = countCells();
  const gap = wrongCells(counts, expectedCounts(crowd)) + wrongCells(scan(), Array.from(counts));
  return {
    name: 'rec-counts',
    seed: SEED,
    size: `${sizeOf(pilots)}, ${crowd.overrides.pilot.length} overrides`,
    ...timed(own, 'plain grid scan (cells x people)', grid),
    gap,
    more: { oneReadMedian: figure(read.median), oneReadRatio: figure(ratioOf(read, own)) },
    answerHash: hashAnswer(Array.from(counts)),
    bar: '< 0.05 ms, >= 30,000 x, below one read of the slots',
    barMet: own.median < 0.05 && ratioOf(grid, own) >= 30_000 && ratioOf(read, own) > 1,
    ok: gap === 0,
  };
}

async function countMost(pilots: number, isFull: boolean): Promise<Report> {
  const { crowd, countCells } = enrol({ seed: SEED, pilots, step: 15, overrides: pilots * 0.06 });
  const { own, read } = await inRounds(isFull ? 9 : 1, {
    own: calls(isFull ? 50_000 : 3, countCells),
    read: calls(isFull ? 30 : 3, readOnce(packSlots(crowd))),
  });
  const counts = countCells();
  const gap = wrongCells(counts, expectedCounts(crowd));
  return {
    name: 'rec-counts',
    seed: SEED,
    size: `${sizeOf(pilots)}, ${crowd.overrides.pilot.length} overrides`,
    ...timed(own, 'one read of the slots', read),
    gap,
    more: { slots: crowd.weekday.length },
    answerHash: hashAnswer(Array.from(counts)),
    bar: '< 0.1 ms, p99 < 0.5 ms',
    barMet: own.median < 0.1 && own.p99 < 0.5,
    ok: gap === 0,
  };
}
