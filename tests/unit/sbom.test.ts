/** The software bill of materials (SBOM) of a release. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '#server/cli/programs.js';

const read = (name: string) => JSON.parse(readFileSync(join(ROOT, name), 'utf8'));

test('lists every package of a start with its version, those in the client too, and no development tools', () => {
  const { dependencies, devDependencies, optionalDependencies, name, version } = read('package.json');
  const args = [join('server', 'cli', 'go.js'), 'server/cli/sbom.js'];
  const bill = JSON.parse(execFileSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' }));
  const found = new Set(bill.components.map((part: { purl: string }) => decodeURIComponent(part.purl)));
  expect(bill).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name, version } } });
  const purls = (packages: Record<string, string>) =>
    Object.entries(packages).map((pair) => `pkg:npm/${pair.join('@')}`);
  expect(purls({ ...dependencies, ...optionalDependencies }).filter((purl) => !found.has(purl))).toEqual([]);
  const tools = ['vitest', 'knip', 'oxlint', '@playwright/test'].map((tool) => [tool, devDependencies[tool]]);
  expect(purls(Object.fromEntries(tools)).filter((purl) => found.has(purl))).toEqual([]);
});
