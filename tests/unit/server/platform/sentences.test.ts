/** A throw does not repeat the sentence of its code. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AppError } from '#server/platform/errors.ts';
import { SENTENCES } from '#server/platform/sentences.ts';
import { copy } from '#shared/copy.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');

const sentences: Readonly<Record<string, unknown>> = { ...copy };

/** Throws that name both a code and the sentence that it has anyway. */
const repeated = (source: string) =>
  [...source.matchAll(/new AppError\(\s*'(\w+)',\s*copy\.(\w+)/g)].flatMap(([, code = '', name = '']) =>
    code in SENTENCES && SENTENCES[code as keyof typeof SENTENCES] === sentences[name] ? [code] : [],
  );

test('no throw repeats the sentence of its code', () => {
  const files = globSync('{server,bot}/**/*.ts', { cwd: ROOT, exclude: (path) => path.endsWith('node_modules') });
  const sources = files.map((file) => readFileSync(join(ROOT, file), 'utf8'));
  expect(sources.filter((source) => source.includes('new AppError(')).length).toBeGreaterThan(80);
  expect(sources.flatMap(repeated)).toEqual([]);
  expect(repeated("throw new AppError('USER_NOT_FOUND', copy.userNotFound, { field: 'id' });")).toEqual([
    'USER_NOT_FOUND',
  ]);
});

test('a refusal has the sentence of its code, or one that says more', () => {
  expect(new AppError('USER_NOT_FOUND').message).toBe(copy.userNotFound);
  expect(new AppError('USER_NOT_FOUND', copy.noAdminYet)).toMatchObject({ message: copy.noAdminYet, status: 404 });
  expect(new AppError('VALIDATION', 'Choose a start.', { field: 'start' })).toMatchObject({
    message: 'Choose a start.',
    field: 'start',
  });
});
