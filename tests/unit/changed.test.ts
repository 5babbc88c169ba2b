/** `npm test -- --changed`: what it runs for a change in ten places, by lists written by hand, and its graph of imports. */
import { join, relative } from 'node:path';
import ts from 'typescript-5';
import { describe, expect, test } from 'vitest';
import { ROOT } from '#server/cli/programs.js';
import { readGraph } from '#tests/steps/changed/graph.ts';
import { type Plan, planFor } from '#tests/steps/changed/plan.ts';

const graph = readGraph();
const SUITES = ['unit', 'api', 'ui'] as const;

/** The parts of a plan, in the order of `npm test`, and the steps that it leaves out. */
function stepsOf(plan: Plan): string[] {
  const { types, lint, format, migration, unit, api, ui } = plan;
  const parts = { types, lint, format, migration: migration ? [1] : [], unit, api, ui };
  return Object.entries(parts).flatMap(([name, files]) => (files.length > 0 ? [name] : []));
}
const omittedBy = ({ leftOut }: Plan) =>
  leftOut.flatMap((words) => /^steps of npm test: (.*)$/.exec(words)?.[1]?.split(', ') ?? []);
const CODE = ['types', 'lint', 'format'];
const SLOW = ['knip', 'e2e'];

describe('a change of', () => {
  test.each<{ file: string; runs: string[]; omits: string[]; unit?: string; api?: string; ui?: string }>([
    {
      file: 'server/orders/rules/backfill.ts',
      runs: [...CODE, 'unit', 'api'],
      omits: SLOW,
      unit: 'tests/unit/server/orders/backfill.test.ts',
      api: 'tests/api/orders/backfill.test.ts',
    },
    {
      file: 'server/missions/series/series.ts',
      runs: [...CODE, 'unit', 'api'],
      omits: SLOW,
      api: 'tests/api/missions/series/series.test.ts',
    },
    {
      file: 'server/http/routers/series.ts',
      runs: [...CODE, 'unit', 'api'],
      omits: SLOW,
      api: 'tests/api/missions/series/series.test.ts',
    },
    {
      file: 'migrations/Migration20261130000000_first_release.ts',
      runs: [...CODE, 'migration', 'unit', 'api'],
      omits: SLOW,
      unit: 'tests/unit/packages.test.ts',
      api: 'tests/api/schema/named-statements.test.ts',
    },
    {
      file: 'server/schema/reminder.ts',
      runs: [...CODE, 'migration', 'unit', 'api'],
      omits: SLOW,
      api: 'tests/api/schema/named-statements.test.ts',
    },
    {
      file: 'client/src/features/profile/two-step-panel.tsx',
      runs: [...CODE, 'unit', 'ui'],
      omits: SLOW,
      ui: 'tests/ui/two-step.test.ts',
    },
    {
      file: 'client/src/routes/_signed-in/admin/webhooks.tsx',
      runs: [...CODE, 'unit', 'ui'],
      omits: [...SLOW, 'browsers'],
      ui: 'tests/ui/webhooks.test.ts',
    },
    {
      file: 'client/src/features/board/heat-grid.module.css',
      runs: ['format', 'unit', 'ui'],
      omits: ['browsers'],
      unit: 'tests/unit/packages.test.ts',
      ui: 'tests/ui/dashboard.test.ts',
    },
    {
      file: 'bot/buttons.ts',
      runs: [...CODE, 'unit', 'api'],
      omits: SLOW,
      unit: 'tests/unit/bot/buttons.test.ts',
      api: 'tests/discord/availability-buttons.test.ts',
    },
    {
      file: 'shared/pilot-sheet.ts',
      runs: [...CODE, 'unit', 'api'],
      omits: SLOW,
      unit: 'tests/unit/server/availability/spreadsheet/sheet.test.ts',
    },
    { file: 'server/README.md', runs: ['unit'], omits: [], unit: 'tests/unit/docs.test.ts' },
  ])('$file', ({ file, runs, omits, ...nearest }) => {
    const plan = planFor(graph, [file]);
    expect(stepsOf(plan)).toEqual(runs);
    expect(omittedBy(plan)).toEqual(omits);
    for (const suite of SUITES) {
      if (nearest[suite] !== undefined) expect(plan[suite][0]?.replace(/:\d+$/, '')).toBe(nearest[suite]);
    }
  });

  test('a test runs this test, and one that has gone runs nothing', () => {
    expect(planFor(graph, ['tests/unit/env.test.ts']).unit[0]).toBe('tests/unit/env.test.ts');
    expect(planFor(graph, ['tests/ui/webhooks.test.ts']).ui[0]).toMatch(/^tests\/ui\/webhooks\.test\.ts:\d+$/);
    const { types, lint, format, api } = planFor(graph, ['tests/api/orders/gone.test.ts']);
    expect([types, lint, format, api]).toEqual([[], [], [], []]);
  });
});

describe('the time that tests took', () => {
  const file = 'server/orders/rules/backfill.ts';

  test('a slow test is left out, the nearest never', () => {
    const { api, leftOut } = planFor(graph, [file], () => 60);
    expect(api).toEqual(['tests/api/orders/backfill.test.ts']);
    expect(leftOut).toContainEqual(expect.stringMatching(/^\d+ files of API tests that reach it: npm test api$/));
  });

  test('quick ones all run, and nothing is said to be left out', () => {
    const { unit, leftOut } = planFor(graph, ['client/src/features/webhooks/webhooks-page.tsx'], () => 0);
    expect(unit).toEqual(['tests/unit/packages.test.ts', 'tests/unit/rooms.test.ts']);
    expect(leftOut.filter((words) => words.includes('unit tests'))).toEqual([]);
  });
});

describe('the graph of imports', () => {
  test('agrees with the TypeScript compiler, file by file', () => {
    const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile);
    const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
    const sources = graph.files.filter(
      (file) => /^(?:client\/src|server|shared|bot|tests\/api)\/.*\.tsx?$/.test(file) && graph.textOf(file) !== '',
    );
    const sample = sources.filter((_, index) => index % 10 === 0);
    const missing = sample.flatMap((file) => {
      const known = graph.importsOf(file);
      return ts
        .preProcessFile(graph.textOf(file), true, true)
        .importedFiles.map(({ fileName }) => ts.resolveModuleName(fileName, join(ROOT, file), options, ts.sys))
        .flatMap(({ resolvedModule }) => resolvedModule?.resolvedFileName ?? [])
        .map((path) => relative(ROOT, path).replaceAll('\\', '/'))
        .filter((path) => !path.startsWith('node_modules') && !path.startsWith('..') && !known.includes(path))
        .map((path) => `${file} imports ${path}`);
    });
    expect(sample.length).toBeGreaterThan(80);
    expect(missing).toEqual([]);
  });

  test('goes through threads and styles, but not through imports of types', () => {
    expect(graph.importersOf('server/orders/seating/week-worker.ts')).toContain('server/orders/seating/week-solver.ts');
    expect(graph.importersOf('client/src/components/panel.module.css')).toEqual(['client/src/components/panel.tsx']);
    // its pages take only types from the server
    const reached = [...graph.reach(['server/http/routers/app.ts']).keys()];
    expect(graph.importersOf('server/http/routers/app.ts')).toContain('client/src/lib/trpc.ts');
    expect(reached.filter((file) => file.startsWith('client/src/'))).toEqual([]);
  });
});
