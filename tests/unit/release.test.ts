/** The version of a release stands in package.json; its other places have to say the same. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const { version } = JSON.parse(read('package.json')) as { version: string };

test('the newest version of the changelog, the label of the image and the supported version are that of package.json', () => {
  expect({
    changelog: /^## \[(\d[^\]]*)\] - \d{4}-\d\d-\d\d$/m.exec(read('CHANGELOG.md'))?.[1],
    image: /org\.opencontainers\.image\.version="([^"]+)"/.exec(read('docker/Dockerfile'))?.[1],
    supported: /newest release gets fixes, which is (\S+),/.exec(read('.github/SECURITY.md'))?.[1],
  }).toEqual({ changelog: version, image: version, supported: version });
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
