/** Push notifications for pilots who want news: of missions with open seats, and messages to the community. */
import type { MikroORM } from '@mikro-orm/postgresql';
import { isNewsFor, isOpenMission, wantsNews } from '#server/seats/news-audience.ts';
import { db, isOneOf, ms } from '#server/schema/database.ts';
import { DAY_MS } from '#server/time/time.ts';
import { deliver, type Sender } from './push-sender.ts';
import { communityPush, newsMessage, pushTiming } from './rules/push.ts';

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

/**
 * Send an admin's message to one device, if its pilot still wants community news.
 * @throws PushDelayed when the job should be retried
 */
export async function sendMessagePush(
  app: Sender & { orm: MikroORM },
  { messageId, subscriptionId }: { messageId: string; subscriptionId: string },
  now: Date,
): Promise<void> {
  const em = app.orm.em.fork();
  const row = await db(em)
    .selectFrom(['community_message as m', 'push_subscription as s'])
    .innerJoin('app_user as u', 'u.id', 's.user_id')
    .select(({ selectFrom }) => [
      's.id',
      's.endpoint',
      's.p256dh',
      's.auth',
      'm.text',
      selectFrom('community').select('name').as('community'),
    ])
    .where('s.id', '=', subscriptionId)
    .where('m.id', '=', messageId)
    .where(wantsNews)
    .executeTakeFirst();
  if (!row) return;
  const { text, community, ...device } = row;
  const timing = pushTiming(now.getTime() + DAY_MS, now.getTime());
  await deliver(em, app, device, communityPush({ id: messageId, text, community }), timing);
}
