/** Push notifications of missions with open seats, for pilots who want news. */
import type { MikroORM } from '@mikro-orm/postgresql';
import { isNewsFor, isOpenMission } from '#server/seats/news-audience.ts';
import { db, isOneOf, ms } from '#server/schema/database.ts';
import { deliver, type Sender } from './push-sender.ts';
import { newsMessage, pushTiming } from './rules/push.ts';

/**
 * Send news of missions to one device: of those that still have open seats and are news for its pilot.
 * @throws PushDelayed when the job should be retried
 */
export async function sendNewsPush(
  app: Sender & { orm: MikroORM },
  { missionIds, subscriptionId }: { missionIds: readonly string[]; subscriptionId: string },
  now: Date,
): Promise<void> {
  const em = app.orm.em.fork();
  const rows = await db(em)
    .selectFrom(['mission as m', 'push_subscription as s'])
    .innerJoin('app_user as u', 'u.id', 's.user_id')
    .select(({ ref }) => [
      's.id as deviceId',
      's.endpoint',
      's.p256dh',
      's.auth',
      'm.id',
      'm.name',
      'm.theater',
      ms(ref('m.starts_at')).as('startMs'),
    ])
    .where('s.id', '=', subscriptionId)
    .where(isOneOf('m.id', missionIds))
    .where(isOpenMission(now))
    .where(isNewsFor(now))
    .orderBy('m.starts_at')
    .orderBy('m.id')
    .execute();
  const [first] = rows;
  if (!first) return;
  const { deviceId: id, endpoint, p256dh, auth } = first;
  const timing = pushTiming(first.startMs, now.getTime());
  await deliver(em, app, { id, endpoint, p256dh, auth }, newsMessage(rows), timing);
}
