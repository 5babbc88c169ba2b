/** Turnout forecast: the probability that enough pilots turn up, each with an independent chance. */
import { TURNOUT } from '#shared/limits.ts';
import { TURNOUT_STAGES, type TurnoutStage } from '#shared/vocabulary.ts';
import { HOUR_MS } from '#server/time/time.ts';

/** Rounding errors of sums are smaller than this; chances this close count as equal. */
const TOLERANCE = 1e-9;

/** Hours before the start at which each alert stage begins, the nearest first. */
export const STAGE_HOURS: readonly (readonly [TurnoutStage, number])[] = [
  ['24 hours', 24],
  ['48 hours', 48],
  ['7 days', TURNOUT.days * 24],
];

/** Pilots who have to turn up for a mission to be flown: two thirds of its seats, rounded down, but at least one. */
export function enoughPilots(seats: number): number {
  return Math.max(1, Math.floor(seats * TURNOUT.enoughShare + TOLERANCE));
}

/**
 * The exact distribution of the number of pilots who turn up (Poisson binomial), computed pilot by pilot.
 * @param chances of the pilots, 0 to 1, in any order
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
  /** mean number of pilots who turn up */
  readonly expected: number;
  /** that enough pilots turn up, 0 to 1 */
  readonly probability: number;
  /** the probability is low enough to alert admins */
  readonly isShort: boolean;
};

/**
 * @param seats all seats of the mission, filled or not
 * @param accepted reliabilities of the pilots who have accepted their seat
 * @param pending reliabilities of the pilots who hold a seat but have not answered yet
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

/** The alert stage of a mission. @param msLeft until it starts, at most a week */
export function turnoutStage(msLeft: number): TurnoutStage {
  return STAGE_HOURS.find(([, hours]) => msLeft <= hours * HOUR_MS)?.[0] ?? TURNOUT_STAGES[0];
}
