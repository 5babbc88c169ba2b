/** What a small machine changes. */
import { totalmem } from 'node:os';
import { expect, test } from 'vitest';
import { readMemory, sizesFor } from '#server/platform/memory.ts';

const MIB = 1024 ** 2;

test.each([
  ['512 MB', 512 * MIB, 8],
  ['almost 1 GB', 1024 * MIB - 1, 8],
  ['1 GB', 1024 * MIB, 16],
  ['64 GB', 65_536 * MIB, 16],
])('with %s', (_what, memory, poolSize) => expect(sizesFor(memory).poolSize).toBe(poolSize));

test('a limit beyond the machine is none', () => {
  expect(readMemory()).toBeGreaterThan(0);
  expect(readMemory()).toBeLessThanOrEqual(totalmem());
});
