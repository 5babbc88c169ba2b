/** Reliability estimate: how likely a pilot is to turn up, by the outcomes of past missions. */
import { RELIABILITY } from '#shared/limits.ts';

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
