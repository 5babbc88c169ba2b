/** Digest of the database, to compare its contents at two moments. */
import type { App } from '#server/http/context.ts';
import { query, sql } from '#server/schema/query.ts';
import type { Service } from './service.ts';

/** Rows that record visits, not state. */
const BOOKKEEPING = ['session', 'last_seen', 'attempt', 'mikro_orm_migrations'];

/** Rows of every table and the sum of their hashes, which needs no order; the job queue's included. */
export type Digest = Record<string, string>;

/** The tables of a service; a running one makes none. */
const tablesOf = new WeakMap<App, Promise<string[]>>();

async function listTables({ orm }: App): Promise<string[]> {
  const tables = await query<{ name: string }>(
    orm.em.fork(),
    sql`select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables
        where schemaname = 'public' and not tablename = any(${BOOKKEEPING}::text[])
        union all select 'graphile_worker._private_jobs' order by name`,
  );
  return tables.map(({ name }) => name);
}

/** @param except tables that may change, on top of sessions and attempts */
export async function takeDigest({ app }: Pick<Service, 'app'>, except: readonly string[] = []): Promise<Digest> {
  const known = tablesOf.get(app) ?? listTables(app);
  tablesOf.set(app, known);
  const tables = (await known).filter((name) => !except.some((table) => name === `public.${table}`));
  const parts = tables.map(
    (name) => `select '${name}' as name,
      count(*) || ':' || coalesce(sum(hashtextextended(t::text, 0)), 0) as state from ${name} t`,
  );
  const statement = sql<{ name: string; state: string }>`${sql.raw(parts.join(' union all '))}`;
  const rows = await query(app.orm.em.fork(), statement);
  return Object.fromEntries(rows.map(({ name, state }) => [name, state]));
}
