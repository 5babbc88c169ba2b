/** Missions as everybody in Discord may know them. */
import type { Em } from '#server/schema/orm.ts';
import { msOf, query, sql } from '#server/schema/query.ts';
import type { MissionFacts } from '#server/discord/rules/mission-event.ts';
import type { StoredMissionStatus, Theater } from '#shared/vocabulary.ts';

type MissionRow = Pick<MissionFacts, 'id' | 'name' | 'startMs' | 'endMs' | 'aircraft'> & {
  theater: Theater;
  status: StoredMissionStatus;
};

export type PublicMission = MissionFacts & { status: StoredMissionStatus };

/** @returns null when there is no such mission */
export async function loadPublicMission(em: Em, missionId: string): Promise<PublicMission | null> {
  const [row] = await query<MissionRow>(
    em,
    sql`select m.id, m.name, m.theater, m.status, ${msOf('m.starts_at')} as "startMs", ${msOf('m.ends_at')} as "endMs",
               coalesce((select jsonb_agg(jsonb_build_object('name', t.name, 'seats', t.seats) order by t.seats desc, t.name)
                         from (select a.name, sum(f.size_cap)::int as seats
                               from flight f join aircraft a on a.id = f.aircraft_id
                               where f.mission_id = m.id group by a.name) t), '[]') as aircraft
        from mission m where m.id = ${missionId}`,
  );
  return row ? { ...row, isCancelled: row.status === 'cancelled' } : null;
}
