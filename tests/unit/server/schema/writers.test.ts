/** Each table is written by one of two: the ORM, whose aggregates are saved as a whole, or the query builder. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { aggregates, entities } from '#server/schema/entities.ts';
import { connect } from '#server/schema/orm.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');

/** Statements that change many aggregates at once, each in a column or a sheet of its own. */
const IN_SETS: Readonly<Record<string, string>> = {
  'server/accounts/look-alikes.ts': 'the looks of call signs, which only this statement writes',
  'server/availability/spreadsheet/store-pilots.ts': 'thousands of pilots of a sheet, in a fixed number of statements',
  'server/discord/guilds/member-sync.ts': 'the names of all members of a server, from its report',
};

// never connects: the driver does so with the first query, and there is none
const orm = await connect('postgresql://localhost/none');
afterAll(() => orm.close(true));
const metas = [...orm.getMetadata().getAll().values()].filter(({ class: one }) => entities.some((own) => own === one));
const saved = metas.filter(({ class: one }) => aggregates.has(one));
const inSets = metas.filter(({ class: one }) => !aggregates.has(one));

const anyOf = (names: readonly string[]): string => `(?:${names.join('|')})`;
const tables = anyOf(saved.map(({ tableName }) => tableName));
const classes = anyOf(inSets.map(({ className }) => className));
const BUILT = new RegExp(String.raw`\b(?:updateTable|insertInto|deleteFrom|mergeInto)\(\s*['"\`]${tables}\b`, 'g');
const TEXT = new RegExp(
  String.raw`\b(?:update\s+"?${tables}"?\s+(?:as\s+\w+\s+)?set|(?:insert\s+into|delete\s+from|merge\s+into)\s+"?${tables})\b`,
  'gi',
);
const BY_ORM = new RegExp(
  String.raw`\.(?:create|assign|persist|remove|native\w+|insert|insertMany|upsert|upsertMany)\(\s*${classes}\b`,
  'g',
);
const countWrites = (source: string): number =>
  [BUILT, TEXT, BY_ORM].reduce((sum, pattern) => sum + [...source.matchAll(pattern)].length, 0);

test('no table is written by both', () => {
  expect([saved.length, inSets.length]).toEqual([aggregates.size, entities.length - aggregates.size]);
  const files = globSync(['server/**/*.ts', 'bot/**/*.ts'], {
    cwd: ROOT,
    exclude: (path) => path.endsWith('node_modules'),
  });
  const writing = files.filter((file) => countWrites(readFileSync(join(ROOT, file), 'utf8')) > 0);
  expect(writing.toSorted()).toEqual(Object.keys(IN_SETS).toSorted());
});

test('the ORM leaves the others alone, whatever is changed in their entities', () => {
  expect(metas.filter(({ readonly }) => readonly).map(({ className }) => className)).toEqual(
    inSets.map(({ className }) => className),
  );
});

test.each([
  ["db(tx)\n  .updateTable('mission as m')\n  .set({ name })"],
  ["db(tx).deleteFrom('app_user')"],
  ['sql`update flight set notes = null`'],
  ['sql`delete\n from "ban"`'],
  ['tx.create(Guild, { id })'],
  ['await tx.nativeUpdate(\n  Session,\n  { id },'],
])('a planted write is found: %s', (source) => {
  expect(countWrites(source)).toBe(1);
});

test('what only reads, and what the other one writes, is no such write', () => {
  const source = "db(tx).selectFrom('mission'); db(tx).updateTable('guild'); em.find(Guild, {}); tx.create(User, {})";
  expect(countWrites(source)).toBe(0);
});
