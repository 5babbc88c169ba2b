/** The contents of a database, read by SQL alone: a digest of the rows of each table, and the definition of the schema. */
import { Client, escapeIdentifier } from 'pg';

export async function withSql<T>(
  url: string,
  work: (ask: (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>) => Promise<T>,
) {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(async (text, values) => (await client.query<Record<string, unknown>>(text, values)).rows);
  } finally {
    await client.end();
  }
}

/** Names of all tables in `public`. */
export async function tablesOf(url: string): Promise<string[]> {
  return withSql(url, async (ask) =>
    (await ask(`select tablename from pg_tables where schemaname = 'public' order by 1`)).map((row) =>
      String(row['tablename']),
    ),
  );
}

/** Without what a restore itself adds. */
const AUDIT_ENTRIES = `(select * from audit_entry where action <> 'backup_restored')`;

/** Rows of each table, and of the job queue, as `count digest`. */
export async function digestRows(url: string, leaveOut: readonly string[] = []): Promise<Record<string, string>> {
  const tables = (await tablesOf(url)).filter((name) => !leaveOut.includes(name));
  return withSql(url, async (ask) => {
    await ask(`set timezone = 'UTC'`);
    const digests: Record<string, string> = {};
    const digest = async (name: string, from: string) => {
      const [row] = await ask(
        `select count(*) || ' ' || md5(coalesce(string_agg(line, E'\\n' order by line), '')) as digest
           from (select t::text as line from ${from} t) lines`,
      );
      digests[name] = String(row?.['digest']);
    };
    for (const name of tables) await digest(name, name === 'audit_entry' ? AUDIT_ENTRIES : escapeIdentifier(name));
    await digest(
      'jobs',
      '(select task_identifier, queue_name, key, priority, run_at, attempts, max_attempts from graphile_worker.jobs)',
    );
    return digests;
  });
}

/** Tables with their columns, constraints, indexes, triggers, functions and positions of sequences, one line for each. */
export async function describeSchema(url: string): Promise<string[]> {
  const parts = [
    `select 'column ' || table_name || '.' || column_name || ' ' || udt_name || ' ' || is_nullable || ' ' || coalesce(column_default, '')
       || ' ' || is_identity || ' ' || coalesce(generation_expression, '') from information_schema.columns where table_schema = 'public'`,
    `select 'constraint ' || conrelid::regclass || ' ' || conname || ' ' || convalidated || ' ' || pg_get_constraintdef(oid)
       from pg_constraint where connamespace = 'public'::regnamespace`,
    `select 'index ' || indexdef from pg_indexes where schemaname = 'public'`,
    `select 'trigger ' || tgenabled::text || ' ' || pg_get_triggerdef(oid) from pg_trigger where not tgisinternal`,
    `select 'function ' || pg_get_functiondef(p.oid) from pg_proc p where pronamespace = 'public'::regnamespace
       and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`,
    `select 'sequence ' || sequencename || ' ' || coalesce(last_value, 0) from pg_sequences where schemaname = 'public'`,
  ];
  return withSql(url, async (ask) => {
    const lines: string[] = [];
    for (const part of parts) {
      lines.push(...(await ask(`select * from (${part}) as part (line)`)).map((row) => String(row['line'])));
    }
    return lines.toSorted();
  });
}
