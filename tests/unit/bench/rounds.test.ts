/** Interleaved rounds of the benchmarks, and the ratio that comes from them. */
import { expect, test } from 'vitest';
import { calls, inRounds, ratioOf } from '#tests/bench/rounds.ts';

test('contenders take turns, and the order changes from round to round', async () => {
  const order: string[] = [];
  const contender = (name: string) => ({ warmUp: () => order.push(`(${name})`), round: () => [order.push(name)] });
  await inRounds(3, { own: contender('own'), peer: contender('peer') });
  expect(order).toEqual(['(own)', '(peer)', 'own', 'peer', 'peer', 'own', 'own', 'peer']);
});

test('the ratio is the median of the ratios of the rounds, so one slow round does not count', async () => {
  const given = (...rounds: number[][]) => ({ warmUp: () => undefined, round: () => rounds.shift() ?? [] });
  const { own, peer } = await inRounds(3, {
    own: given([1, 2, 3], [20, 20, 20], [2, 2, 9]),
    peer: given([10], [100], [1_000]),
  });
  expect(own).toEqual({ runs: 9, median: 3, fastest: 1, p99: 20, rounds: [2, 20, 2] });
  expect(ratioOf(peer, own)).toBe(5);
});

test('calls are counted, and those before the first round are not measured', async () => {
  let called = 0;
  const { own } = await inRounds(4, { own: calls(3, () => (called += 1), 2) });
  expect([called, own.runs]).toEqual([14, 12]);
  expect(own.median).toBeGreaterThanOrEqual(own.fastest);
});

test('a round of calls that only compute is its processor time, in which waiting does not count', async () => {
  const cell = new Int32Array(new SharedArrayBuffer(4));
  const { own } = await inRounds(2, { own: calls(2, () => Atomics.wait(cell, 0, 0, 30)) });
  expect(own.fastest).toBeGreaterThanOrEqual(29);
  expect(Math.max(...own.rounds)).toBeLessThan(15);
});

test('processor time is finer than the 4 ms in which the kernel counts it', async () => {
  const busy = () => Array.from({ length: 20_000 }, (_, index) => Math.sin(index)).length;
  const { own } = await inRounds(9, { own: calls(1, busy) });
  expect(Math.min(...own.rounds)).toBeGreaterThan(0);
  expect(Math.min(...own.rounds)).toBeLessThan(3.9);
});
