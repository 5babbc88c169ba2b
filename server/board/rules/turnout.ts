/** Turnout forecast: the probability that enough pilots show up, each with an independent chance of their own. */
import { TURNOUT } from '#shared/limits.ts';
import { TURNOUT_STAGES, type TurnoutStage } from '#shared/vocabulary.ts';
import { HOUR_MS } from '#server/time/time.ts';

/** Sums of chances are off by less than this; two chances so close are equal. */
const TOLERANCE = 1e-9;

/** How near a mission has to be for a stage, the nearest first. */
const STAGE_HOURS: readonly (readonly [TurnoutStage, number])[] = [
  ['24 hours', 24],
  ['48 hours', 48],
];

/** Pilots who have to turn up for a mission to be flown: two thirds of its seats, rounded down, and one at least. */
export function enoughPilots(seats: number): number {
  return Math.max(1, Math.floor(seats * TURNOUT.enoughShare + TOLERANCE));
}

/**
 * The exact distribution of how many turn up (Poisson binomial), one pilot after the other.
 * @param chances of each pilot, 0 to 1, in any order
 * @returns at index k the probability that exactly k turn up; one longer than `chances`
 */
export function turnoutDistribution(chances: readonly number[]): number[] {
  const distribution = [1];
  for (const chance of chances) {
    distribution.push(0);
    for (let count = distribution.length - 1; count > 0; count--) {
      distribution[count] = (distribution[count] ?? 0) * (1 - chance) + (distribution[count - 1] ?? 0) * chance;
    }
    distribution[0] = (distribution[0] ?? 0) * (1 - chance);
  }
  return distribution;
}

/** The probability that at least `enough` turn up, 0 to 1. */
export function chanceOfEnough(chances: readonly number[], enough: number): number {
  const sum = turnoutDistribution(chances).reduce((tail, share, count) => (count >= enough ? tail + share : tail), 0);
  return Math.min(1, sum);
}

export type ExpectedTurnout = {
  readonly enough: number;
  /** pilots who will turn up, on average */
  readonly expected: number;
  /** of enough turning up, 0 to 1 */
  readonly probability: number;
  /** admins should know: enough pilots are too unlikely */
  readonly isShort: boolean;
};

/**
 * @param seats of the mission, filled or not
 * @param accepted reliabilities of the pilots who hold a seat and have accepted it
 * @param pending and of those who hold one and have not answered yet
 */
export function expectTurnout({
  seats,
  accepted,
  pending,
}: {
  readonly seats: number;
  readonly accepted: readonly number[];
  readonly pending: readonly number[];
}): ExpectedTurnout {
  const chances = [...accepted, ...pending.map((reliability) => reliability * TURNOUT.pendingShare)];
  const enough = enoughPilots(seats);
  const probability = chanceOfEnough(chances, enough);
  return {
    enough,
    expected: chances.reduce((sum, chance) => sum + chance, 0),
    probability,
    isShort: probability < TURNOUT.alertBelow - TOLERANCE,
  };
}

/** The nearest mark that a mission is within. @param msLeft until it starts, within a week */
export function turnoutStage(msLeft: number): TurnoutStage {
  return STAGE_HOURS.find(([, hours]) => msLeft <= hours * HOUR_MS)?.[0] ?? TURNOUT_STAGES[0];
}
