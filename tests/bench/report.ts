/** Report of a benchmark: one JSON line, the same fields for all. */
import { createHash } from 'node:crypto';
import { quantile, ratioOf, type Timing } from './rounds.ts';

export type Report = {
  readonly name: string;
  readonly seed: number;
  readonly size: string;
  /** measured calls of the own function */
  readonly runs: number;
  /** of the figures that follow: milliseconds, unless the bar is about something else */
  readonly unit: string;
  /** of the measured function, which the bar is about */
  readonly median: number;
  /** the fastest run, which other load disturbed the least */
  readonly fastest: number;
  readonly p99: number;
  /** name of the baseline, whose rounds alternate with the own ones; empty if there is none */
  readonly baseline: string;
  readonly baselineMedian: number;
  /** baseline divided by own: the median of the rounds' ratios */
  readonly ratio: number;
  /** difference from the oracle's result; anything but 0 is wrong */
  readonly gap: number;
  /** other figures, in milliseconds unless the name says otherwise */
  readonly more: Readonly<Record<string, number | string>>;
  /** hash of the result: the same as long as the answer is */
  readonly answerHash: string;
  readonly bar: string;
  readonly barMet: boolean;
  /** true if the result is right */
  readonly ok: boolean;
};

/** Size of the instances: as in the bars, or small enough for unit tests. */
export type Size = 'full' | 'tiny';

/** Reports by size, one for each instance. */
export type Bench = (size: Size) => Report[] | Promise<Report[]>;

export const MS = 'ms';

/** Rounds to four digits; more would be noise. */
export function figure(value: number): number {
  return Number(value.toPrecision(4));
}

/** The fields of a report that come from timings. */
export function timed(
  own: Timing,
  baseline: string,
  other: Timing,
): Pick<Report, 'runs' | 'unit' | 'median' | 'fastest' | 'p99' | 'baseline' | 'baselineMedian' | 'ratio'> {
  return {
    runs: own.runs,
    unit: MS,
    median: figure(own.median),
    fastest: figure(own.fastest),
    p99: figure(own.p99),
    baseline,
    baselineMedian: figure(other.median),
    ratio: figure(ratioOf(other, own)),
  };
}

/** The fields of a report without a baseline. @param times milliseconds of each call */
export function measured(
  times: readonly number[],
): Pick<Report, 'runs' | 'unit' | 'median' | 'fastest' | 'p99' | 'baseline' | 'baselineMedian' | 'ratio'> {
  const ascending = times.toSorted((a, b) => a - b);
  return {
    runs: times.length,
    unit: MS,
    median: figure(quantile(ascending, 0.5)),
    fastest: figure(quantile(ascending, 0)),
    p99: figure(quantile(ascending, 0.99)),
    baseline: '',
    baselineMedian: 0,
    ratio: 0,
  };
}

export function hashAnswer(answer: unknown): string {
  return createHash('sha256').update(JSON.stringify(answer)).digest('hex').slice(0, 16);
}
