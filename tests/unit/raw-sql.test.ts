/** Raw SQL statements are only in `*.queries.ts`, each file with its reason; all others use the query builder. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');

/** The number of calls of `query(em, sql…)`, whose row types the compiler does not check. */
const countRaw = (source: string) => source.match(/\bquery(<[^(]*>)?\(\s*\w+,/g)?.length ?? 0;

test('raw statements are only in queries files', () => {
  const files = globSync('server/**/*.ts', { cwd: ROOT, exclude: (path) => path.endsWith('node_modules') })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !file.endsWith('.queries.ts') && file !== 'server/schema/query.ts');
  expect(files.length).toBeGreaterThan(200);
  expect(files.filter((file) => countRaw(readFileSync(join(ROOT, file), 'utf8')) > 0)).toEqual([]);
});

test('a planted statement is counted', () => {
  expect(countRaw('const rows = await query<{ id: string }>(\n  em,\n  sql`select 1`,\n);')).toBe(1);
  expect(countRaw('await query(tx, sql`select 1`);')).toBe(1);
  expect(countRaw("procedure.query(({ ctx }) => list(ctx.em));\nawait db(em).selectFrom('mission').execute();")).toBe(
    0,
  );
});

test('a queries file begins with the reason for its raw SQL', () => {
  const files = globSync('server/**/*.queries.ts', { cwd: ROOT });
  expect(files.length).toBeGreaterThan(0);
  for (const file of files) expect(readFileSync(join(ROOT, file), 'utf8'), file).toMatch(/^\/\*\*/);
});
