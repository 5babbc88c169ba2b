/** The declarations of columns about people: complete enough for the download and the erasure of an account to follow them. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ReferenceKind } from '@mikro-orm/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { declaredColumns, isOwn, isOwner, type DeclaredColumn } from '#server/schema/personal.ts';
import { connect } from '#server/schema/orm.ts';

let orm: Awaited<ReturnType<typeof connect>>;
let columns: DeclaredColumn[];
beforeAll(async () => {
  // never connects: there is no query
  orm = await connect('postgresql://localhost/none');
  columns = declaredColumns(orm.em.fork());
});
afterAll(() => orm.close());

test('every text and JSON column has a declaration', () => {
  const declared = new Set(columns.map(({ table, column }) => `${table}.${column}`));
  const texts = [...orm.getMetadata().getAll().values()].flatMap(({ tableName, props }) =>
    props
      .filter(
        ({ kind, columnTypes }) => kind === ReferenceKind.SCALAR && /^(text|varchar|json)/.test(columnTypes[0] ?? ''),
      )
      .map(({ fieldNames }) => `${tableName}.${fieldNames[0]}`),
  );
  expect(texts.length).toBeGreaterThan(150);
  expect(texts.filter((name) => !declared.has(name))).toEqual([]);
});

test('entities take the builders of columns that ask for a declaration', () => {
  const folder = join(import.meta.dirname, '..', '..', '..', '..', 'server', 'schema');
  const others = globSync('*.ts', { cwd: folder })
    .filter((file) => file !== 'columns.ts' && file !== 'base.ts')
    .filter((file) =>
      /import \{[^}]*\bp\b[^}]*\} from '@mikro-orm\/core'/.test(readFileSync(join(folder, file), 'utf8')),
    );
  expect(others).toEqual([]);
});

test('what is an account’s own is in its row, or in a row that says whose it is', () => {
  const owned = new Set(columns.filter(isOwner).map(({ table }) => table));
  const ownerless = columns.filter(isOwn).filter(({ table }) => table !== 'app_user' && !owned.has(table));
  expect(ownerless.map(({ table, column }) => `${table}.${column}`)).toEqual([]);
});

test('what is an account’s own says what is left in the row that stays', () => {
  const without = columns
    .filter(isOwn)
    .filter(({ table, isNullable, personal }) => table === 'app_user' && !isNullable && personal.erased === undefined);
  expect(without.map(({ column }) => column)).toEqual([]);
});
