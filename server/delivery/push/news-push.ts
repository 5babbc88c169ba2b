/** Push notifications for pilots who want news: of missions with open seats, and messages to the community. */
import type { Claim } from '#server/delivery/sender.ts';
import { isNewsFor, isOpenMission, wantsNews } from '#server/orders/seats/news-audience.ts';
import { db, isOneOf, ms } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { DAY_MS } from '#server/time/time.ts';
import type { Composed } from './order-push.ts';
import { communityPush, newsMessage } from './rules/push.ts';

/** News of missions: of those that still have open seats and are news for the pilot. */
export async function composeNewsPush(em: Em, { subjectId, userId }: Claim, now: Date): Promise<Composed | null> {
  const missions = await db(em)
    .selectFrom(['mission as m', 'app_user as u'])
    .select(({ ref }) => ['m.id', 'm.name', 'm.theater', ms(ref('m.starts_at')).as('startMs')])
    .where('u.id', '=', userId)
    .where(isOneOf('m.id', subjectId?.split(',') ?? []))
    .where(isOpenMission(now))
    .where(isNewsFor(now))
    .orderBy('m.starts_at')
    .orderBy('m.id')
    .execute();
  const [first] = missions;
  return first ? { message: newsMessage(missions), deadlineMs: first.startMs } : null;
}

/** An admin's message, if the pilot still wants community news. */
export async function composeMessagePush(em: Em, { subjectId, userId }: Claim, now: Date): Promise<Composed | null> {
  const row = await db(em)
    .selectFrom(['community_message as m', 'app_user as u'])
    .select(({ selectFrom }) => ['m.id', 'm.text', selectFrom('community').select('name').as('community')])
    .where('u.id', '=', userId)
    .where('m.id', '=', subjectId)
    .where(wantsNews)
    .executeTakeFirst();
  return row ? { message: communityPush(row), deadlineMs: now.getTime() + DAY_MS } : null;
}
