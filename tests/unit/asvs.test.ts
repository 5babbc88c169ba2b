/** The table of OWASP ASVS 5.0: complete, with tests that exist and run. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '#server/cli/programs.js';
import { findFaults, readTable, REQUIREMENTS } from '#tests/security/asvs.ts';

const rows = readTable(readFileSync(join(ROOT, 'tests', 'security', 'asvs.md'), 'utf8'));

test('every requirement of levels 1 and 2 is shown by tests that run, or says why not', () => {
  expect(REQUIREMENTS).toHaveLength(253);
  expect(findFaults(rows)).toEqual([]);
});

const SOURCE =
  "test('sound', () => 1);\ntest.skip('skipped', () => 1);\ntest.todo('to do');\ntest.skipIf(true)('left out', () => 1);\nexpect('no test');\ndescribe.skipIf(true)('group', () => {\n  test('within', () => 1);\n});\n";
const shown = (shownBy: string) =>
  findFaults(
    rows.map((row) =>
      row.id === '1.1.1' ? { ...row, shownBy } : { ...row, shownBy: 'not applicable: it is another row' },
    ),
    (path) => (path === 'tests/a.test.ts' ? SOURCE : null),
  );

test.each([
  ['`tests/a.test.ts`: sound', null],
  ['`tests/b.test.ts`: sound', 'tests/b.test.ts does not exist'],
  ['`tests/a.test.ts`: gone', 'tests/a.test.ts has no test “gone”'],
  ['`tests/a.test.ts`: skipped', 'tests/a.test.ts: “skipped” is skipped'],
  ['`tests/a.test.ts`: to do', 'tests/a.test.ts: “to do” is skipped'],
  ['`tests/a.test.ts`: left out', 'tests/a.test.ts: “left out” is skipped'],
  ['`tests/a.test.ts`: within', 'tests/a.test.ts: “within” is skipped'],
  ['`tests/a.test.ts`: no test', 'tests/a.test.ts: “no test” is no test'],
  ['`tests/a.test.ts`: sound<br>`tests/b.test.ts`: sound', 'tests/b.test.ts does not exist'],
  ['not applicable: no', 'is neither a test, nor a deviation with a signature, nor not applicable'],
  [
    'deviation: nobody has signed this one, long as it may be',
    'is neither a test, nor a deviation with a signature, nor not applicable',
  ],
])('%s: %s', (shownBy, fault) => expect(shown(shownBy)).toEqual(fault === null ? [] : [`1.1.1: ${fault}`]));

test('a missing requirement and one too many are found', () => {
  const [first, ...others] = rows;
  expect(findFaults(others)).toEqual([`${first?.id} is missing`]);
  expect(findFaults([...rows, { id: '99.1.1', requirement: 'x', shownBy: 'not applicable: there is none' }])).toEqual([
    '99.1.1 is no requirement',
  ]);
});
