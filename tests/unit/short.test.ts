/** The short form of `npm test`: what it takes for a change, that it keeps to its time, and that it says what it leaves out. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { dirname } from 'node:path/posix';
import { describe, expect, test } from 'vitest';
import { ROOT } from '#server/cli/programs.js';
import { readGraph } from '#tests/steps/changed/graph.ts';
import { readDurations } from '#tests/steps/durations.js';
import { runQuietly } from '#tests/steps/programs.js';
import { chooseShort, MOST, type Short } from '#tests/steps/short.ts';

const graph = readGraph();
const durations = readDurations();
const shortFor = (...changed: string[]) => chooseShort(graph, changed, durations);
const SUITES = ['api', 'screens'] as const;

describe('a change takes the tests about it, however slow they are, of', () => {
  test.each([
    ['server/delivery/mail/transport.ts', 'api', 'tests/faults/mail.test.ts'],
    ['server/missions/series/series.ts', 'api', 'tests/api/missions/series/series.test.ts'],
    ['server/cli/dev.js', 'api', 'tests/api/start/dev.test.ts'],
    ['bot/buttons.ts', 'api', 'tests/discord/availability-buttons.test.ts'],
    ['tests/faults/chaos.test.ts', 'api', 'tests/faults/chaos.test.ts'],
    ['client/src/features/profile/two-step-panel.tsx', 'screens', 'tests/ui/two-step.test.ts'],
    ['client/src/routes/_signed-in/admin/webhooks.tsx', 'screens', 'tests/ui/webhooks.test.ts'],
    ['tests/e2e/evening.test.ts', 'screens', 'tests/e2e/evening.test.ts'],
  ] as const)('%s', (changed, suite, expected) => {
    expect(existsSync(join(ROOT, changed)) && existsSync(join(ROOT, expected))).toBe(true);
    expect(shortFor(changed)[suite]).toContain(expected);
  });
});

describe.each([
  ['nothing', []],
  ['one file', ['server/orders/rules/backfill.ts']],
  ['everything', graph.files],
])('for a change of %s', (_what, changed) => {
  const short = shortFor(...changed);

  test('every test is taken or named as left out', () => {
    for (const suite of SUITES) {
      const named = [...short[suite], ...short.leftOut[suite]].toSorted();
      const folders = suite === 'api' ? 'api|discord|faults|security|fuzz' : 'ui|e2e';
      const pattern = new RegExp(`^tests/(?:${folders})/.*\\.test\\.ts$`);
      expect(named).toEqual(graph.files.filter((file) => pattern.test(file)).toSorted());
    }
  });

  test('it keeps to its time', () => {
    for (const suite of SUITES) {
      const seconds = short[suite].reduce((sum, file) => sum + (durations[file]?.seconds ?? 0), 0);
      expect(seconds).toBeLessThan(MOST[suite] * 1.1);
    }
  });

  test('no kind of proof is left out', () => {
    const foldersOf = (files: readonly string[]) => [...new Set(files.map(dirname))].toSorted();
    for (const suite of SUITES) {
      expect(foldersOf(short[suite])).toEqual(foldersOf([...short[suite], ...short.leftOut[suite]]));
    }
    expect(short.screens).toContain('tests/ui/all-routes.test.ts');
  });
});

test('a clone without history, where nobody knows the change, takes the same tests as no change', () => {
  expect(chooseShort(graph, null, durations)).toEqual(shortFor());
});

test('a copy of the project without Git knows the same tests, and runs as many', async () => {
  const { code, output } = await runQuietly([join(ROOT, 'tests', 'steps', 'list-short.ts')], { PATH: '' });
  expect(code, output).toBe(0);
  const { api, screens, leftOut } = JSON.parse(output) as Short;
  const whole = shortFor();
  expect([...api, ...leftOut.api].toSorted()).toEqual([...whole.api, ...whole.leftOut.api].toSorted());
  expect([...screens, ...leftOut.screens].toSorted()).toEqual([...whole.screens, ...whole.leftOut.screens].toSorted());
  expect(api.toSorted()).toEqual(whole.api.toSorted());
});

test('a new test runs, although nobody knows its time', () => {
  const { api: usual, leftOut } = shortFor();
  const fresh = leftOut.api.at(-1) ?? '';
  const { [fresh]: _forgotten, ...rest } = durations;
  const { api } = chooseShort(graph, [fresh], rest);
  expect(api).toContain(fresh);
  expect(usual.length).toBeGreaterThan(50);
});

test('the recorded times are about files that exist', () => {
  expect(Object.keys(durations).filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
});
