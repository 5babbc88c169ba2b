/** The order of rooms: all imports of the server and the client go down the list, and planted violations are found. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { importsOf, judgeImport, CLIENT_ROOMS, SERVER_ROOMS } from '#tests/harness/rooms.ts';

const ROOT = join(import.meta.dirname, '..', '..');

const files = globSync('{server,client/src}/**/*.{ts,tsx,js}', {
  cwd: ROOT,
  exclude: (path) => path.endsWith('node_modules'),
})
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => !file.endsWith('.gen.ts'));

test('every import goes down the list of rooms', () => {
  expect(files.length).toBeGreaterThan(500);
  const broken = files.flatMap((file) =>
    importsOf(file, readFileSync(join(ROOT, file), 'utf8')).flatMap((target) => {
      const why = judgeImport(file, target);
      return why === null ? [] : [`${file} imports ${target}: ${why}`];
    }),
  );
  expect(broken).toEqual([]);
});

test('every folder is a room in the list', () => {
  const folders = (path: string) =>
    globSync('*/', { cwd: join(ROOT, path) }).map((folder) => folder.replaceAll('\\', '/').replace(/\/$/, ''));
  const listed = new Set<string>([...SERVER_ROOMS.flat(), ...CLIENT_ROOMS.flat()]);
  const unlisted = [...folders('server'), ...folders('client/src')].filter((folder) => !listed.has(folder));
  // the service worker is a separate program
  expect(unlisted).toEqual(['sw']);
});

describe('a planted violation is found', () => {
  test.each([
    [
      'server/orders/seats/a.ts',
      "import { b } from '#server/orders/b.ts';",
      'server/orders/seats/a.ts stands below server/orders/b.ts',
    ],
    [
      'server/orders/a.ts',
      "import type { B } from '#server/http/context.ts';",
      'server/orders stands below server/http',
    ],
    [
      'server/platform/a.ts',
      "const b = await import('#server/accounts/b.ts');",
      'server/platform stands below server/accounts',
    ],
    ['server/orders/rules/a.ts', "import { b } from '#server/orders/inbox.ts';", 'rules import other rules only'],
    [
      'server/missions/mission-file/rules/a.ts',
      "import { b } from '#server/missions/mission-file/archive.ts';",
      'rules import other rules only',
    ],
    ['server/time/a.ts', "import { b } from '#server/schema/orm.ts';", 'server/time stands below server/schema'],
    ['server/attic/a.ts', "import { b } from '#server/time/b.ts';", 'server/attic is in no list of rooms'],
    ['client/src/lib/a.ts', "import { B } from '#client/components/b.tsx';", 'lib stands below components'],
    [
      'client/src/components/a.tsx',
      "import { B } from '#client/domain-ui/b.tsx';",
      'components stands below domain-ui',
    ],
    [
      'client/src/features/audit/a.tsx',
      "import { B } from '#client/features/board/b.tsx';",
      'features meet in a route: audit imports board',
    ],
    [
      'client/src/features/order/a.tsx',
      "import { B } from '#client/features/home/b.tsx';",
      'features/order stands below features/home',
    ],
    [
      'client/src/features/missions/seats/a.tsx',
      "import { B } from '#client/features/missions/day/b.tsx';",
      'features/missions/seats stands below features/missions/day',
    ],
    [
      'client/src/features/audit/a.tsx',
      "import { Route } from '#client/routes/login.tsx';",
      'features stands below routes',
    ],
  ])('%s: %s', (file, source, why) => {
    const [target = ''] = importsOf(file, source);
    expect(judgeImport(file, target)).toBe(why);
  });

  test.each([
    ['server/orders/a.ts', "import { b } from './b.ts';"],
    ['server/orders/a.ts', "import { b } from '#server/orders/seats/rules/b.ts';"],
    ['server/orders/rules/a.ts', "import { b } from '#server/time/b.ts';"],
    ['server/orders/a.ts', "import { b } from '#shared/limits.ts';"],
    ['client/src/features/home/a.tsx', "import { B } from '#client/features/order/b.tsx';"],
    ['client/src/routes/index.tsx', "import { B } from '#client/features/home/b.tsx';"],
  ])('%s: %s is allowed', (file, source) => {
    const [target = ''] = importsOf(file, source);
    expect(judgeImport(file, target)).toBeNull();
  });
});
