/** The documents: every path and link in them exists, every room has an entry, and the generated parts are up to date. */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path/posix';
import { describe, expect, test } from 'vitest';
import { GENERATED_PARTS, withPart } from '#server/cli/generated-docs.ts';
import { CLIENT_ROOMS, SERVER_LAYERS, SERVER_ROOMS } from '#tests/harness/rooms.ts';

const ROOT = join(import.meta.dirname.replaceAll('\\', '/'), '..', '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** Paths that are not in the repository, because the build creates them. */
const BUILT = new Set(['client/dist']);

const documents = globSync(['*.md', '.github/*.md', '{bot,client,docker,migrations,server,shared,tests}/**/*.md'], {
  cwd: ROOT,
  exclude: (path) => path.endsWith('node_modules'),
}).map((path) => path.replaceAll('\\', '/'));

/** The anchors that GitHub gives to headings. */
const anchorsOf = (text: string) =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

/** Paths from the project's root in code spans, alone or within a command. Patterns and placeholders do not count. */
function pathsIn(text: string): string[] {
  const prose = text.replaceAll(/^```.*?^```/gms, '');
  return [...prose.matchAll(/`([^`\n]+)`/g)]
    .flatMap(([, code = '']) => code.split(/\s+/))
    .filter((word) => /^(\.ci|\.github|bot|client|docker|migrations|server|shared|tests)\/[^<>*{}…]*$/.test(word));
}

/** Paths, links and anchors in a document that do not exist. */
function missingIn(file: string, text: string): string[] {
  const paths = pathsIn(text).filter((path) => !BUILT.has(path) && !existsSync(join(ROOT, path)));
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => {
      if (/^https?:/.test(target)) return false;
      const [path = '', anchor] = target.split('#');
      const found = path === '' ? file : normalize(join(dirname(file), path));
      if (!existsSync(join(ROOT, found))) return true;
      return anchor !== undefined && !anchorsOf(found === file ? text : read(found)).includes(anchor);
    });
  return [...paths, ...links];
}

test('the README for users is short', () => {
  expect(Buffer.byteLength(read('README.md'))).toBeLessThan(8_000);
});

/** Days that the pictures of the README may be older than the newest change of a screen. */
const PICTURE_DAYS = 3;

/** @returns seconds since 1970 of the newest change below these paths: now, where one is not committed yet */
function changedAt(paths: readonly string[]): number {
  const git = (...args: string[]) => execFileSync('git', [...args, '--', ...paths], { cwd: ROOT, encoding: 'utf8' });
  return git('status', '--porcelain') === '' ? Number(git('log', '-1', '--format=%ct')) : Date.now() / 1_000;
}

describe('the pictures of the README', () => {
  const pictures = [...read('README.md').matchAll(/\]\((\.github\/[\w-]+\.png)\)/g)].map(([, path = '']) => path);

  test('are found', () => expect(pictures.length).toBeGreaterThan(5));
  // an archive of the sources has no history to compare
  test.runIf(existsSync(join(ROOT, '.git'))).each(pictures)('%s shows what the client is now', (picture) => {
    const days = (changedAt(['client/src']) - changedAt([picture])) / 86_400;
    expect(days, 'take them again with `npm run docs -- pictures`').toBeLessThan(PICTURE_DAYS);
  });
});

describe('paths and links', () => {
  test('finds documents and references', () => {
    expect(documents).toEqual(expect.arrayContaining(['README.md', '.github/CONTRIBUTING.md', 'server/README.md']));
    expect(pathsIn(read('.github/CONTRIBUTING.md')).length).toBeGreaterThan(100);
  });

  test.each(documents)('everything that %s refers to exists', (file) =>
    expect(missingIn(file, read(file))).toEqual([]),
  );

  test('a wrong path, link and anchor are found', () => {
    const planted = [
      'See `server/attic/one.ts`, `server/main.ts` and `vitest run tests/attic/two.test.ts -t "x"`, but not `server/<room>/`.',
      '[gone](gone.md) [here](../README.md) [no such part](../docker/README.md#attic) [settings](../docker/README.md#settings)',
    ].join('\n');
    expect(missingIn('server/README.md', planted)).toEqual([
      'server/attic/one.ts',
      'tests/attic/two.test.ts',
      'gone.md',
      '../docker/README.md#attic',
    ]);
  });
});

describe('the rooms of the server', () => {
  /** Rooms of the tables in a README, one table for each layer. */
  const listed = (text: string) =>
    text
      .split('\n### ')
      .slice(1)
      .map((layer) => [...layer.matchAll(/^\| \[`([\w-]+)`\]\(\1\/README\.md\) \|/gm)].map(([, room]) => room));

  test('stand in the tables of its README, in their order', () =>
    expect(listed(read('server/README.md'))).toEqual(Object.values(SERVER_LAYERS).map((layer) => layer.flat())));

  test.each(SERVER_ROOMS.flat())('%s says where to start', (room) =>
    expect(read(`server/${room}/README.md`)).toMatch(/^\| to change \| start in \|$/m),
  );
});

describe('the rooms of the client', () => {
  /** Rooms without an entry that states their content, their imports and where to start. */
  const undescribed = (text: string, rooms: readonly string[]) =>
    rooms.filter((room) => {
      const [, entry = ''] = text.split(`\n### \`${room}/\`\n`);
      const [own = ''] = entry.split('\n#');
      return !['**Holds**', '**May import**', '**Start here**'].every((part) => own.includes(`\n- ${part} `));
    });

  test('have an entry', () => expect(undescribed(read('client/README.md'), CLIENT_ROOMS.flat())).toEqual([]));

  test('a room without an entry is found', () => {
    expect(undescribed(read('client/README.md'), ['lib', 'attic'])).toEqual(['attic']);
  });
});

describe('the generated parts', () => {
  test.each(GENERATED_PARTS)('$name in $file is what `npm run docs` writes', async (part) => {
    const text = read(part.file);
    expect(await withPart(text, part)).toBe(text);
  });

  test.each(GENERATED_PARTS)('$name: a missing row is found', async (part) => {
    const text = read(part.file);
    const rows = text.slice(text.indexOf(`<!-- generated: ${part.name} -->`)).split('\n');
    const planted = text.replace(`${rows.at(8)}\n`, '');
    expect(planted).not.toBe(text);
    expect(await withPart(planted, part)).toBe(text);
  });

  test('a file without the markers is refused', async () => {
    const part = { name: 'attic', file: 'server/README.md', write: () => '' };
    await expect(withPart('text', part)).rejects.toThrow('server/README.md lacks the markers of "attic".');
  });
});
