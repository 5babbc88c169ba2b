/** The key of a mission in the name of its downloaded file. */
import { expect, test } from 'vitest';
import { keyedName } from '#server/missions/mission-file/rules/file-key.ts';

const ID = '0192c0de-7a11-7c3e-9d21-5f0e8a4b6c01';
const END = '.marshal-5f0e8a4b6c01.miz';

test.each([
  ['a file', 'op.miz', `op${END}`],
  ['a file with capital letters at its end', 'Жар птица.MIZ', `Жар птица${END}`],
  ['a file without an ending', 'op', `op${END}`],
  ['a download that comes back', `op${END}`, `op${END}`],
  ['the download of another mission', 'op.marshal-0123456789ab.miz', `op${END}`],
  ['a name of the greatest length', `${'🛩'.repeat(116)}.miz`, `${'🛩'.repeat(95)}${END}`],
])('%s', (_rule, name, expected) => {
  expect(keyedName(name, ID)).toBe(expected);
});
