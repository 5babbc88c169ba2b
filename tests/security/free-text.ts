/** Every text column of the database, and those with what people, Discord and other services write, as their entities declare them. */
import { declaredColumns, type FreeText } from '#server/schema/personal.ts';
import { query, sql } from '#server/schema/query.ts';
import type { Service } from '#tests/harness/service.ts';
import { payloadText } from './payloads.ts';

/** For strings within JSON. */
const JSON_TEXT_MAX = 80;

type Column = { name: string; type: 'text' | '_text' | 'jsonb' };

const listColumns = ({ app }: Pick<Service, 'app'>) =>
  query<Column>(
    app.orm.em.fork(),
    sql`select table_name || '.' || column_name as name, udt_name as type from information_schema.columns
        where table_schema = 'public' and udt_name in ('text', '_text', 'varchar', '_varchar', 'json', 'jsonb')
          and table_name in (select tablename from pg_tables where schemaname = 'public')
        order by table_name, ordinal_position`,
  );

/** Columns of the libraries, which no entity declares. */
const LIBRARIES = new Set(['mikro_orm_migrations.name']);

/** Text columns that no entity declares. */
export async function findUnlisted(service: Pick<Service, 'app'>): Promise<string[]> {
  const declared = new Set(declaredColumns(service.app.orm.em.fork()).map(({ table, column }) => `${table}.${column}`));
  const columns = await listColumns(service);
  return columns.map(({ name }) => name).filter((name) => !declared.has(name) && !LIBRARIES.has(name));
}

/** Columns with what people, Discord and other services write. */
export function listFree({ app }: Pick<Service, 'app'>): Map<string, FreeText> {
  return new Map(
    declaredColumns(app.orm.em.fork()).flatMap(({ table, column, free }) =>
      free ? [[`${table}.${column}`, free] as const] : [],
    ),
  );
}

/** The value with the strings of these names replaced, at any depth. */
function withStrings(value: unknown, names: readonly string[], replace: () => string): unknown {
  if (Array.isArray(value)) return value.map((one) => withStrings(one, names, replace));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      typeof one === 'string' && names.includes(name) ? replace() : withStrings(one, names, replace),
    ]),
  );
}

/**
 * Writes payloads into every row of every column of free text, in each other ones.
 * @param from the payload to begin with
 * @returns columns without a row
 */
export async function plantEverywhere({ app }: Pick<Service, 'app'>, from = 0): Promise<string[]> {
  const em = app.orm.em.fork();
  let at = from;
  const next = (max: number): string => payloadText(max, (at += 1));
  const empty: string[] = [];
  const free = listFree({ app });
  for (const { name, type } of await listColumns({ app })) {
    const written = free.get(name);
    if (written === undefined) continue;
    const [table, column] = name.split('.').map((part) => sql.ref(part));
    const rows = await query<{ row: string; value: unknown }>(
      em,
      sql`select ctid::text as row, ${column} as value from ${table} order by ctid`,
    );
    if (rows.length === 0) empty.push(name);
    const valueOf = (value: unknown): string => {
      const max = 'max' in written ? written.max : JSON_TEXT_MAX;
      if (type === 'text') return next(max);
      return JSON.stringify(
        type === '_text'
          ? [next(max), next(max)]
          : withStrings(value, 'names' in written ? written.names : [], () => next(max)),
      );
    };
    const planted = {
      text: sql`v.value`,
      jsonb: sql`v.value::jsonb`,
      _text: sql`array(select jsonb_array_elements_text(v.value::jsonb))`,
    };
    await query(
      em,
      sql`update ${table} as t set ${column} = ${planted[type]}
          from unnest(${rows.map(({ row }) => row)}::tid[], ${rows.map(({ value }) => valueOf(value))}::text[]) as v (row, value)
          where t.ctid = v.row`,
    );
  }
  return empty;
}

/** Columns with a payload in them. */
export async function findPlanted({ app }: Pick<Service, 'app'>): Promise<string[]> {
  const columns = (await listColumns({ app })).map(({ name }) => name);
  const parts = columns.map((name) => {
    const [table, column] = name.split('.').map((part) => sql.ref(part));
    return sql`select ${name} as name where exists (select from ${table} where ${column}::text like '%canary%' or ${column}::text like '%xss()%')`;
  });
  const found = await query<{ name: string }>(app.orm.em.fork(), sql`${sql.join(parts, sql` union all `)}`);
  return found.map(({ name }) => name).toSorted();
}
