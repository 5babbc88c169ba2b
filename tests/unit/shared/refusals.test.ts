/** The list of error codes: every code is used. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { refusalCode, REFUSALS } from '#shared/refusals.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');

/** Codes that stand in none of these sources as a string of their own. */
function unusedIn(sources: readonly string[], codes: readonly string[]): string[] {
  return codes.filter((code) => !sources.some((source) => source.includes(`'${code}'`)));
}

test('every code is used by a refusal of the server', () => {
  const files = globSync('server/**/*.ts', { cwd: ROOT });
  // the list of outcomes reads codes, and throws none
  const sources = files
    .filter((file) => file !== join('server', 'rest', 'discord-sign-in.ts'))
    .map((file) => readFileSync(join(ROOT, file), 'utf8'));
  expect(sources.length).toBeGreaterThan(100);
  expect(unusedIn(sources, refusalCode.options)).toEqual([]);
  expect(unusedIn(sources, ['PLANTED', 'NOT_FOUND'])).toEqual(['PLANTED']);
});

test('every code has a status of a refusal and a meaning', () => {
  for (const [status, meaning] of Object.values(REFUSALS)) {
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(600);
    expect(meaning).toMatch(/^[A-Z].*\.$/);
  }
});
