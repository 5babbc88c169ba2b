/** What the database holds, in a form that two moments can be compared by. */
import { query, sql } from '#server/db/query.ts';
import type { Service } from './service.ts';

/** Rows that say who came by, not what the service knows. */
const BOOKKEEPING = ['session', 'attempt', 'mikro_orm_migrations'];

/** Rows and checksum of every table, the job queue's included. */
export type Digest = Record<string, string>;

/** @param except tables that may change, on top of sessions and attempts */
export async function takeDigest({ app }: Pick<Service, 'app'>, except: readonly string[] = []): Promise<Digest> {
  const em = app.orm.em.fork();
  const tables = await query<{ name: string }>(
    em,
    sql`select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables
        where schemaname = 'public' and not tablename = any(${[...BOOKKEEPING, ...except]}::text[])
        union all select 'graphile_worker._private_jobs' order by name`,
  );
  const parts = tables.map(
    ({ name }) => `select '${name}' as name,
      count(*) || ':' || coalesce(md5(string_agg(t::text, e'\\n' order by t::text)), '') as state from ${name} t`,
  );
  const rows = await query<{ name: string; state: string }>(em, sql`${sql.raw(parts.join(' union all '))}`);
  return Object.fromEntries(rows.map(({ name, state }) => [name, state]));
}
