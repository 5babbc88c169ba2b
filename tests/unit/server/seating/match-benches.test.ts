/** The seating benchmarks on tiny instances, and their checks for wrong results. */
import { expect, test } from 'vitest';
import { matchOne } from '#tests/bench/match-one.ts';
import { matchRepair } from '#tests/bench/match-repair.ts';
import { matchScarce } from '#tests/bench/match-scarce.ts';
import { matchWeek } from '#tests/bench/match-week.ts';
import type { Report } from '#tests/bench/report.ts';

test.each<[string, () => Report[] | Promise<Report[]>]>([
  ['match-one', () => matchOne('tiny')],
  ['match-scarce', () => matchScarce('tiny')],
  ['match-repair', () => matchRepair('tiny')],
  ['match-week', () => matchWeek('tiny')],
])('%s has the same result as its oracle', async (name, measure) => {
  const reports = await measure();
  expect(reports.length).toBeGreaterThan(0);
  for (const report of reports) expect(report).toMatchObject({ name, gap: 0, ok: true });
  const hashes = (await measure()).map(({ answerHash }) => answerHash);
  expect(hashes).toEqual(reports.map(({ answerHash }) => answerHash));
});
