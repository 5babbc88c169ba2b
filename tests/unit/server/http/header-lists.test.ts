/** Headers with a list of items between commas. */
import { expect, test } from 'vitest';
import { readHeaderList } from '#server/http/request-context.ts';
import { startProcessorTime } from '#tests/harness/processor-time.ts';

test('items are told apart by commas, without the spaces around them', () => {
  expect(readHeaderList('"a", W/"b"\t,"c"')).toEqual(['"a"', 'W/"b"', '"c"']);
  expect(readHeaderList('')).toEqual(['']);
});

test('a megabyte of spaces takes a moment', () => {
  const used = startProcessorTime();
  expect(readHeaderList(`a${' '.repeat(1_000_000)}b`)).toHaveLength(1);
  // in quadratic time it would be hours; Node accepts headers of 16 KB, which took 0.6 s
  expect(used()).toBeLessThan(2_000);
});
