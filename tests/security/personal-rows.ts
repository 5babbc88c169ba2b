/** Two accounts with a row in every table that has rows of accounts, and what the database holds, as text. */
import { ReferenceKind } from '@mikro-orm/core';
import { randomUUID } from 'node:crypto';
import { declaredColumns, isOwn, isOwner } from '#server/schema/personal.ts';
import { query, sql } from '#server/schema/query.ts';
import type { Service } from '#tests/harness/service.ts';

type Row = Record<string, unknown>;

/** Somebody with an account, and by what rows of other tables are theirs. */
export interface Owner {
  id: string;
  email: string;
  discordUserId: string;
}

export const read = <Found = Row>(
  { app }: Pick<Service, 'app'>,
  statement: Parameters<typeof query<Found>>[1],
): Promise<Found[]> => query<Found>(app.orm.em.fork(), statement);

const columnsOf = ({ app }: Pick<Service, 'app'>) => declaredColumns(app.orm.em.fork());

/** The tables with rows of accounts, besides their own: each with the columns that say whose a row is. */
export function ownedTables(service: Pick<Service, 'app'>) {
  return Map.groupBy(
    columnsOf(service)
      .filter(isOwner)
      .filter(({ personal }) => personal.by !== 'parent'),
    ({ table }) => table,
  );
}

const valueOf = ({ id, email, discordUserId }: Owner, by: string): string =>
  ({ account: id, address: email, 'discord id': discordUserId })[by] ?? '';

/** The rows of an account in a table. */
export async function rowsOf(service: Pick<Service, 'app'>, table: string, owner: Owner): Promise<Row[]> {
  const columns = ownedTables(service).get(table) ?? [];
  const isTheirs = columns.map(
    ({ column, personal: { by } }) => sql`lower(${sql.ref(column)}::text) = ${valueOf(owner, by).toLowerCase()}`,
  );
  const rows = await read<{ row: Row }>(
    service,
    sql`select to_jsonb(t) as row from ${sql.ref(table)} as t where ${sql.join(isTheirs, sql` or `)}`,
  );
  return rows.map(({ row }) => row);
}

/** Stores a row as the database gave it. */
async function insert(service: Pick<Service, 'app'>, table: string, row: Row): Promise<void> {
  await read(
    service,
    sql`insert into ${sql.ref(table)} select * from jsonb_populate_record(null::${sql.ref(table)}, ${JSON.stringify(row)}::jsonb)`,
  );
}

/** Gives the second account a copy of every row of the first one. @returns tables without a row to copy */
export async function copyRows(service: Pick<Service, 'app'>, from: Owner, to: Owner): Promise<string[]> {
  const empty: string[] = [];
  for (const [table, owners] of ownedTables(service)) {
    const [row] = await rowsOf(service, table, from);
    if (row === undefined) {
      empty.push(table);
      continue;
    }
    const [{ meta } = { meta: undefined }] = owners;
    const copy = { ...row };
    for (const { fieldNames: [column = ''] = [], kind, primary, unique, columnTypes } of meta?.props ?? []) {
      const value = row[column];
      // both belong to the same server, parent and so on
      if (kind !== ReferenceKind.SCALAR) continue;
      if (!(primary === true || unique === true)) continue;
      // far from what the sequence gives
      if (typeof value === 'number' && unique === true) copy[column] = value + 1_000_000;
      if (typeof value !== 'string') continue;
      if (!owners.some((owner) => owner.column === column))
        copy[column] = columnTypes[0] === 'uuid' ? randomUUID() : `${value}-2`;
    }
    for (const { column, personal } of owners) if (row[column] !== null) copy[column] = valueOf(to, personal.by);
    if ('email' in row) copy['email'] = to.email;
    if ('discord_user_id' in row) copy['discord_user_id'] = to.discordUserId;
    if ('dedupe_key' in row && row['dedupe_key'] !== null) copy['dedupe_key'] = `dedupe ${randomUUID()}`;
    if ('took_off_at' in row) copy['unit'] = `${String(row['unit'])}-2`;
    await insert(service, table, copy);
  }
  return empty;
}

/** Writes a text of the account into every column of free text that is its own. @returns the texts */
export async function fillOwn(service: Pick<Service, 'app'>, owner: Owner, word: string): Promise<string[]> {
  const texts: string[] = [];
  const tables = ownedTables(service);
  for (const { table, column, free, isText } of columnsOf(service).filter(isOwn)) {
    const owners = tables.get(table);
    if (free === undefined || !isText || owners === undefined) continue;
    const text = `${word} ${table} ${column}`;
    const isTheirs = owners.map(
      ({ column: by, personal }) => sql`lower(${sql.ref(by)}::text) = ${valueOf(owner, personal.by).toLowerCase()}`,
    );
    await read(
      service,
      sql`update ${sql.ref(table)} set ${sql.ref(column)} = ${text} where ${sql.join(isTheirs, sql` or `)}`,
    );
    texts.push(text);
  }
  return texts;
}

/** Every row of every table, as text, with its table. */
export async function dump(service: Pick<Service, 'app'>): Promise<string[]> {
  const tables = await read<{ name: string }>(
    service,
    sql`select format('%I.%I', table_schema, table_name) as name from information_schema.tables
        where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  );
  const rows: string[] = [];
  for (const { name } of tables) {
    const found = await read<{ row: string }>(service, sql`select t::text as row from ${sql.raw(name)} as t`);
    rows.push(...found.map(({ row }) => `${name}: ${row}`));
  }
  return rows;
}
