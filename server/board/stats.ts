/** The public statistics. */
import { countRows } from '#server/schema/database.ts';
import { named } from '#server/schema/named.ts';
import type { Em } from '#server/schema/orm.ts';
import { isActivePilot } from '#server/schema/predicates.ts';

const countAll = named('stats', (source, { now }: { now: Date }) =>
  source.selectNoFrom(({ selectFrom }) => [
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
  ]),
);

/** Counts active pilots and missions under way. */
export async function getStats(em: Em, now: Date): Promise<{ totalUsers: number; missionsRunning: number }> {
  const [counts] = await countAll(em, { now });
  return counts ?? { totalUsers: 0, missionsRunning: 0 };
}
