/** The public facts of missions, for Discord. */
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { db, ms } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import type { MissionFacts } from '#server/discord/rules/mission-event.ts';
import { countSides } from '#server/schema/predicates.ts';
import type { SecretSides } from '#shared/secret-sides.ts';
import type { StoredMissionStatus } from '#shared/vocabulary.ts';

export type PublicMission = MissionFacts &
  SecretSides & {
    status: StoredMissionStatus;
    guildIds: string[] | null;
    weekId: string | null;
  };

/** True for a mission that a server shows: all servers do, unless it is limited to some. */
export const isForGuild = ({ guildIds }: Pick<PublicMission, 'guildIds'>, guildId: string): boolean =>
  guildIds === null || guildIds.includes(guildId);

/** @returns null for an unknown mission */
export async function loadPublicMission(em: Em, missionId: string): Promise<PublicMission | null> {
  const mission = await db(em)
    .selectFrom('mission as m')
    .select(({ ref, selectFrom }) => [
      'm.id',
      'm.name',
      'm.theater',
      'm.status',
      'm.guild_ids as guildIds',
      'm.week_id as weekId',
      'm.secret_sides as secretSides',
      countSides('m').as('sides'),
      ms(ref('m.starts_at')).as('startMs'),
      ms(ref('m.ends_at')).as('endMs'),
      jsonArrayFrom(
        selectFrom('flight as f')
          .innerJoin('aircraft as a', 'a.id', 'f.aircraft_id')
          .select(({ fn, cast }) => ['a.name', cast<number>(fn.sum('f.size_cap'), 'integer').as('seats')])
          .whereRef('f.mission_id', '=', 'm.id')
          .groupBy('a.name')
          .orderBy(({ fn }) => fn.sum('f.size_cap'), 'desc')
          .orderBy('a.name'),
      ).as('aircraft'),
    ])
    .where('m.id', '=', missionId)
    .executeTakeFirst();
  return mission ? { ...mission, isCancelled: mission.status === 'cancelled' } : null;
}
