/** The lint rules: each must find a planted violation in a temporary project. `rooms.test.ts` tests the order of rooms. */
import { execFile } from 'node:child_process';
import {
  copyFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SERVER_ROOMS } from '#tests/harness/rooms.ts';

type Finding = { code: string; filename: string };

const ROOT = join(import.meta.dirname, '..', '..');
const OXLINT = join(ROOT, 'node_modules', 'oxlint', 'bin', 'oxlint');

/** Files without violations, which the other files import; all are linted together. */
const CLEAN = {
  'shared/limits.ts': 'export const MAX = 1;\n',
  'shared/zod.ts': "export { z } from 'zod';\n",
  'server/platform/env.ts': 'export const port = process.env.PORT;\n',
  'server/http/http.ts': 'export const http = 1;\n',
  'server/time/time.ts':
    "import { MAX } from '#shared/limits.ts';\nimport { addOne } from './sums.ts';\nexport const at = addOne(MAX);\n",
  'server/time/sums.ts': 'export const addOne = (value: number) => value + 1;\n',
  'server/schema/orm.ts': "import { at } from '#server/time/time.ts';\nexport const orm = at;\n",
  'server/orders/rules/rsvp.ts': "import { at } from '#server/time/time.ts';\nexport const rsvp = at;\n",
  'server/orders/inbox.ts': "import { orm } from '#server/schema/orm.ts';\nexport const inbox = orm;\n",
  'server/http/routers/app.ts':
    "import { inbox } from '#server/orders/inbox.ts';\nexport const app = inbox;\nexport type App = typeof app;\n",
  'server/http/rest/read-operations.ts':
    "import { app } from '#server/http/routers/app.ts';\nexport const table = app;\n",
  'client/src/lib/trpc.ts':
    "import { type App } from '#server/http/routers/app.ts';\nexport const trpc = (app: App): App => app;\n",
  'client/src/components/panel.tsx': 'export const Panel = () => <p>Fox two</p>;\n',
  'client/src/features/inbox/inbox-page.tsx':
    "import { Panel } from '#client/components/panel.tsx';\nexport const InboxPage = () => <Panel />;\n",
  'client/src/routes/_signed-in.tsx':
    "import { InboxPage } from '#client/features/inbox/inbox-page.tsx';\nexport const Route = InboxPage;\n",
  'client/vite.config.ts': 'export default {};\n',
};

const IMPORTS = 'eslint(no-restricted-imports)';
const GLOBALS = 'eslint(no-restricted-globals)';
const PROPERTIES = 'eslint(no-restricted-properties)';

/** Rooms that may know HTTP. */
const DOORS: ReadonlySet<string> = new Set(['cli', 'http', 'jobs']);

/** The rule, the file and source that break it, and the finding that lint must report. */
const VIOLATIONS: [rule: string, file: string, source: string, finding: string][] = [
  ['shared imports no server', 'shared/a.ts', importing('http', '#server/http/http.ts'), IMPORTS],
  ['shared imports no builtin', 'shared/b.ts', importing('deepEqual', 'node:assert'), IMPORTS],
  ['shared imports no package', 'shared/c.ts', importing('zod', 'zodiac'), IMPORTS],
  ['shared takes zod by its own module', 'shared/d.ts', importing('z', 'zod'), IMPORTS],
  ['rules import no database', 'server/orders/rules/a.ts', importing('orm', '#server/schema/orm.ts'), IMPORTS],
  ['rules import no package', 'server/orders/rules/b.ts', importing('z', 'zod'), IMPORTS],
  ['rules import no builtin', 'server/orders/rules/c.ts', importing('readFileSync', 'node:fs'), IMPORTS],
  ['rules read no clock', 'server/orders/rules/d.ts', 'export const now = () => Date.now();\n', PROPERTIES],
  ['the calendar reads no clock', 'server/time/e.ts', 'export const now = () => Temporal.Now;\n', PROPERTIES],
  ['rules have no randomness', 'server/orders/rules/f.ts', 'export const roll = () => Math.random();\n', PROPERTIES],
  ['rules read no process', 'server/orders/rules/g.ts', 'export const id = process.pid;\n', GLOBALS],
  ['rules do no IO', 'server/time/h.ts', "export const get = () => fetch('https://a.example');\n", GLOBALS],
  ['rooms know no tRPC', 'server/schema/c.ts', importing('TRPCError', '@trpc/server'), IMPORTS],
  ...SERVER_ROOMS.flat()
    .filter((room) => !DOORS.has(room))
    .map((room): [string, string, string, string] => [
      `${room} knows no HTTP`,
      `server/${room}/http.ts`,
      importing('Router', 'express'),
      IMPORTS,
    ]),
  [
    'routers import no REST',
    'server/http/routers/a.ts',
    importing('table', '#server/http/rest/read-operations.ts'),
    IMPORTS,
  ],
  ['routers make no queries', 'server/http/routers/b.ts', importing('orm', '#server/schema/orm.ts'), IMPORTS],
  ['the server imports no client', 'server/http/rest/a.ts', importing('trpc', '#client/lib/trpc.ts'), IMPORTS],
  ['the client takes zod by the shared module', 'client/src/b.ts', importing('z', 'zod'), IMPORTS],
  ['lib takes zod by the shared module', 'client/src/lib/e.ts', importing('z', 'zod'), IMPORTS],
  ['features take zod by the shared module', 'client/src/features/inbox/a.ts', importing('z', 'zod'), IMPORTS],
  ['the client imports no server values', 'client/src/a.ts', importing('app', '#server/http/routers/app.ts'), IMPORTS],
  ['lib imports no server values', 'client/src/lib/a.ts', importing('app', '#server/http/routers/app.ts'), IMPORTS],
  ['forms are held by useServerForm', 'client/src/features/inbox/f.ts', importing('useForm', '@mantine/form'), IMPORTS],
  ['the client has no Temporal', 'client/src/lib/b.ts', 'export const now = () => Temporal.Now.instant();\n', GLOBALS],
  [
    'the client does not call alert',
    'client/src/lib/c.ts',
    "export const warn = () => window.alert('Bandit');\n",
    'eslint(no-alert)',
  ],
  ['the client asks with no confirm box', 'client/src/lib/d.ts', "export const ask = () => confirm('?');\n", GLOBALS],
  ['the bot imports no server values', 'bot/a.ts', importing('orm', '#server/schema/orm.ts'), IMPORTS],
  [
    'only server/platform/env.ts reads the environment',
    'server/orders/d.ts',
    'export const home = process.env.HOME;\n',
    'node(no-process-env)',
  ],
  [
    'imports do not use parent folders',
    'server/orders/e.ts',
    importing('orm', '../schema/orm.ts'),
    'import(no-relative-parent-imports)',
  ],
  ['nothing is exported by default', 'server/orders/f.ts', 'export default 1;\n', 'import(no-default-export)'],
  [
    'imports are not circular',
    'server/orders/g.ts',
    "import { h } from './h.ts';\nexport const g = () => h;\n",
    'import(no-cycle)',
  ],
  [
    'imports are not circular through an alias',
    'server/orders/h.ts',
    "import { g } from '#server/orders/g.ts';\nexport const h = () => g;\n",
    'import(no-cycle)',
  ],
  [
    'promises are awaited or handled',
    'server/orders/i.ts',
    'async function save(): Promise<void> {}\nexport function keep(): void {\n  save();\n}\n',
    'typescript(no-floating-promises)',
  ],
  [
    'a promise is not used as a condition',
    'server/orders/j.ts',
    'async function can(): Promise<boolean> {\n  return true;\n}\nexport const may = () => (can() ? 1 : 2);\n',
    'typescript(no-misused-promises)',
  ],
  [
    'a switch over a union covers every case',
    'server/orders/k.ts',
    "export function say(side: 'blue' | 'red'): string {\n  switch (side) {\n    case 'blue':\n      return 'Blue';\n  }\n  return '';\n}\n",
    'typescript(switch-exhaustiveness-check)',
  ],
  [
    'the type any is not used',
    'server/orders/l.ts',
    'export const all = (one: any): unknown => one;\n',
    'typescript(no-explicit-any)',
  ],
  [
    'non-null assertions are not used',
    'server/orders/m.ts',
    'export const first = (list: number[]) => list[0]!;\n',
    'typescript(no-non-null-assertion)',
  ],
  [
    'types are imported as types',
    'server/orders/n.ts',
    "import { App } from '#server/http/routers/app-type.ts';\nexport const same = (app: App): App => app;\n",
    'typescript(consistent-type-imports)',
  ],
  ['file names are kebab-case', 'server/orders/someNoun.ts', 'export const one = 1;\n', 'unicorn(filename-case)'],
  ['a file ends before line 400', 'server/orders/o.ts', 'export {};\n'.repeat(401), 'eslint(max-lines)'],
  [
    'hooks are called unconditionally',
    'client/src/components/b.tsx',
    "import { useState } from 'react';\nexport function Lamp({ on }: { on: boolean }) {\n  if (on) useState(0);\n  return null;\n}\n",
    'react(hooks)',
  ],
  [
    'images have alternative text',
    'client/src/components/c.tsx',
    'export const Logo = () => <img src="a.png" />;\n',
    'jsx-a11y(alt-text)',
  ],
];

let project: string;
let findings: Finding[];

beforeAll(async () => {
  project = realpathSync(mkdtempSync(join(tmpdir(), 'marshal-lint-')));
  const { imports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { imports: unknown };
  const options = JSON.parse(readFileSync(join(ROOT, 'tsconfig.json'), 'utf8')) as Record<string, unknown>;
  symlinkSync(join(ROOT, 'node_modules'), join(project, 'node_modules'), 'junction');
  plant('package.json', JSON.stringify({ type: 'module', imports }));
  plant('tsconfig.json', JSON.stringify({ ...options, include: ['**/*'], exclude: ['node_modules'] }));
  for (const [file, source] of Object.entries(CLEAN)) plant(file, source);
  for (const [, file, source] of VIOLATIONS) plant(file, source);
  copyFileSync(join(ROOT, '.oxlintrc.json'), join(project, '.oxlintrc.json'));
  findings = await lint();
});

afterAll(() => {
  // Removes the link first, to keep the packages that it points to.
  unlinkSync(join(project, 'node_modules'));
  rmSync(project, { recursive: true, force: true });
});

function importing(name: string, from: string): string {
  return `import { ${name} } from '${from}';\nexport const used = () => ${name};\n`;
}

function plant(file: string, source: string): void {
  mkdirSync(dirname(join(project, file)), { recursive: true });
  writeFileSync(join(project, file), source);
}

function lint(): Promise<Finding[]> {
  const args = [OXLINT, '--config', '.oxlintrc.json', '--format', 'json', 'shared', 'server', 'client', 'bot'];
  return new Promise((resolve, reject) => {
    // The exit code is 1 because of the findings, which are in the output.
    execFile(process.execPath, args, { cwd: project, maxBuffer: 1e8 }, (_error, stdout, stderr) => {
      try {
        resolve((JSON.parse(stdout) as { diagnostics: Finding[] }).diagnostics);
      } catch {
        reject(new Error(`oxlint said: ${stdout}${stderr}`));
      }
    });
  });
}

function foundIn(file: string): string[] {
  return findings.filter(({ filename }) => filename.replaceAll('\\', '/') === file).map(({ code }) => code);
}

test.each(VIOLATIONS)('%s', (_rule, file, _source, finding) => {
  expect(foundIn(file)).toContain(finding);
});

describe('rules never call `new Date()` without arguments, which lint cannot tell from `new Date(ms)`', () => {
  const ASKING = /\bnew Date\(\s*\)/;
  const files = globSync('server/{**/rules,time}/**/*.ts', { cwd: ROOT });

  test('finds a file that does', () => expect('const now = new Date().getTime();').toMatch(ASKING));
  test('reads all rule files', () => expect(files.length).toBeGreaterThan(50));
  test.each(files)('%s', (file) => {
    expect(readFileSync(join(ROOT, file), 'utf8')).not.toMatch(ASKING);
  });
});

describe('a file that follows the rules has no violation', () => {
  test.each(Object.keys(CLEAN))('%s', (file) => expect(foundIn(file)).toEqual([]));
});
