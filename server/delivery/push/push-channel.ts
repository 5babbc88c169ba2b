/** Push notifications as a channel of deliveries. */
import type { Channel, Claim } from '#server/delivery/sender.ts';
import { db } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { NOTIFICATION_KINDS, type NotificationKind } from '#server/schema/delivery.ts';
import { composeMessagePush, composeNewsPush } from './news-push.ts';
import { composeOrderPush, type Composed } from './order-push.ts';
import { deliver, type Device, type Sender } from './push-sender.ts';
import { composeReminderPush, composeTurnoutPush } from './reminder-push.ts';
import { pushTiming } from './rules/push.ts';

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
