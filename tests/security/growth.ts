/** Row counts of all tables, to find calls that add rows without limit when repeated. */
import { query, sql } from '#server/schema/query.ts';
import type { Service } from '#tests/harness/service.ts';
import type { Reply } from '#tests/harness/transports.ts';

/**
 * Tables without a check here: sessions have their own cap, attempts expire within an hour, the audit log is paged,
 * and changes of the roster are deleted after a day.
 */
const NOBODYS = ['session', 'attempt', 'audit_entry', 'roster_change', 'mikro_orm_migrations'];

type RowCounts = Record<string, number>;

async function countRows({ app }: Pick<Service, 'app'>): Promise<RowCounts> {
  const em = app.orm.em.fork();
  const tables = await query<{ name: string }>(
    em,
    sql`select quote_ident(tablename) as name from pg_tables
        where schemaname = 'public' and not tablename = any(${NOBODYS}::text[]) order by 1`,
  );
  const counts = tables.map(({ name }) => `select '${name}' as name, count(*)::int as count from ${name}`);
  const rows = await query<{ name: string; count: number }>(em, sql.raw(counts.join(' union all ')));
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}

/**
 * Tables that keep growing when a call is repeated; [] for a call that creates at most one row.
 * @param warmUp calls after which it creates no further rows
 */
export async function findGrowth(
  service: Pick<Service, 'app'>,
  call: () => Promise<unknown>,
  warmUp = 2,
): Promise<string[]> {
  for (let round = 0; round < warmUp; round += 1) await call();
  const before = await countRows(service);
  for (let round = 0; round < 2; round += 1) await call();
  const after = await countRows(service);
  return Object.keys(after).filter((table) => (after[table] ?? 0) > (before[table] ?? 0));
}

export interface Cap {
  max: number;
  /** how many calls are made at once */
  calls: number;
  /** rows that one call adds */
  each?: number;
  attempt: (index: number) => Promise<Pick<Reply, 'status' | 'message'>>;
  /** rows that the account owns */
  owned: () => Promise<number>;
  /** null: the oldest rows are deleted without a refusal */
  sentence: string | null;
}

/** Repeats a call that was refused with 503, as a client does. */
async function insist(attempt: () => ReturnType<Cap['attempt']>): ReturnType<Cap['attempt']> {
  for (;;) {
    const reply = await attempt();
    if (reply.status !== 503) return reply;
  }
}

/** Calls in parallel beyond the cap. @returns faults in words; [] when the cap holds to the row */
export async function findFaults({ max, calls, each = 1, attempt, owned, sentence }: Cap): Promise<string[]> {
  const before = await owned();
  const replies = await Promise.all(Array.from({ length: calls }, (_, index) => insist(() => attempt(index))));
  const after = await owned();
  const refused = replies.filter(({ status }) => status >= 300);
  const faults = refused
    .filter(({ status, message }) => sentence === null || status !== 409 || message !== sentence)
    .map(({ status, message }) => `refused with ${status}: ${message}`);
  if (after > max) faults.push(`${after} rows, ${max} are the most`);
  if (before + calls * each <= max) faults.push('the cap was not reached');
  if (sentence === null) return faults;
  const accepted = calls - refused.length;
  if (refused.length === 0) faults.push('nothing was refused');
  if (accepted !== Math.floor((max - before) / each)) faults.push(`${accepted} were accepted from ${before} on`);
  return faults;
}
