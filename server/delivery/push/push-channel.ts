/** Push notifications as a channel of deliveries: of orders, reminders, open missions and messages to the community. */
import type { Channel, Claim } from '#server/delivery/sender.ts';
import { loadReminder } from '#server/missions/reminders/reminder-view.ts';
import { betterTimesPath, turnoutHeading, turnoutSentence } from '#server/missions/reminders/rules/turnout-words.ts';
import { loadWarning } from '#server/missions/reminders/turnout-warnings.ts';
import { isNewsFor, isOpenMission, wantsNews } from '#server/orders/seats/news-audience.ts';
import { db, isOneOf, ms } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { NOTIFICATION_KINDS, type NotificationKind } from '#server/schema/delivery.ts';
import { DAY_MS, MINUTE_MS } from '#server/time/time.ts';
import { leadWords } from '#shared/reminders.ts';
import { composeOrderPush, orderNews, type Composed } from './order-push.ts';
import { deliver, type Device, type Sender } from './push-sender.ts';
import { communityPush, newsMessage, pushTiming, reminderMessage } from './rules/push.ts';

/** Do Not Disturb does not hold a reminder back. */
async function composeReminderPush(em: Em, { subjectId, userId }: Claim, now: Date): Promise<Composed | null> {
  const reminder = subjectId === null ? null : await loadReminder(em, subjectId, now);
  if (!reminder?.isCurrent || !reminder.wants.push || reminder.pilotId !== userId) return null;
  const { order, asks } = reminder;
  const lead = leadWords((order.starts_ms - now.getTime()) / MINUTE_MS);
  return { message: reminderMessage(orderNews(order), { asks, lead }), deadlineMs: order.starts_ms };
}

async function composeTurnoutPush(em: Em, { subjectId, userId }: Claim, now: Date): Promise<Composed | null> {
  const warning = subjectId === null ? null : await loadWarning(em, subjectId, now);
  if (!warning?.isCurrent || !warning.wants.push || warning.recipientId !== userId) return null;
  const message = {
    title: turnoutHeading(warning),
    body: turnoutSentence(warning),
    url: betterTimesPath(warning),
    tag: `turnout-${warning.missionId}`,
    orderId: null,
    changedAt: null,
  };
  return { message, deadlineMs: warning.startMs };
}

/** News of missions: of those that still have open seats and are news for the pilot. */
async function composeNewsPush(em: Em, { subjectId, userId }: Claim, now: Date): Promise<Composed | null> {
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
async function composeMessagePush(em: Em, { subjectId, userId }: Claim, now: Date): Promise<Composed | null> {
  const row = await db(em)
    .selectFrom(['community_message as m', 'app_user as u'])
    .select(({ selectFrom }) => ['m.id', 'm.text', selectFrom('community').select('name').as('community')])
    .where('u.id', '=', userId)
    .where('m.id', '=', subjectId)
    .where(wantsNews)
    .executeTakeFirst();
  return row ? { message: communityPush(row), deadlineMs: now.getTime() + DAY_MS } : null;
}

/** The text of each kind; null if it is no longer wanted. */
const COMPOSERS: Record<NotificationKind, (em: Em, claimed: Claim, now: Date) => Promise<Composed | null>> = {
  order: composeOrderPush,
  reminder: composeReminderPush,
  turnout: composeTurnoutPush,
  news: composeNewsPush,
  message: composeMessagePush,
};

const isNotificationKind = (kind: string): kind is NotificationKind =>
  (NOTIFICATION_KINDS as readonly string[]).includes(kind);

/** The device of a delivery, unless it is gone or belongs to somebody else by now. */
async function findDevice(em: Em, { deviceId, userId }: Claim): Promise<Device | null> {
  if (deviceId === null || userId === null) return null;
  const device = await db(em)
    .selectFrom('push_subscription')
    .select(['id', 'endpoint', 'p256dh', 'auth'])
    .where('id', '=', deviceId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return device ?? null;
}

export const createPushChannel = (app: Sender): Channel => ({
  name: 'Push notification',
  async prepare(em, claimed, now) {
    const { kind } = claimed;
    if (!isNotificationKind(kind)) throw new Error(`There is no notification of the kind ${kind}`);
    const device = await findDevice(em, claimed);
    const composed = device && (await COMPOSERS[kind](em, claimed, now));
    if (!composed || composed.deadlineMs <= now.getTime()) return null;
    const { message, deadlineMs } = composed;
    return () => deliver(em, app, device, message, pushTiming(deadlineMs, now.getTime()));
  },
});
