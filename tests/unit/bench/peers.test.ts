/** Other programs' ways of counting, on a crowd of the benchmarks: all of them have the same answer, cell by cell. */
import { describe, expect, test } from 'vitest';
import { type Crowd, givenCrowd, packSlots } from '#tests/bench/crowd.ts';
import { countWindows, datedWindows } from '#tests/bench/dated-crowd.ts';
import { mapOfSets, readOnce, scanGrid, scoreOptions, searchStrings } from '#tests/bench/peers.ts';

const crowd = givenCrowd({ seed: 5, pilots: 400, step: 15, overrides: 80 });
const windows = datedWindows(crowd);

/** Of one pilot in UTC, free on Fridays from 20:00 to 23:00. */
const alone = (overrides: Partial<Crowd['overrides']> = {}): Crowd => ({
  given: { seed: 0, pilots: 1, step: 15, overrides: 0 },
  zone: Uint8Array.of(0),
  firstSlot: Uint32Array.of(0, 1),
  weekday: Uint8Array.of(5),
  start: Uint16Array.of(20 * 60),
  length: Uint16Array.of(180),
  overrides: {
    pilot: Uint32Array.of(),
    day: Int8Array.of(),
    isAway: Uint8Array.of(),
    start: Uint16Array.of(),
    length: Uint16Array.of(),
    ...overrides,
  },
});

const cellsOf = (counts: readonly number[]) => counts.flatMap((count, cell) => (count > 0 ? [cell] : []));

test('the same seed makes the same crowd', () => {
  expect(givenCrowd(crowd.given)).toEqual(crowd);
  expect(givenCrowd({ ...crowd.given, seed: 6 }).start).not.toEqual(crowd.start);
  const perPilot = Array.from(
    crowd.zone,
    (_, pilot) => (crowd.firstSlot[pilot + 1] ?? 0) - (crowd.firstSlot[pilot] ?? 0),
  );
  expect(new Set(perPilot)).toEqual(new Set([3, 4, 5, 6]));
  expect([...crowd.start, ...crowd.length].filter((minutes) => minutes % 15 !== 0)).toEqual([]);
  expect([...givenCrowd({ ...crowd.given, step: 1 }).start].some((minutes) => minutes % 15 !== 0)).toBe(true);
});

test('an evening, a day away and an extra morning are counted where they are', () => {
  expect(cellsOf(countWindows(datedWindows(alone())))).toEqual(Array.from({ length: 12 }, (_, cell) => 80 + cell));
  const on = (isAway: 0 | 1, start: number, length: number) =>
    countWindows(
      datedWindows(
        alone({
          pilot: Uint32Array.of(0),
          day: Int8Array.of(0),
          isAway: Uint8Array.of(isAway),
          start: Uint16Array.of(start),
          length: Uint16Array.of(length),
        }),
      ),
    );
  expect(cellsOf(on(1, 21 * 60, 60))).toEqual([80, 81, 82, 83, 88, 89, 90, 91]);
  expect(cellsOf(on(0, 9 * 60, 30))).toEqual([36, 37, ...Array.from({ length: 12 }, (_, cell) => 80 + cell)]);
});

describe('on quarter hours, with overrides', () => {
  const expected = countWindows(windows);

  test('somebody is free in every cell, and nobody is free in all', () => {
    expect(Math.min(...expected)).toBeGreaterThan(0);
    expect(Math.max(...expected)).toBeLessThan(crowd.given.pilots);
  });

  test.each([
    ['cells x people with string search', () => searchStrings(windows)],
    ['map of sets', () => mapOfSets(windows)],
    ['options x participants', () => scoreOptions(windows)],
    ['grid scan', () => scanGrid(crowd)],
  ])('%s', (_name, prepare) => {
    expect(Array.from(prepare()())).toEqual(expected);
  });
});

test('one read reads every slot', () => {
  const packed = packSlots(crowd);
  expect(packed).toHaveLength(crowd.weekday.length);
  const before = readOnce(packed)();
  for (const slot of [0, 5, packed.length - 1]) {
    const changed = packed.slice();
    changed[slot] = (changed[slot] ?? 0) ^ 1;
    expect(readOnce(changed)()).not.toBe(before);
  }
});
