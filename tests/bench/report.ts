/** Report of a benchmark: one JSON line, the same fields for all. */
import { createHash } from 'node:crypto';

export type Report = {
  readonly name: string;
  readonly seed: number;
  readonly size: string;
  readonly runs: number;
  /** milliseconds of the measured function, which the target is about */
  readonly median: number;
  /** milliseconds of the fastest run, which other load disturbed the least */
  readonly fastest: number;
  readonly p99: number;
  /** name of the baseline, which is measured in the same run */
  readonly baseline: string;
  readonly baselineMedian: number;
  /** baseline time divided by own time */
  readonly ratio: number;
  /** difference from the oracle's result; anything but 0 is wrong */
  readonly gap: number;
  /** other figures, in milliseconds unless the name says otherwise */
  readonly more: Readonly<Record<string, number | string>>;
  /** hash of the result: the same as long as the seating is */
  readonly answerHash: string;
  readonly bar: string;
  readonly barMet: boolean;
  /** true if the result is right */
  readonly ok: boolean;
};

/** Size of the instances: as in the targets, or small enough for unit tests. */
export type Size = 'full' | 'tiny';

/** Milliseconds of each run, ascending. @param act also runs some times before, unmeasured */
export function timeRuns(runs: number, act: () => unknown, warmUp = Math.min(20, runs)): number[] {
  for (let run = 0; run < warmUp; run++) act();
  const times = Array.from({ length: runs }, () => {
    const before = performance.now();
    act();
    return performance.now() - before;
  });
  return times.sort((a, b) => a - b);
}

/** @param times ascending */
export function quantile(times: readonly number[], share: number): number {
  return times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
}

export function median(times: readonly number[]): number {
  return quantile(times, 0.5);
}

/** Rounds to four digits; more would be noise. */
export function figure(value: number): number {
  return Number(value.toPrecision(4));
}

export function hashAnswer(answer: unknown): string {
  return createHash('sha256').update(JSON.stringify(answer)).digest('hex').slice(0, 16);
}
