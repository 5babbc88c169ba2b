/** The version of a release stands in package.json; its other places have to say the same. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const { version, repository } = JSON.parse(read('package.json')) as { version: string; repository: string };

test('the newest version of the changelog, the label of the image and the supported version are that of package.json', () => {
  expect({
    changelog: /^## \[(\d[^\]]*)\] - \d{4}-\d\d-\d\d$/m.exec(read('CHANGELOG.md'))?.[1],
    image: /org\.opencontainers\.image\.version="([^"]+)"/.exec(read('docker/Dockerfile'))?.[1],
    supported: /newest release gets fixes, which is (\S+),/.exec(read('.github/SECURITY.md'))?.[1],
  }).toEqual({ changelog: version, image: version, supported: version });
});

test('the compose files name the images that a release publishes', () => {
  const image = `ghcr.io/${repository.replace(/^github:/, '')}`;
  const named = (file: string) =>
    [...read(file).matchAll(/^ +image: (.*)$/gm)].flatMap(([, name = '']) =>
      name.startsWith('ghcr.io') ? [name] : [],
    );
  expect(new Set(named('docker/compose.yaml'))).toEqual(new Set([`${image}:${version}`]));
  expect(new Set(named('docker/compose.scale.yaml'))).toEqual(
    new Set([`${image}:${version}`, `${image}-postgres:${version}`]),
  );
  const workflow = read('.github/workflows/release.yml');
  expect(repository).toMatch(/^github:[a-z\d-]+\/marshal$/);
  // the workflow knows its own repository, refuses another one, and publishes these tags
  expect([...workflow.matchAll(/IMAGE=(\S+)"/g)].map(([, name]) => name)).toEqual([
    'ghcr.io/${GITHUB_REPOSITORY,,}',
    'ghcr.io/${GITHUB_REPOSITORY,,}-postgres',
  ]);
  expect(workflow).toContain(
    `test "github:\${GITHUB_REPOSITORY,,}" = "$(node -p 'require("./package.json").repository')"`,
  );
  expect(workflow.match(/type=semver,pattern=\{\{version\}\}/g)).toHaveLength(2);
});

/** SHA-256 of each migration that a release has: databases have run it, so that a change would reach none of them. */
const RELEASED = {
  'Migration20261130000000_first_release.ts': '4a5d6bf3626b6fa84650837fac890f6951be47b9b9c1d45be941f8ebc12843f8',
};

test('a released migration never changes', () => {
  const digest = (name: string) =>
    createHash('sha256')
      .update(read(join('migrations', name)))
      .digest('hex');
  expect(Object.fromEntries(Object.keys(RELEASED).map((name) => [name, digest(name)]))).toEqual(RELEASED);
});
