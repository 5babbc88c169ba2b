/**
 * `npm run docs` writes the generated parts of the READMEs and the list of operations; `npm run docs -- pictures` takes the pictures of
 * the README. `tests/unit/docs.test.ts` fails if one is out of date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GENERATED_PARTS, OPERATIONS_FILE, withPart, writeOperations } from './generated-docs.ts';

const ROOT = join(import.meta.dirname, '..', '..');

if (process.argv.includes('pictures')) await import('#tests/pictures.ts');

for (const part of GENERATED_PARTS) {
  const path = join(ROOT, part.file);
  const text = readFileSync(path, 'utf8');
  const written = await withPart(text, part);
  if (written !== text) console.log(`Wrote "${part.name}" in ${part.file}.`);
  writeFileSync(path, written);
}
writeFileSync(join(ROOT, OPERATIONS_FILE), writeOperations());
