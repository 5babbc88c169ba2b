/** The steps of `npm test`: which run for a change, and what is said of their costs. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect as playwrightExpect } from '@playwright/test';
import { describe, expect, test } from 'vitest';
import { ROOT } from '#server/cli/programs.js';
import { judgeCosts, measure } from '#tests/steps/cost.js';
import { runQuietly } from '#tests/steps/programs.js';
import { canBreak, STEPS } from '#tests/steps/steps.js';
import { withFault } from '#tests/steps/suites.js';

const sometimes = STEPS.filter(({ proves }) => proves !== undefined);
const chosenFor = (file: string) => sometimes.filter((step) => canBreak(step, [file])).map(({ name }) => name);

describe('steps that run only for some changes', () => {
  test.each([
    ['docker/Dockerfile', ['image']],
    ['server/cli/go.js', ['machine', 'image']],
    ['server/platform/postgres/embedded.ts', ['machine']],
    ['client/src/features/board/heat-grid.module.css', ['browsers']],
    ['client/src/routes/home.tsx', ['browsers']],
    ['package-lock.json', ['browsers', 'machine', 'image', 'bench']],
    ['client/src/lib/zulu.ts', ['bench']],
    ['tests/run.js', ['machine']],
    ['server/orders/seating/candidates.ts', []],
    ['README.md', []],
  ])('%s', (file, names) => {
    expect(chosenFor(file)).toEqual(names);
  });

  test('all of them, when nobody knows what has changed', () => {
    expect(sometimes.filter((step) => canBreak(step, null))).toEqual(sometimes);
  });

  test('each pattern means files that exist', () => {
    const folders = ['.ci', 'client', 'docker', 'server', 'tests'].flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
    );
    const files = [...folders.map((file) => file.replaceAll('\\', '/')), ...readdirSync(ROOT)];
    const stale = sometimes.flatMap(({ proves = [] }) =>
      proves.filter((pattern) => !files.some((file) => pattern.test(file))),
    );
    expect(stale).toEqual([]);
  });
});

describe('costs', () => {
  const step = (title: string, budget: number | undefined, processor: number | null) => ({
    title,
    budget,
    cost: { wall: 10, processor },
    times: [{ test: `${title} > slow`, seconds: processor ?? 1 }],
  });

  test('a step that uses more than its budget and a half is named', () => {
    const { lines, overBudget } = judgeCosts([step('lint', 100, 149), step('types', 100, 151)], 1);
    expect(overBudget).toEqual(['Over budget: types used 151 s of processor time instead of 100']);
    expect(lines.slice(-2)).toEqual(['  151.0 s  types > slow', '  149.0 s  lint > slow']);
  });

  test('on a machine that is twice as slow, it may use twice as much', () => {
    expect(judgeCosts([step('types', 100, 299)], 2).overBudget).toEqual([]);
    expect(judgeCosts([step('types', 100, 301)], 2).overBudget).toHaveLength(1);
  });

  test('without a budget, or where the system does not tell, nothing is judged', () => {
    expect(judgeCosts([step('image', undefined, 9_999), step('types', 1, null)], 1).overBudget).toEqual([]);
  });

  test.runIf(process.platform === 'linux')('the programs of a step count for it, and not for another', async () => {
    const burn = 'const end = process.cpuUsage().user + 500_000; while (process.cpuUsage().user < end);';
    const [busy, idle] = await Promise.all([
      measure(() => runQuietly(['-e', burn])),
      measure(() => runQuietly(['-e', 'setTimeout(() => {}, 1_000)'])),
    ]);
    expect(busy.cost.processor).toBeGreaterThan(0.45);
    expect(idle.cost.processor).toBeLessThan(0.45);
  });
});

test('a failed test is named with what it found, in one line', () => {
  const messageOf = (check: () => void): string => {
    try {
      check();
    } catch (fault) {
      return fault instanceof Error ? fault.message : String(fault);
    }
    throw new Error('the check passed');
  };
  const wrong = messageOf(() => playwrightExpect(['/home: moves by 0.3']).toEqual([]));
  const named = withFault('the test', wrong);
  expect(named).toContain('the test: expect(received).toEqual(expected)');
  expect(named).toContain('"/home: moves by 0.3"');
  expect(named).not.toContain('\n');
  expect(
    withFault(
      'the test',
      messageOf(() => playwrightExpect(3).toBe(4)),
    ),
  ).toMatch(/Expected: 4 Received: 3$/);
  expect(withFault('the test')).toBe('the test');
});
