/** How likely a pilot is to turn up, by what became of the missions they had a seat in. */
import { RELIABILITY } from '#shared/limits.ts';
import { DAY_MS } from '#server/time/time.ts';

export type Outcome = {
  /** turned up; false for a no-show and for a seat given back late. An excused absence is no outcome. */
  readonly flown: boolean;
  /** whole UTC days since the mission's start, see `ageInDays` */
  readonly ageDays: number;
};

/** Whole days by the UTC calendar, so that the same question has the same answer all day; 0 for a mission ahead. */
export function ageInDays(startMs: number, nowMs: number): number {
  return Math.max(0, Math.floor(nowMs / DAY_MS) - Math.floor(startMs / DAY_MS));
}

/** 1 on the day of the mission, half of it after every half-life. */
export function outcomeWeight(ageDays: number): number {
  return 0.5 ** (ageDays / RELIABILITY.halfLifeDays);
}

/**
 * The weighted share of missions flown, as if the pilot had come with a few missions of a new pilot: one outcome says
 * little, many say all.
 * @param flown sum of the weights of missions flown
 * @param all sum of all weights, at least `flown`
 * @returns 0 to 1
 */
export function estimateReliability({ flown, all }: { readonly flown: number; readonly all: number }): number {
  const { newPilot, priorMissions } = RELIABILITY;
  return (newPilot * priorMissions + flown) / (priorMissions + all);
}

/** @param outcomes in any order; without any the pilot is as reliable as every new one */
export function reliabilityOf(outcomes: readonly Outcome[]): number {
  const weigh = (some: readonly Outcome[]) => some.reduce((sum, { ageDays }) => sum + outcomeWeight(ageDays), 0);
  return estimateReliability({ flown: weigh(outcomes.filter(({ flown }) => flown)), all: weigh(outcomes) });
}
