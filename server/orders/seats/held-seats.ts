/** Seats that are held: by an answered order, or by one that can still be answered. */
import type { Kysely } from 'kysely';
import { db, ms, type Database } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { isLiveHold } from '#server/schema/predicates.ts';

/** Selects seats `s` held by live orders `o`, times in epoch milliseconds; seats of overdue orders are left out. */
export const selectHeldSeats = (em: Em, now: Date) => selectHeldSeatsFrom(db(em), now);

/** The same for a named statement. */
export const selectHeldSeatsFrom = (source: Kysely<Database>, now: Date) =>
  source
    .selectFrom('seat as s')
    .innerJoin('frag_order as o', 'o.id', 's.order_id')
    .select(({ ref }) => [
      's.pilot_id as pilotId',
      ms(ref('s.starts_at')).as('startMs'),
      ms(ref('s.ends_at')).as('endMs'),
    ])
    .where(isLiveHold('o', now));
