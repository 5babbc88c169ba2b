/** Packages that a start and the tests install: a small project with the same groups of packages, and real npm. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT } from '#server/cli/programs.js';

const TO_START = '{ onlyToStart: true }';
const STARTS = /^Installing the packages of Marshal \(once, usually 45 s\) … \d+ s\n$/;
const ADDS = /^Adding the packages for development and tests \(once, usually 30 s\) … \d+ s\n$/;
const ALL = /^Installing the packages in package-lock\.json \(once, usually a minute\) … \d+ s\n$/;
const isWindows = process.platform === 'win32';

let project: string;

function npm(...args: string[]): void {
  const env = { ...process.env, npm_config_offline: 'true', npm_config_cache: join(project, 'cache') };
  execFileSync('npm', args, { cwd: project, env, stdio: 'ignore', shell: isWindows });
}

/** A packed package, as package.json names it. */
function pack(name: string, more: object = {}): Record<string, string> {
  const folder = join(project, 'sources', name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, version: '1.0.0', ...more }));
  npm('pack', folder);
  return { [name]: `file:${name}-1.0.0.tgz` };
}

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'marshal-install-'));
  for (const name of ['package.json', 'server/cli']) {
    cpSync(join(ROOT, name), join(project, name), {
      recursive: true,
      filter: (path) => !path.slice(ROOT.length).includes('node_modules'),
    });
  }
  const manifest = {
    type: 'module',
    dependencies: pack('runs'),
    optionalDependencies: { ...pack('builds'), ...pack('elsewhere', { os: ['aix'] }) },
    devDependencies: pack('tests'),
  };
  writeFileSync(join(project, 'package.json'), JSON.stringify(manifest));
  npm('install', '--package-lock-only');
}, 60_000);
afterAll(() => rmSync(project, { recursive: true, force: true }));

/** @returns what it printed */
function ensureInstalled(options = ''): string {
  const program = `import('./server/cli/bootstrap.js').then((module) => module.ensureInstalled(${options}))`;
  const env = { ...process.env, npm_config_offline: 'true', npm_config_cache: join(project, 'cache') };
  return execFileSync(process.execPath, ['--eval', program], { cwd: project, env, encoding: 'utf8' });
}

const modules = (name: string) => join(project, 'node_modules', name);
const installed = () => ['runs', 'builds', 'elsewhere', 'tests'].filter((name) => existsSync(modules(name)));

test('a start installs what runs and builds, tests add the rest, and then nothing is missing for either', () => {
  expect(ensureInstalled(TO_START)).toMatch(STARTS);
  expect(installed()).toEqual(['runs', 'builds']);
  expect(ensureInstalled(TO_START)).toBe('');
  const before = statSync(modules('runs')).ino;
  expect(ensureInstalled()).toMatch(ADDS);
  expect(installed()).toEqual(['runs', 'builds', 'tests']);
  expect(statSync(modules('runs')).ino).toBe(before);
  expect(ensureInstalled()).toBe('');
  expect(ensureInstalled(TO_START)).toBe('');
});

test('a start mends what is missing, and leaves the packages for tests to those who have them', () => {
  npm('ci');
  rmSync(modules('builds'), { recursive: true });
  expect(ensureInstalled(TO_START)).toMatch(ALL);
  expect(installed()).toEqual(['runs', 'builds', 'tests']);
});

test('packages that were cut off while they were added are installed from scratch', () => {
  npm('ci', '--omit=dev');
  mkdirSync(modules('tests'));
  writeFileSync(join(modules('tests'), 'package.json'), '{"name":"tests","version":"1.0.0"}');
  writeFileSync(modules('.adding'), '');
  expect(ensureInstalled(TO_START)).toBe('');
  expect(ensureInstalled()).toMatch(ALL);
  expect(existsSync(modules('.adding'))).toBe(false);
});

test('an install that was cut off is done again', () => {
  npm('ci', '--omit=dev');
  rmSync(modules('.package-lock.json'));
  expect(ensureInstalled(TO_START)).toMatch(STARTS);
});
