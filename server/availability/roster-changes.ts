/** The changes of the roster since a snapshot, and their end. */
import { sql } from 'kysely';
import { ago, db } from '#server/schema/database.ts';
import { named } from '#server/schema/named.ts';
import type { Em } from '#server/schema/orm.ts';

export type RosterChanges = {
  /** what this statement has seen, as PostgreSQL writes a snapshot */
  readonly snapshot: string;
  /** the pilots with a change that was committed since then */
  readonly userIds: readonly string[];
};

/** A roster that has not asked for longer has to be read again. */
export const CHANGES_KEPT_HOURS = 24;

/** The snapshot of this moment. */
export async function readSnapshot(em: Em): Promise<string> {
  const statement = db(em).selectNoFrom(({ fn, cast }) =>
    cast<string>(fn('pg_current_snapshot'), 'text').as('snapshot'),
  );
  return (await statement.executeTakeFirstOrThrow()).snapshot;
}

const selectChanges = named<{ since: string }, { snapshot: string; userIds: string[] | null }>(
  'roster changes',
  (source, { since }) => {
    const seen = sql`${since}::pg_snapshot`;
    return source.selectNoFrom(({ fn, cast, selectFrom }) => [
      cast<string>(fn('pg_current_snapshot'), 'text').as('snapshot'),
      selectFrom('roster_change')
        .select(({ ref }) =>
          fn
            .agg<string[]>('array_agg', [cast(ref('user_id'), 'text')])
            .distinct()
            .as('ids'),
        )
        .where(sql<boolean>`xid >= pg_snapshot_xmin(${seen}) and not pg_visible_in_snapshot(xid, ${seen})`)
        .as('userIds'),
    ]);
  },
);

/**
 * The pilots with committed changes that a snapshot has not seen. Transactions end in another order than they begin, so a
 * number that only grows would miss some: PostgreSQL's own snapshot says exactly which ones have been seen.
 */
export async function readRosterChanges(em: Em, since: string): Promise<RosterChanges> {
  const [changes] = await selectChanges(em, { since });
  if (!changes) throw new Error('The snapshot and the changes since another are always one row.');
  return { snapshot: changes.snapshot, userIds: changes.userIds ?? [] };
}

/** Drop changes that every roster has seen, or will be read again for. */
export async function dropOldRosterChanges(em: Em): Promise<void> {
  await db(em)
    .deleteFrom('roster_change')
    .where('changed_at', '<', ago(`${CHANGES_KEPT_HOURS} hours`))
    .execute();
}
