import { expect, test } from 'vitest';
import { newId } from '#server/schema/base.ts';

test('ids are of version 7, carry the time, and ascend within a millisecond', () => {
  const before = Date.now();
  const ids = Array.from({ length: 1_000 }, newId);
  const after = Date.now();
  expect(ids).toEqual(ids.toSorted());
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) {
    expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    const ms = Number.parseInt(id.replace('-', '').slice(0, 12), 16);
    expect(ms).toBeGreaterThanOrEqual(before);
    expect(ms).toBeLessThanOrEqual(after);
  }
});
