import { expect, test } from 'vitest';
import { isNestedBeyond } from '#server/http/rules/json-depth.ts';

test.each([
  ['a flat object', '{"a":1,"b":[2]}', 2],
  ['neighbours', `[${'[],'.repeat(1_000)}[]]`, 2],
  ['lists within lists', '[[[[]]]]', 4],
  ['lists that never end', '[[[', 3],
  ['brackets in a text', '{"a":"[[[[{{{{"}', 1],
  ['a quotation mark in a text', String.raw`["\"[[[[", "\\", [1]]`, 2],
])('%s', (_what, json, depth) => {
  expect([isNestedBeyond(json, depth), isNestedBeyond(json, depth - 1)]).toEqual([false, true]);
});
