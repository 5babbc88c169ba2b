/** The public statistics. */
import { countRows } from '#server/schema/database.ts';
import { named } from '#server/schema/named.ts';
import { shareRead } from '#server/schema/shared-read.ts';
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

/**
 * Counts active pilots and missions under way. Every open page asks again and again, and with 100,000 pilots the count takes
 * tens of milliseconds, so calls that arrive together share one.
 */
export const getStats = shareRead(async (em, now): Promise<{ totalUsers: number; missionsRunning: number }> => {
  const [counts] = await countAll(em, { now });
  return counts ?? { totalUsers: 0, missionsRunning: 0 };
});
