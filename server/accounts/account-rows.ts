/** An account's rows in every table, found by the column declarations that say who owns a row. */
import type { Kysely } from 'kysely';
import { db } from '#server/schema/database.ts';
import { builderOf } from '#server/schema/flushing.ts';
import type { Em } from '#server/schema/orm.ts';
import { declaredColumns, isOwn, isOwner, type OwnColumn, type OwnerColumn } from '#server/schema/personal.ts';
import { FORMER_PILOT } from '#shared/labels.ts';
import { emailKey, shownEmail } from './email.ts';
import type { Copied, Person } from './rules/redact.ts';

type Rows = Record<string, Record<string, unknown>>;

/** The query builder for tables that are found by their declarations. */
export const anyTable = (tx: Em): Kysely<Rows> => builderOf<Rows>(tx);

/** The values by which a row can belong to an account. */
export interface Identity {
  userId: string;
  emailKey: string;
  discordUserId: string | null;
}

const ACCOUNTS = 'app_user';

export async function findIdentity(tx: Em, userId: string): Promise<Identity | null> {
  const row = await db(tx)
    .selectFrom('app_user as u')
    .leftJoin('discord_account as d', 'd.user_id', 'u.id')
    .select(['u.email_key as emailKey', 'd.discord_user_id as discordUserId'])
    .where('u.id', '=', userId)
    .executeTakeFirst();
  return row ? { userId, ...row } : null;
}

/** The values of an owner's column by which rows of its table belong to the account. */
async function valuesOf(tx: Em, { table, column, personal: { by } }: OwnerColumn, one: Identity): Promise<string[]> {
  if (by === 'account') return [one.userId];
  if (by === 'discord id') return one.discordUserId === null ? [] : [one.discordUserId];
  // deleted by the database with the row that it belongs to
  if (by === 'parent') return [];
  const rows = await anyTable(tx).selectFrom(table).select(column).distinct().where(column, 'is not', null).execute();
  return rows.map((row) => String(row[column])).filter((address) => emailKey(address) === one.emailKey);
}

/** Delete the rows of the account in every table but its own. */
export async function deleteOwnedRows(tx: Em, identity: Identity): Promise<void> {
  for (const column of declaredColumns(tx).filter(isOwner)) {
    const values = await valuesOf(tx, column, identity);
    if (values.length > 0) await anyTable(tx).deleteFrom(column.table).where(column.column, 'in', values).execute();
  }
}

/** The values of a column in the rows of the account. */
async function readOwn(tx: Em, { table, column }: OwnColumn, identity: Identity): Promise<string[]> {
  const owners: (readonly [string, string[]])[] = [];
  if (table === ACCOUNTS) owners.push(['id', [identity.userId]]);
  for (const owner of declaredColumns(tx).filter(isOwner)) {
    if (owner.table === table) owners.push([owner.column, await valuesOf(tx, owner, identity)]);
  }
  const rows = await anyTable(tx)
    .selectFrom(table)
    .select(column)
    .where(({ eb, or }) =>
      or(owners.filter(([, values]) => values.length > 0).map(([name, values]) => eb(name, 'in', values))),
    )
    .execute();
  return [...new Set(rows.map((row) => row[column]).filter((value) => typeof value === 'string'))];
}

const capitalized = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
/** The names of the ids beside a copy. */
const ACCOUNT_IDS = ['userId', 'pilotId', 'id'];

/** The names of a column's copies in JSON. */
function keysOf({ property, column, personal: { as, copies } }: OwnColumn): Copied['keys'] {
  const name = as?.split('.').at(-1) ?? property;
  const usual = [property, column, name, `user${capitalized(property)}`, `pilot${capitalized(property)}`];
  return new Map<string, readonly string[]>([
    ...usual.map((key) => [key, ACCOUNT_IDS] as const),
    ...Object.entries(copies ?? {}).map(([key, id]) => [key, [id]] as const),
  ]);
}

/** The text that replaces the copies of an erased value. */
function substituteOf({ table, personal: { erased = null } }: OwnColumn): string | null {
  if (table !== ACCOUNTS || typeof erased === 'object')
    return table === ACCOUNTS && erased === null ? null : FORMER_PILOT;
  return String(erased);
}

/** True if a column's values are copied elsewhere: what others can see of an account. */
const isCopied = ({ table, personal: { as, isMark, isUsername } }: OwnColumn): boolean =>
  isMark === true || isUsername === true || (table === ACCOUNTS && as !== undefined);

/** Reads a person's values, to find their copies elsewhere. Call it before the account's rows are deleted. */
export async function readPerson(tx: Em, identity: Identity): Promise<Person> {
  const marks: string[] = [];
  const usernames: string[] = [];
  const copied: Copied[] = [];
  const texts = declaredColumns(tx).filter((column) => isOwn(column) && column.isText);
  for (const column of texts.filter(isOwn).filter(isCopied)) {
    const values = await readOwn(tx, column, identity);
    if (column.personal.isMark) marks.push(...values.filter((value) => shownEmail(value) !== ''));
    if (column.personal.isUsername) usernames.push(...values);
    const isFree = column.free !== undefined;
    const base = { keys: keysOf(column), isFree, to: substituteOf(column) };
    if (values.length === 0) copied.push({ ...base, value: null, isShared: false });
    for (const value of values) {
      const others = anyTable(tx).selectFrom('app_user').select('id').where('id', '<>', identity.userId);
      const isShared =
        isFree &&
        column.table === ACCOUNTS &&
        (await others.where(column.column, '=', value).executeTakeFirst()) !== undefined;
      copied.push({ ...base, value, isShared });
    }
  }
  return { id: identity.userId, marks: [...new Set(marks)], usernames: [...new Set(usernames)], copied };
}
