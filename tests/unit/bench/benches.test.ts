/** The benchmarks on tiny instances: they run, and their answers are those of their oracles. */
import { expect, test } from 'vitest';
import { BENCHES } from '#tests/bench/benches.ts';

test.each(Object.entries(BENCHES))('%s has the same result as its oracle', async (name, measure) => {
  const reports = await measure('tiny');
  expect(reports.length).toBeGreaterThan(0);
  for (const report of reports) expect(report).toMatchObject({ name, gap: 0, ok: true });
  const hashes = (await measure('tiny')).map(({ answerHash }) => answerHash);
  expect(hashes).toEqual(reports.map(({ answerHash }) => answerHash));
});
