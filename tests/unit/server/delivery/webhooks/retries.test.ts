/** Retries of webhooks: for a day, with growing pauses, the last attempt at its end. */
import { expect, test } from 'vitest';
import { isDead, nextAttemptMs } from '#server/delivery/rules/retries.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

/** The moments of all attempts of a delivery that always fails, in seconds after it was queued. */
function attemptsOf(jitter: number): number[] {
  const moments = [0];
  for (;;) {
    const nowMs = (moments.at(-1) ?? 0) * SECOND;
    const next = nextAttemptMs({ attempts: moments.length, askedMs: null, queuedMs: 0, nowMs, jitter });
    if (next === null) return moments;
    moments.push(next / SECOND);
  }
}

test('pauses grow from 5 s to 4 h, and the last attempt is made after a day', () => {
  const moments = attemptsOf(0);
  const pauses = moments.slice(1).map((at, index) => at - (moments[index] ?? 0));
  expect(pauses.slice(0, 9)).toEqual([5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 14_400]);
  expect(moments.at(-1)).toBe(86_400);
  expect(moments.length).toBeLessThan(20);
});

test('jitter lengthens a pause by a fifth at most', () => {
  expect(attemptsOf(1).slice(0, 3)).toEqual([0, 6, 42]);
  expect(attemptsOf(1).at(-1)).toBe(86_400);
});

test('a delivery that had to wait for more than a day gets one attempt', () => {
  expect(nextAttemptMs({ attempts: 1, askedMs: null, queuedMs: 0, nowMs: 30 * HOUR, jitter: 0 })).toBeNull();
});

test('a receiver can ask for a longer pause, but not for a shorter one, nor for one past the last attempt', () => {
  const nextAfter = (askedMs: number) =>
    nextAttemptMs({ attempts: 2, askedMs, queuedMs: 0, nowMs: 5 * SECOND, jitter: 0 });
  expect([300 * SECOND, SECOND, 48 * HOUR].map(nextAfter)).toEqual([305 * SECOND, 35 * SECOND, 24 * HOUR]);
});

test('a webhook is dead after five days of failures', () => {
  expect([isDead(0, 120 * HOUR - 1), isDead(0, 120 * HOUR)]).toEqual([false, true]);
});
