/**
 * The version of missions as admins see them: a digest of the row versions of all that the answer reads, and of what the clock
 * changes in it. Raw: the builder has neither PostgreSQL's system column xmin nor an aggregate
 * over unions.
 */
import type { Expression, Kysely } from 'kysely';
import type { Database } from '#server/schema/database.ts';
import { named } from '#server/schema/named.ts';
import type { Em } from '#server/schema/orm.ts';
import { sql } from '#server/schema/query.ts';
import type { Interval } from '#server/time/intervals.ts';

/** Missions that start in a range, or one mission. */
type Which = Interval | { id: string };

interface Values {
  from: Date;
  until: Date;
  id: string;
  now: Date;
}

const version = (source: Kysely<Database>, ids: Expression<string>, { now }: Values) =>
  sql<{
    version: string | null;
  }>`with picked as materialized (select m.*, m.xmin as v from mission m where m.id in ${ids}),
        held as materialized (
          select s.flight_id, s.seat_index, s.pilot_id, s.xmin as v, o.xmin as order_v,
                 o.rsvp = 'pending' and o.expires_at <= ${now} as is_overdue
          from picked m join seat s on s.mission_id = m.id join frag_order o on o.id = s.order_id),
        parts as (
          select concat_ws(' ', 'm', id, v, starts_at <= ${now}, ends_at <= ${now}) as part from picked
          union all select concat_ws(' ', 'p', p.id, p.xmin) from picked m join package p on p.mission_id = m.id
          union all select concat_ws(' ', 'f', f.id, f.xmin) from picked m join flight f on f.mission_id = m.id
          union all select concat_ws(' ', 'a', a.mission_id, a.sort_order, a.xmin)
            from picked m join aircraft_slot a on a.mission_id = m.id
          union all select concat_ws(' ', 's', flight_id, seat_index, v, order_v, is_overdue) from held
          -- looked up one by one: a join for a thousand seats would read all accounts
          union all select (select concat_ws(' ', 'u', u.id, u.display_name, u.email) from app_user u where u.id = named.id)
            from (select pilot_id as id from held union select created_by_id from picked) named
          union all select concat_ws(' ', 't', t.id, t.name) from aircraft t)
        select md5(string_agg(part, ',' order by part)) as version from parts`.compile(source);

// named, because PostgreSQL takes several milliseconds to plan it
const readRange = named('missions_version', (source, values: Values) => {
  const ids = source
    .selectFrom('mission')
    .select('id')
    .where('starts_at', '>=', values.from)
    .where('starts_at', '<', values.until);
  return { compile: () => version(source, ids.$castTo<string>(), values) };
});
const readOne = named('mission_version', (source, values: Values) => {
  const ids = source.selectFrom('mission').select('id').where('id', '=', values.id);
  return { compile: () => version(source, ids.$castTo<string>(), values) };
});

/** Changes with every change of the answer; it may also change without one. One statement, without loading the missions. */
export async function readMissionsVersion(em: Em, which: Which, now: Date): Promise<string> {
  const isOne = 'id' in which;
  const [row] = await (isOne ? readOne : readRange)(em, {
    from: new Date(isOne ? 0 : which.startMs),
    until: new Date(isOne ? 0 : which.endMs),
    id: isOne ? which.id : '',
    now,
  });
  return row?.version ?? '';
}
