/** Statements are typed by the query builder. The raw ones that are left are counted, and their number only falls. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');

/** Raw statements by room, outside `*.queries.ts`. Lower a number when you convert one; a room without any is not listed. */
const LEFT = { discord: 1 };

/** Calls of `query(em, sql…)`, which asserts its rows by hand. */
const countRaw = (source: string) => source.match(/\bquery(<[^(]*>)?\(\s*\w+,/g)?.length ?? 0;

test('raw statements are left only where they are counted', () => {
  const files = globSync('server/**/*.ts', { cwd: ROOT, exclude: (path) => path.endsWith('node_modules') })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !file.endsWith('.queries.ts') && file !== 'server/schema/query.ts');
  expect(files.length).toBeGreaterThan(200);
  const found: Record<string, number> = {};
  for (const file of files) {
    const count = countRaw(readFileSync(join(ROOT, file), 'utf8'));
    const room = file.split('/')[1] ?? '';
    if (count > 0) found[room] = (found[room] ?? 0) + count;
  }
  expect(found).toEqual(LEFT);
});

test('a planted statement is counted', () => {
  expect(countRaw('const rows = await query<{ id: string }>(\n  em,\n  sql`select 1`,\n);')).toBe(1);
  expect(countRaw('await query(tx, sql`select 1`);')).toBe(1);
  expect(countRaw("procedure.query(({ ctx }) => list(ctx.em));\nawait db(em).selectFrom('mission').execute();")).toBe(
    0,
  );
});

test('a queries file says in its first lines why it is raw', () => {
  const files = globSync('server/**/*.queries.ts', { cwd: ROOT });
  expect(files.length).toBeGreaterThan(0);
  for (const file of files) expect(readFileSync(join(ROOT, file), 'utf8'), file).toMatch(/^\/\*\*/);
});
