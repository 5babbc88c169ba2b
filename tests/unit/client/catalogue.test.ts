/** The component catalogue has a specimen of every file in `components/` and `domain-ui/`; a planted gap is found. */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const CLIENT = fileURLToPath(new URL('../../../client/', import.meta.url));

const components = globSync('{components,domain-ui}/*.tsx', { cwd: `${CLIENT}src` }).map((file) =>
  file.replaceAll('\\', '/').replace(/\.tsx$/, ''),
);
const catalogue = globSync('catalogue/*.tsx', { cwd: CLIENT })
  .map((file) => readFileSync(CLIENT + file, 'utf8'))
  .join('\n');

/** The files that the catalogue's text has specimens of. */
const listShown = (text: string) => [...text.matchAll(/^ {2}'([\w-]+\/[\w-]+)': \{/gm)].map(([, file]) => file);

const findMissing = (files: readonly string[], text: string) => {
  const shown = new Set(listShown(text));
  return files.filter((file) => !shown.has(file));
};

test('the catalogue contains every component and nothing else', () => {
  expect(components.length).toBeGreaterThan(40);
  expect(findMissing(components, catalogue)).toEqual([]);
  expect(new Set(listShown(catalogue))).toEqual(new Set(components));
});

test('a component without a specimen is found', () => {
  expect(findMissing([...components, 'components/planted'], catalogue)).toEqual(['components/planted']);
  expect(findMissing(components, catalogue.replace("'components/panel': {", "'components/panels': {"))).toEqual([
    'components/panel',
  ]);
});
