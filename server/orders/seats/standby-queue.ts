/** The standby queue of a mission, in statements: who is in it, and in which order its pilots are offered a seat. */
import { sql, type RawBuilder } from 'kysely';
import { db } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { overlapsRow } from '#server/schema/predicates.ts';

/**
 * An order on standby whose pilot is in the queue: not while they hold a seat in another mission at that time.
 * @param order alias of `frag_order`
 */
export const isInQueue = (order: string): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(`${order}.status`)} = 'issued' and ${sql.ref(`${order}.rsvp`)} = 'standby' and not exists (
    select from mission as queued join seat as elsewhere on elsewhere.mission_id <> queued.id
      and ${overlapsRow('elsewhere', 'queued')}
    where queued.id = ${sql.ref(`${order}.mission_id`)} and elsewhere.pilot_id = ${sql.ref(`${order}.pilot_id`)}))`;

/** A standby pilot's place in the queue, as a value to compare and to sort by. @param order alias of `frag_order` */
export const queuePlace = (order: string): RawBuilder<[Date | null, number]> =>
  sql`(${sql.ref(`${order}.answered_at`)}, ${sql.ref(`${order}.seq`)})`;

/** @returns ids of the pilots in the queue of a mission, in its order */
export async function listQueue(em: Em, missionId: string): Promise<string[]> {
  const rows = await db(em)
    .selectFrom('frag_order as o')
    .select('o.pilot_id as pilotId')
    .where('o.mission_id', '=', missionId)
    .where(isInQueue('o'))
    .orderBy(queuePlace('o'))
    .execute();
  return rows.map(({ pilotId }) => pilotId);
}
