import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clip, type Interval, mergeIntervals, overlaps, subtractIntervals } from '#server/time/intervals.ts';

const SPAN = 24;
const anyInterval = fc
  .tuple(fc.integer({ min: 0, max: SPAN }), fc.integer({ min: 0, max: SPAN }))
  .map(([a, b]): Interval => ({ startMs: Math.min(a, b), endMs: Math.max(a, b) }));
const anyIntervals = fc.array(anyInterval, { maxLength: 7 });

/** The oracle: the set of whole moments in a list of intervals. */
function moments(intervals: readonly Interval[]): Set<number> {
  const held = new Set<number>();
  for (const { startMs, endMs } of intervals) for (let at = startMs; at < endMs; at++) held.add(at);
  return held;
}
const of = (...pairs: [number, number][]): Interval[] => pairs.map(([startMs, endMs]) => ({ startMs, endMs }));

test('merged intervals have the same moments, ascending, with gaps between them', () => {
  fc.assert(
    fc.property(anyIntervals, (intervals) => {
      const merged = mergeIntervals(intervals);
      expect(moments(merged)).toEqual(moments(intervals));
      merged.forEach((interval, index) => {
        expect(interval.startMs).toBeLessThan(interval.endMs);
        const next = merged[index + 1];
        if (next) expect(interval.endMs).toBeLessThan(next.startMs);
      });
    }),
  );
});

describe('overlap is half-open', () => {
  test.each([
    ['back to back', [0, 2], [2, 4], false],
    ['one moment shared', [0, 3], [2, 4], true],
    ['one inside the other', [0, 9], [2, 4], true],
    ['apart', [0, 1], [2, 4], false],
    ['an empty one inside', [3, 3], [2, 4], false],
  ] as const)('%s', (_rule, [a, b], [c, d], shared) => {
    expect(overlaps({ startMs: a, endMs: b }, { startMs: c, endMs: d })).toBe(shared);
    expect(overlaps({ startMs: c, endMs: d }, { startMs: a, endMs: b })).toBe(shared);
  });
});

test('subtraction leaves exactly the moments outside the cuts, and keeps other fields', () => {
  fc.assert(
    fc.property(anyInterval, anyIntervals, (interval, cuts) => {
      const left = subtractIntervals([{ ...interval, tag: 'a' }], cuts);
      const cut = moments(cuts);
      expect(moments(left)).toEqual(new Set([...moments([interval])].filter((at) => !cut.has(at))));
      expect(left.every((piece) => piece.tag === 'a' && piece.startMs < piece.endMs)).toBe(true);
    }),
  );
});

test.each([
  ['inside stays whole', of([2, 4]), [2, 4]],
  ['edges are cut', of([0, 9]), [1, 8]],
  ['outside is nothing', of([8, 9]), null],
] as const)('clip: %s', (_rule, [interval], expected) => {
  const bounds = { startMs: 1, endMs: 8 };
  expect(interval && clip(interval, bounds)).toEqual(expected && { startMs: expected[0], endMs: expected[1] });
});
