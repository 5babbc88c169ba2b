/** Reliability estimate: how likely a pilot is to turn up, from the outcomes of past missions. */
import { RELIABILITY } from '#shared/limits.ts';

/**
 * The weighted share of missions flown. Every pilot starts with a few assumed missions at a new pilot's reliability, so
 * that one outcome changes little and many outweigh them.
 * @param flown sum of the weights of missions flown
 * @param all sum of all weights, at least `flown`
 * @returns 0 to 1
 */
export function estimateReliability({ flown, all }: { readonly flown: number; readonly all: number }): number {
  const { newPilot, priorMissions } = RELIABILITY;
  return (newPilot * priorMissions + flown) / (priorMissions + all);
}
