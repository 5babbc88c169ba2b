/**
 * Benchmark of growth: `npm run bench -- rec-flat`. How many times as long a count takes with a hundred times as many
 * pilots, for slots on quarter hours and on any minute.
 */
import { type CrowdGiven } from './crowd.ts';
import { enrol, expectedCounts, sizeOf, wrongCells } from './rec-given.ts';
import { figure, hashAnswer, type Report, type Size } from './report.ts';
import { calls, inRounds, ratioOf } from './rounds.ts';

const SEED = 102;
const BAR = 1.2;

async function grow(step: CrowdGiven['step'], size: Size): Promise<Report> {
  const [few, many, rounds, runs] = size === 'full' ? [10_000, 1_000_000, 9, 50_000] : [50, 500, 1, 3];
  const small = enrol({ seed: SEED, pilots: few, step, overrides: 0 });
  const large = enrol({ seed: SEED, pilots: many, step, overrides: 0 });
  const timings = await inRounds(rounds, {
    large: calls(runs, large.countCells),
    small: calls(runs, small.countCells),
  });
  const ratios = timings.large.rounds.map((ms, round) => ms / (timings.small.rounds[round] ?? Number.NaN));
  const growth = ratioOf(timings.large, timings.small);
  const gap =
    wrongCells(small.countCells(), expectedCounts(small.crowd)) +
    wrongCells(large.countCells(), expectedCounts(large.crowd));
  return {
    name: 'rec-flat',
    seed: SEED,
    size: `${sizeOf(many)} / ${sizeOf(few)}, ${step === 1 ? 'any minute' : 'quarter hours'}`,
    runs: timings.large.runs,
    unit: 'x',
    median: figure(growth),
    fastest: figure(Math.min(...ratios)),
    p99: figure(Math.max(...ratios)),
    baseline: '',
    baselineMedian: 0,
    ratio: 1,
    gap,
    more: { [few]: figure(timings.small.median), [many]: figure(timings.large.median) },
    answerHash: hashAnswer([...small.countCells(), ...large.countCells()]),
    bar: `<= ${BAR} x`,
    barMet: growth <= BAR,
    ok: gap === 0,
  };
}

export async function recFlat(size: Size): Promise<Report[]> {
  return [await grow(15, size), await grow(1, size)];
}
