/**
 * Interleaved rounds: the own function and its baselines take turns in one process, so that a change in the machine's load
 * or clock meets all of them, and ratios hold where milliseconds do not.
 */
import { collectGarbage } from './measure-bytes.ts';

/** A function to measure, by the calls that it makes in one round. */
export type Contender = {
  /** unmeasured calls before the first round */
  readonly warmUp: () => unknown;
  /** @returns milliseconds of each call */
  readonly round: () => readonly number[] | Promise<readonly number[]>;
  /** it never waits: ratios are of the processor time of its calls */
  readonly isComputing?: true;
};

export type Timing = {
  readonly runs: number;
  /** milliseconds of a call, over all rounds */
  readonly median: number;
  readonly fastest: number;
  readonly p99: number;
  /** of each round, in order, what ratios are about: processor time of a call if it only computes, otherwise the median */
  readonly rounds: readonly number[];
};

const nobodyWakes = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/**
 * Milliseconds that this thread has computed until now. A call of seconds is interrupted on a busy machine and one of
 * microseconds is not, so that times on the clock would make ratios depend on the load. The kernel brings its count of a
 * running thread up to date only every 4 ms, but to the nanosecond when the thread waits: so it waits for a moment.
 */
export function computedMs(): number {
  Atomics.wait(nobodyWakes, 0, 0, 0.01);
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** @param times ascending */
export function quantile(times: readonly number[], share: number): number {
  return times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return quantile(
    values.toSorted((a, b) => a - b),
    0.5,
  );
}

/** Milliseconds of each of `count` calls. */
export function timeCalls(count: number, act: () => unknown): number[] {
  return Array.from({ length: count }, () => {
    const before = performance.now();
    act();
    return performance.now() - before;
  });
}

/** The compiler may take a slow call of seconds to optimise the third or fourth one. */
const WARM_UP = 4;

/**
 * A contender that calls `act` so many times a round, and before the first as often and a few times more. A round should
 * take about 100 ms of processor time, so that it is no shorter than what disturbs it.
 */
export function calls(count: number, act: () => unknown, warmUp = count + WARM_UP): Contender {
  return { warmUp: () => timeCalls(warmUp, act), round: () => timeCalls(count, act), isComputing: true };
}

type Round = { readonly times: readonly number[]; readonly ms: number };

async function measureRound({ round, isComputing }: Contender): Promise<Round> {
  const before = computedMs();
  const times = await round();
  return { times, ms: isComputing ? (computedMs() - before) / times.length : median(times) };
}

function timingOf(rounds: readonly Round[]): Timing {
  const times = rounds.flatMap((round) => round.times).sort((a, b) => a - b);
  return {
    runs: times.length,
    median: quantile(times, 0.5),
    fastest: quantile(times, 0),
    p99: quantile(times, 0.99),
    rounds: rounds.map(({ ms }) => ms),
  };
}

/**
 * Runs all contenders round by round; every second round in the opposite order, so that none always comes first. Nobody
 * has to collect the garbage of others.
 */
export async function inRounds<Name extends string>(
  rounds: number,
  contenders: Readonly<Record<Name, Contender>>,
): Promise<Record<Name, Timing>> {
  const entries = Object.entries<Contender>(contenders) as [Name, Contender][];
  const taken = new Map(entries.map(([name]) => [name, [] as Round[]]));
  for (const [, { warmUp }] of entries) await warmUp();
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, contender] of round % 2 === 0 ? entries : entries.toReversed()) {
      collectGarbage();
      taken.get(name)?.push(await measureRound(contender));
    }
  }
  return Object.fromEntries(entries.map(([name]) => [name, timingOf(taken.get(name) ?? [])])) as Record<Name, Timing>;
}

/**
 * How many times as long the other takes: the median of the rounds' ratios. A disturbed round does not count, and nobody
 * else's work is in processor time.
 */
export function ratioOf(other: Timing, own: Timing): number {
  return median(other.rounds.map((ms, round) => ms / (own.rounds[round] ?? Number.NaN)));
}
