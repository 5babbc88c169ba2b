/**
 * Benchmark of the availability index's memory: `npm run bench -- rec-memory`. What the process grows by, everything
 * included, for each weekly slot.
 */
import { givenCrowd } from './crowd.ts';
import { measureBytes } from './measure-bytes.ts';
import { buildIndex, cellCounter, expectedCounts, sizeOf, wrongCells } from './rec-given.ts';
import { figure, hashAnswer, type Report, type Size } from './report.ts';
import { median } from './rounds.ts';

const SEED = 106;
const BAR = 16;

export function recMemory(size: Size): Report[] {
  const [pilots, runs] = size === 'full' ? [100_000, 3] : [300, 1];
  const crowd = givenCrowd({ seed: SEED, pilots, step: 15, overrides: 0 });
  const slots = crowd.weekday.length;
  const expected = expectedCounts(crowd);
  // the first one also compiles the code
  buildIndex(crowd);
  const measured = Array.from({ length: runs }, () => {
    const { value, bytes } = measureBytes(() => {
      const index = buildIndex(crowd);
      return { index, counts: Array.from(cellCounter(index)()) };
    });
    return { perSlot: bytes / slots, typed: value.index.bytes(), counts: value.counts };
  });
  const perSlot = measured.map((one) => one.perSlot);
  const gap = measured.reduce((sum, { counts }) => sum + wrongCells(counts, expected), 0);
  const typed = measured[0]?.typed ?? { columns: 0, counters: 0 };
  return [
    {
      name: 'rec-memory',
      seed: SEED,
      size: `${sizeOf(pilots)}, ${slots.toLocaleString('en-US')} slots`,
      runs,
      unit: 'B a slot',
      median: figure(median(perSlot)),
      fastest: figure(Math.min(...perSlot)),
      p99: figure(Math.max(...perSlot)),
      baseline: '',
      baselineMedian: 0,
      ratio: 1,
      gap,
      more: { columnBytesPerSlot: figure(typed.columns / slots), counterBytesPerSlot: figure(typed.counters / slots) },
      answerHash: hashAnswer(measured.map(({ counts }) => counts)),
      bar: `<= ${BAR} B a slot`,
      barMet: median(perSlot) <= BAR,
      ok: gap === 0,
    },
  ];
}
