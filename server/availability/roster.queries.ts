/** The changes of the roster since a snapshot. PostgreSQL's snapshots have no counterpart in the query builder. */
import type { Em } from '#server/schema/orm.ts';
import { query, sql } from '#server/schema/query.ts';

export type RosterChanges = {
  /** what this statement has seen, as PostgreSQL writes a snapshot */
  readonly snapshot: string;
  /** the pilots with a change that was committed since then */
  readonly userIds: readonly string[];
};

/**
 * The pilots with committed changes that a snapshot has not seen. Transactions end in another order than they begin, so a
 * number that only grows would miss some: PostgreSQL's own snapshot says exactly which ones have been seen.
 * @param since null for none: only the snapshot
 */
export async function readRosterChanges(em: Em, since: string | null): Promise<RosterChanges> {
  const [row] = await query<RosterChanges>(
    em,
    sql`select pg_current_snapshot()::text as snapshot, array(
          select distinct user_id::text from roster_change
          where xid >= pg_snapshot_xmin(${since}::pg_snapshot) and not pg_visible_in_snapshot(xid, ${since}::pg_snapshot)
        ) as "userIds"`,
  );
  if (!row) throw new Error('PostgreSQL has returned no snapshot.');
  return row;
}
