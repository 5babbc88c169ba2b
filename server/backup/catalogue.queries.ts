/**
 * PostgreSQL's catalogue of Marshal's schema: tables, sequences, indexes and constraints, and the private tables of the job
 * library. Raw SQL, because no entity describes any of these and COPY needs a connection of its own.
 */
import { escapeIdentifier, type ClientBase } from 'pg';

/** Objects of an extension come with the extension. @param kind their catalogue */
const notOfExtension = (kind: 'pg_class' | 'pg_proc', oid: string) =>
  `not exists (select from pg_depend d where d.classid = '${kind}'::regclass and d.objid = ${oid} and d.deptype = 'e')`;

export interface Table {
  name: string;
  columns: string[];
}

/** All tables of the schema, with the columns that have values of their own. */
export async function listTables(client: ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table>(`
    select c.relname::text as name, array_agg(a.attname::text order by a.attnum) as columns
      from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and ${notOfExtension('pg_class', 'c.oid')}
        and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      group by c.relname order by c.relname`);
  return rows;
}

/** Positions of sequences. They belong to no snapshot, so read them after the rows. */
export async function readSequences(client: ClientBase) {
  const { rows: sequences } = await client.query<{ name: string }>(`
    select c.relname::text as name from pg_class c
      where c.relnamespace = current_schema()::regnamespace and c.relkind = 'S' and ${notOfExtension('pg_class', 'c.oid')}
      order by 1`);
  const found: { name: string; value: string; isCalled: boolean }[] = [];
  for (const { name } of sequences) {
    const { rows } = await client.query<{ value: string; isCalled: boolean }>(
      `select last_value::text as value, is_called as "isCalled" from ${escapeIdentifier(name)}`,
    );
    found.push(...rows.map((row) => ({ name, ...row })));
  }
  return found;
}

/** Sets a sequence, unless this release no longer has it. */
export async function setSequence(client: ClientBase, name: string, value: string, isCalled: boolean): Promise<void> {
  await client.query(
    `select setval(c.oid::regclass, $2, $3) from pg_class c
    where c.relname = $1 and c.relkind = 'S' and c.relnamespace = current_schema()::regnamespace`,
    [name, value, isCalled],
  );
}

/** Removes the given tables and all functions of the schema. */
export async function dropAll(client: ClientBase, tables: readonly string[]): Promise<void> {
  if (tables.length > 0) await client.query(`drop table ${tables.map(escapeIdentifier).join(', ')} cascade`);
  const { rows } = await client.query<{ signature: string }>(`
    select p.oid::regprocedure::text as signature from pg_proc p
      where p.pronamespace = current_schema()::regnamespace and ${notOfExtension('pg_proc', 'p.oid')}`);
  for (const { signature } of rows) await client.query(`drop routine ${signature} cascade`);
}

/**
 * Takes off what makes loading slow: indexes, the constraints that need one, references and triggers.
 * @returns puts them back, which also checks all rows against the constraints
 */
export async function liftConstraints(client: ClientBase): Promise<() => Promise<void>> {
  const { rows: constraints } = await client.query<{ table: string; name: string; kind: string; definition: string }>(`
    select conrelid::regclass::text as table, quote_ident(conname) as name, contype::text as kind,
           pg_get_constraintdef(oid) as definition
      from pg_constraint where connamespace = current_schema()::regnamespace and contype in ('p', 'u', 'x', 'f')
      order by contype = 'f', contype <> 'p', conname`);
  for (const { table, name } of constraints.toReversed())
    await client.query(`alter table ${table} drop constraint ${name}`);
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(`
    select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
      from pg_index i join pg_class c on c.oid = i.indrelid
      where c.relnamespace = current_schema()::regnamespace and ${notOfExtension('pg_class', 'c.oid')}
      order by 1`);
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  const { rows: triggers } = await client.query<{ table: string }>(`
    select distinct t.tgrelid::regclass::text as table from pg_trigger t join pg_class c on c.oid = t.tgrelid
      where c.relnamespace = current_schema()::regnamespace and not t.tgisinternal`);
  for (const { table } of triggers) await client.query(`alter table ${table} disable trigger user`);
  return async () => {
    const [references, keys] = [true, false].map((is) => constraints.filter(({ kind }) => (kind === 'f') === is));
    const add = async (list: typeof constraints = []) => {
      for (const { table, name, definition } of list) {
        await client.query(`alter table ${table} add constraint ${name} ${definition}`);
      }
    };
    await add(keys);
    for (const { definition } of indexes) await client.query(definition);
    await add(references);
    for (const { table } of triggers) await client.query(`alter table ${table} enable trigger user`);
  };
}

/** A fresh statistic of every table, without which the first requests would get slow plans. */
export const analyze = (client: ClientBase) => client.query('analyze');

export async function countRowsOf(client: ClientBase, table: string): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from ${escapeIdentifier(table)}`,
  );
  return rows[0]?.count ?? 0;
}

/** Queued jobs as `add_job` takes them. A running one is queued: its worker does not come along. */
const JOBS = `
  select t.identifier, j.payload, q.queue_name, j.run_at, j.max_attempts, j.key, j.priority, j.attempts
    from graphile_worker._private_jobs j
    join graphile_worker._private_tasks t on t.id = j.task_id
    left join graphile_worker._private_job_queues q on q.id = j.job_queue_id
    order by j.id`;

export const COPY_JOBS_OUT = `copy (${JOBS}) to stdout`;
export const COPY_JOBS_IN = 'copy restored_job from stdin';

/** Empties the queue, and makes the table that `COPY_JOBS_IN` fills. */
export async function prepareJobs(client: ClientBase): Promise<void> {
  await client.query('delete from graphile_worker._private_jobs');
  await client.query(`create temp table restored_job (identifier text, payload json, queue_name text, run_at timestamptz,
    max_attempts int, key text, priority int, attempts smallint) on commit drop`);
}

/** Queues the jobs by the library's own functions, so that its release may differ. @returns how many */
export async function queueJobs(client: ClientBase): Promise<number> {
  await client.query(`
    with added as materialized (
      select (graphile_worker.add_job(identifier, payload, queue_name, run_at, max_attempts, key, priority)).id, attempts
        from restored_job)
    select graphile_worker.reschedule_jobs(array[id], attempts => attempts) from added where attempts > 0`);
  return countRowsOf(client, 'restored_job');
}

/** @returns true if another connection of Marshal's role uses this database */
export async function isUsedByOthers(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ used: boolean }>(`
    select exists (select from pg_stat_activity where datname = current_database() and usename = current_user
      and pid <> pg_backend_pid() and backend_type = 'client backend') as used`);
  return rows[0]?.used === true;
}
