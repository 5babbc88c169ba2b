import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ageInDays, type Outcome, outcomeWeight, reliabilityOf } from '#tests/harness/track-record-oracle.ts';

const flown = (ageDays = 0): Outcome => ({ flown: true, ageDays });
const missed = (ageDays = 0): Outcome => ({ flown: false, ageDays });
const times = (count: number, outcome: Outcome) => Array.from({ length: count }, () => outcome);

describe('reliability', () => {
  // by hand: (1.6 + flown) / (2 + all), where an outcome 90 days ago counts 1/2, and 180 days ago 1/4
  test.each<[string, Outcome[], number]>([
    ['a new pilot', [], 0.8],
    ['one mission flown today', [flown()], 2.6 / 3],
    ['one no-show today', [missed()], 1.6 / 3],
    ['one of each', [flown(), missed()], 2.6 / 4],
    ['eight missions flown', times(8, flown()), 0.96],
    ['eight no-shows', times(8, missed()), 0.16],
    ['a mission flown 90 days ago', [flown(90)], 2.1 / 2.5],
    ['a no-show 180 days ago', [missed(180)], 1.6 / 2.25],
    ['a no-show long ago, four flown since', [missed(180), ...times(4, flown())], 5.6 / 6.25],
    ['a record as good as a new pilot changes nothing', [...times(4, flown(45)), missed(45)], 0.8],
  ])('%s', (_who, outcomes, reliability) => expect(reliabilityOf(outcomes)).toBeCloseTo(reliability, 12));

  test('an outcome counts half as much after 90 days', () => {
    expect(outcomeWeight(0)).toBe(1);
    for (const age of [0, 1, 30, 200]) expect(outcomeWeight(age + 90)).toBeCloseTo(outcomeWeight(age) / 2, 12);
  });

  test('is between 0 and 1; one more mission flown never lowers it, one missed never raises it', () => {
    const outcome = fc.record({ flown: fc.boolean(), ageDays: fc.nat(1000) });
    fc.assert(
      fc.property(fc.array(outcome), fc.nat(1000), (outcomes, age) => {
        const before = reliabilityOf(outcomes);
        expect(before).toBeGreaterThan(0);
        expect(before).toBeLessThan(1);
        expect(reliabilityOf([...outcomes, flown(age)])).toBeGreaterThanOrEqual(before);
        expect(reliabilityOf([...outcomes, missed(age)])).toBeLessThanOrEqual(before);
      }),
    );
  });
});

describe('age', () => {
  test.each([
    ['the same day, late', '2026-07-01T00:10:00Z', '2026-07-01T23:59:59Z', 0],
    ['a minute later, but past midnight in Zulu', '2026-07-01T23:59:00Z', '2026-07-02T00:00:00Z', 1],
    ['ninety days', '2026-07-01T19:00:00Z', '2026-09-29T03:00:00Z', 90],
    ['a mission ahead', '2026-07-03T19:00:00Z', '2026-07-01T03:00:00Z', 0],
  ])('%s', (_what, start, now, days) => expect(ageInDays(Date.parse(start), Date.parse(now))).toBe(days));
});
