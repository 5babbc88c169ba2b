import { expect, test } from 'vitest';
import { createPilotNumbers } from '#server/availability/rules/pilot-numbers.ts';
import { seeded } from '#tests/harness/seeded.ts';

/** Ids of three kinds: those of one millisecond, those that only count, and those whose ends agree. */
function idOf(at: number): string {
  const hex = Math.floor(at / 3).toString(16);
  if (at % 3 === 0) return `01992c34-7e00-7000-8000-${hex.padStart(12, '0')}`;
  if (at % 3 === 1) return `00000000-0000-0000-0000-${hex.padStart(12, '0')}`;
  return `${hex.padStart(8, '0')}-7e00-7000-8000-000000000000`;
}

test('numbers of pilots agree with those of a Map, as pilots come and go', () => {
  const random = seeded(19);
  const numbers = createPilotNumbers();
  const expected = new Map<string, number>();
  let given = 0;
  for (let step = 0; step < 40_000; step += 1) {
    const id = idOf(random.between(0, 9_000));
    const known = expected.get(id);
    expect(numbers.find(id)).toBe(known);
    // first they become more, then fewer
    if (random.chance(step < 25_000 ? 0.8 : 0.2)) {
      const number = numbers.add(id);
      if (known === undefined) given = Math.max(given, number + 1);
      else expect(number).toBe(known);
      expected.set(id, number);
    } else {
      expect(numbers.drop(id)).toBe(known);
      expected.delete(id);
    }
    if (step % 500 === 0) {
      const ids = [...expected.keys()].sort();
      expect(Array.from(numbers.byId(), numbers.idOf)).toEqual(ids);
    }
  }
  expect(numbers.size()).toBe(expected.size);
  expect(numbers.bound()).toBe(given);
  for (const [id, number] of expected) expect([numbers.find(id), numbers.idOf(number)]).toEqual([number, id]);
  expect(new Set(expected.values()).size).toBe(expected.size);
  // the numbers of those who have gone are used before new ones
  for (let at = 9_001; numbers.size() < given; at += 1) numbers.add(idOf(at));
  expect(numbers.bound()).toBe(given);
});
