/**
 * Benchmark of recommended times: `npm run bench -- rec-top3`. The three best times of a day of at least an hour, each with
 * its pilots. Compared with reading every pilot's windows, and with a plain grid scan, which only counts.
 */
import { Crowd } from '#server/availability/rules/index/crowd.ts';
import { gatherFree } from '#server/board/rules/indexed-counts.ts';
import { type IndexedTime, recommendTimes } from '#server/board/rules/recommended-times.ts';
import { datedWindows, DAY_MS } from './dated-crowd.ts';
import { scanGrid } from './peers.ts';
import { rankPlainly } from './plain-times.ts';
import { enrol, sizeOf } from './rec-given.ts';
import { figure, hashAnswer, type Report, type Size, timed } from './report.ts';
import { calls, inRounds, ratioOf } from './rounds.ts';

const SEED = 103;
const MINUTE_MS = 60_000;
const IDS_SHOWN = 50;

export async function recTop3(size: Size): Promise<Report[]> {
  const [pilots, rounds, runs] = size === 'full' ? [100_000, 15, 300] : [300, 1, 3];
  const { crowd, index } = enrol({ seed: SEED, pilots, step: 15, overrides: pilots * 0.06 });
  const ids = Array.from(crowd.zone, (_, pilot) => `pilot-${pilot}`);
  const { first, start, end } = datedWindows(crowd);
  const people = Array.from(crowd.zone, (_, pilot) => ({
    pilot,
    startsAfterMs: -Infinity,
    windows: Array.from({ length: (first[pilot + 1] ?? 0) - (first[pilot] ?? 0) }, (_none, at) => {
      const window = (first[pilot] ?? 0) + at;
      return {
        startMs: DAY_MS + (start[window] ?? 0) * MINUTE_MS,
        endMs: DAY_MS + (end[window] ?? 0) * MINUTE_MS,
      };
    }),
  }));
  const request = {
    day: { startMs: DAY_MS, endMs: DAY_MS + 24 * 60 * MINUTE_MS },
    nowMs: 0,
    minDurationMs: 60 * MINUTE_MS,
    limit: 3,
    missions: [],
  };
  const layers = [{ index, startsAfterMs: -Infinity }];
  const gathered = new Crowd(pilots);
  const membersOf = (time: IndexedTime) => {
    gatherFree(layers, time, gathered);
    return gathered.members;
  };
  const recommend = () =>
    recommendTimes(request, layers).map((time) => {
      const members = membersOf(time);
      const named: (string | undefined)[] = [];
      for (let pilot = 0; pilot < pilots && named.length < IDS_SHOWN; pilot += 1) {
        if (members[pilot] !== 0) named.push(ids[pilot]);
      }
      return { ...time, named };
    });
  const { own, rules, grid } = await inRounds(rounds, {
    own: calls(runs, recommend),
    rules: calls(1, () => rankPlainly(people, request)),
    grid: calls(1, scanGrid(crowd)),
  });
  const answer = recommendTimes(request, layers);
  const key = (startMs: number, endMs: number, crowdOfTime: readonly number[]) =>
    hashAnswer([startMs, endMs, crowdOfTime.toSorted((a, b) => a - b)]);
  const expected = rankPlainly(people, request).map((time) =>
    key(
      time.startMs,
      time.endMs,
      time.pilots.map(({ pilot }) => pilot),
    ),
  );
  const found = answer.map((time) =>
    key(
      time.startMs,
      time.endMs,
      Array.from(membersOf(time), (isMember, pilot) => (isMember ? pilot : -1)).filter((pilot) => pilot >= 0),
    ),
  );
  const gap = expected.filter((one, rank) => one !== found[rank]).length + Math.abs(found.length - expected.length);
  return [
    {
      name: 'rec-top3',
      seed: SEED,
      size: `${sizeOf(pilots)}, ${crowd.overrides.pilot.length} overrides, ids of ${IDS_SHOWN}`,
      ...timed(own, 'plain grid scan (cells x people)', grid),
      gap,
      more: { rulesMedian: figure(rules.median), rulesRatio: figure(ratioOf(rules, own)) },
      answerHash: hashAnswer(found),
      bar: '< 0.3 ms, >= 5,000 x',
      barMet: own.median < 0.3 && ratioOf(grid, own) >= 5_000,
      ok: gap === 0,
    },
  ];
}
