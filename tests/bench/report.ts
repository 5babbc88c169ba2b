/** Report of a benchmark: one JSON line, the same fields for all. */
import { createHash } from 'node:crypto';

export type Report = {
  readonly name: string;
  readonly seed: number;
  readonly size: string;
  readonly runs: number;
  /** milliseconds of what the bar is about */
  readonly median: number;
  /** the run that the machine disturbed least */
  readonly fastest: number;
  readonly p99: number;
  /** what it is measured against, in the same run */
  readonly baseline: string;
  readonly baselineMedian: number;
  /** baseline over own */
  readonly ratio: number;
  /** how much worse the answer is than the oracle's; anything but 0 is wrong */
  readonly gap: number;
  /** other figures, in milliseconds where not named otherwise */
  readonly more: Readonly<Record<string, number | string>>;
  /** of the answer: the same as long as nobody is seated otherwise */
  readonly answerHash: string;
  readonly bar: string;
  readonly barMet: boolean;
  /** whether the answer is right */
  readonly ok: boolean;
};

/** How large the instances are: as the bars want them, or small enough for the unit tests. */
export type Size = 'full' | 'tiny';

/** Milliseconds of each run, ascending. @param act is run some more times first, unmeasured */
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

/** To four digits: more is noise. */
export function figure(value: number): number {
  return Number(value.toPrecision(4));
}

export function hashAnswer(answer: unknown): string {
  return createHash('sha256').update(JSON.stringify(answer)).digest('hex').slice(0, 16);
}
