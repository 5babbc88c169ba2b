import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  chanceOfEnough,
  enoughPilots,
  expectTurnout,
  turnoutDistribution,
  turnoutStage,
} from '#server/board/rules/turnout-forecast.ts';
import { seeded } from '#tests/harness/seeded.ts';

const HOUR_MS = 3_600_000;

/** The distribution of the turnout by enumerating all 2^n outcomes with their probabilities. */
function enumerate(chances: readonly number[]): number[] {
  const distribution = Array.from({ length: chances.length + 1 }, () => 0);
  for (let outcome = 0; outcome < 2 ** chances.length; outcome++) {
    let probability = 1;
    let count = 0;
    chances.forEach((chance, pilot) => {
      const comes = (outcome >> pilot) & 1;
      count += comes;
      probability *= comes === 1 ? chance : 1 - chance;
    });
    distribution[count] = (distribution[count] ?? 0) + probability;
  }
  return distribution;
}

/** Abramowitz and Stegun 7.1.26: off by less than 1.5e-7. */
function normalBelow(z: number): number {
  const x = Math.abs(z) / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * x);
  const tail =
    ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t * Math.exp(-x * x);
  return z < 0 ? tail / 2 : 1 - tail / 2;
}

describe('the distribution of the turnout', () => {
  test('matches the enumeration of all 2^n outcomes, for up to 10 pilots', () => {
    const chance = fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(0, 1, 0.5));
    fc.assert(
      fc.property(fc.array(chance, { maxLength: 10 }), fc.nat(11), (chances, enough) => {
        const exact = enumerate(chances);
        const distribution = turnoutDistribution(chances);
        expect(distribution).toHaveLength(exact.length);
        distribution.forEach((share, count) => expect(share).toBeCloseTo(exact[count] ?? Number.NaN, 12));
        const tail = exact.slice(enough).reduce((sum, share) => sum + share, 0);
        expect(chanceOfEnough(chances, enough)).toBeCloseTo(Math.min(1, tail), 12);
      }),
    );
  });

  test('is nearly normal for 64 pilots', () => {
    const random = seeded(64);
    const chances = Array.from({ length: 64 }, () => 0.3 + 0.6 * random.next());
    const mean = chances.reduce((sum, p) => sum + p, 0);
    const deviation = Math.sqrt(chances.reduce((sum, p) => sum + p * (1 - p), 0));
    for (let enough = 20; enough <= 60; enough++) {
      const normal = 1 - normalBelow((enough - 0.5 - mean) / deviation);
      expect(Math.abs(chanceOfEnough(chances, enough) - normal)).toBeLessThan(0.01);
    }
    const distribution = turnoutDistribution(chances);
    expect(distribution.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12);
    expect(distribution.reduce((sum, share, count) => sum + share * count, 0)).toBeCloseTo(mean, 9);
  });
});

test('enough is two thirds of the seats, rounded down, at least one', () => {
  expect([1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16].map(enoughPilots)).toEqual([1, 1, 2, 2, 3, 4, 4, 5, 6, 8, 10]);
  for (let seats = 2; seats <= 256; seats++) expect(enoughPilots(seats)).toBe((2 * seats - ((2 * seats) % 3)) / 3);
});

describe('an alert', () => {
  test.each<[string, seats: number, accepted: number[], pending: number[], probability: number, isShort: boolean]>([
    ['one seat at exactly 0.8 is none', 1, [0.8], [], 0.8, false],
    ['nor at 0.8 as sums have it', 1, [0.1 + 0.7], [], 0.8, false],
    ['one seat a little below', 1, [0.799], [], 0.799, true],
    ['one seat without an answer: half of the reliability', 1, [], [0.8], 0.4, true],
    ['nobody', 4, [], [], 0, true],
    ['fewer pilots than are needed, however reliable', 6, [1, 1, 1], [], 0, true],
    ['just enough, each surely', 3, [1, 1], [], 1, false],
    // 1 - 0.2^4 - 4 * 0.8 * 0.2^3
    ['four seats, all accepted by new pilots', 4, [0.8, 0.8, 0.8, 0.8], [], 0.9728, false],
    // both of two come: 0.64
    ['four seats, two accepted', 4, [0.8, 0.8], [], 0.64, true],
    // one accepted and one pending at 0.4: both come with 0.32
    ['a pending answer', 4, [0.8], [0.8], 0.32, true],
  ])('%s', (_what, seats, accepted, pending, probability, isShort) => {
    const turnout = expectTurnout({ seats, accepted, pending });
    expect(turnout.probability).toBeCloseTo(probability, 12);
    expect(turnout.isShort).toBe(isShort);
    const expected = [...accepted, ...pending.map((p) => p / 2)].reduce((sum, p) => sum + p, 0);
    expect(turnout.expected).toBeCloseTo(expected, 12);
  });

  test.each([
    [1, '24 hours'],
    [24, '24 hours'],
    [24.01, '48 hours'],
    [48, '48 hours'],
    [48.01, '7 days'],
    [168, '7 days'],
  ] as const)('%d h before the start is within %s', (hours, stage) => {
    expect(turnoutStage(hours * HOUR_MS)).toBe(stage);
  });
});
