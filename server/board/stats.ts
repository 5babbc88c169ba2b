/** The public statistics. */
import { countRows, db } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { isActivePilot } from '#server/schema/predicates.ts';

/** Counts active pilots and missions under way. */
export async function getStats(em: Em, now: Date): Promise<{ totalUsers: number; missionsRunning: number }> {
  return db(em)
    .selectNoFrom(({ selectFrom }) => [
      selectFrom('app_user as u')
        .select(countRows().as('users'))
        .where(isActivePilot('u'))
        .$asScalar()
        .$notNull()
        .as('totalUsers'),
      selectFrom('mission')
        .select(countRows().as('running'))
        .where('status', '=', 'scheduled')
        .where('starts_at', '<=', now)
        .where('ends_at', '>', now)
        .where('is_practice', '=', false)
        .$asScalar()
        .$notNull()
        .as('missionsRunning'),
    ])
    .executeTakeFirstOrThrow();
}
