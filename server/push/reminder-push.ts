/** Push notifications that remind a pilot of a mission or warn its creator, one job for each device, with the results of reminders for the admins. */
import type { MikroORM } from '@mikro-orm/postgresql';
import { loadReminder } from '#server/reminders/reminder-view.ts';
import { betterTimesPath, turnoutHeading, turnoutSentence } from '#server/reminders/rules/turnout-words.ts';
import { loadWarning } from '#server/reminders/turnout-warnings.ts';
import { db } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { MINUTE_MS } from '#server/time/time.ts';
import { leadWords } from '#shared/reminders.ts';
import { deliver, orderNews, PushDelayed, type Sender } from './push-sender.ts';
import { pushTiming, reminderMessage } from './rules/push.ts';

/** Record that a device got the reminder, or why this one did not; one device is enough. */
const record = (em: Em, reminderId: string, result: { pushed_at: Date } | { push_error: string }) =>
  db(em).updateTable('reminder').set(result).where('id', '=', reminderId).execute();

/** A device, if it still belongs to this person. */
const findDevice = (em: Em, subscriptionId: string, userId: string) =>
  db(em)
    .selectFrom('push_subscription')
    .select(['id', 'endpoint', 'p256dh', 'auth'])
    .where('id', '=', subscriptionId)
    .where('user_id', '=', userId)
    .executeTakeFirst();

/**
 * Send one reminder to one device. Do Not Disturb does not hold it back.
 * @throws PushDelayed when the job should be retried
 */
export async function sendReminderPush(
  app: Sender & { orm: MikroORM },
  { reminderId, subscriptionId }: { reminderId: string; subscriptionId: string },
  now: Date,
): Promise<void> {
  const em = app.orm.em.fork();
  const reminder = await loadReminder(em, reminderId, now);
  if (!reminder?.isCurrent || !reminder.wants.push) return;
  const device = await findDevice(em, subscriptionId, reminder.pilotId);
  if (!device) return;
  const { order, asks } = reminder;
  const lead = leadWords((order.starts_ms - now.getTime()) / MINUTE_MS);
  const message = reminderMessage(orderNews(order), { asks, lead });
  try {
    const delivery = await deliver(em, app, device, message, pushTiming(order.starts_ms, now.getTime()));
    await record(
      em,
      reminderId,
      delivery === 'sent' ? { pushed_at: now } : { push_error: delivery === 'gone' ? GONE : REFUSED },
    );
  } catch (error) {
    if (error instanceof PushDelayed) await record(em, reminderId, { push_error: DELAYED });
    throw error;
  }
}

const GONE = 'The browser no longer takes notifications.';
const REFUSED = 'The push service refused the notification.';
const DELAYED = 'The push service did not answer.';

/**
 * Send one warning of too few pilots to one device.
 * @throws PushDelayed when the job should be retried
 */
export async function sendTurnoutPush(
  app: Sender & { orm: MikroORM },
  { warningId, subscriptionId }: { warningId: string; subscriptionId: string },
  now: Date,
): Promise<void> {
  const em = app.orm.em.fork();
  const warning = await loadWarning(em, warningId, now);
  if (!warning?.isCurrent || !warning.wants.push) return;
  const device = await findDevice(em, subscriptionId, warning.recipientId);
  if (!device) return;
  const message = {
    title: turnoutHeading(warning),
    body: turnoutSentence(warning),
    url: betterTimesPath(warning),
    tag: `turnout-${warning.missionId}`,
    orderId: null,
    changedAt: null,
  };
  await deliver(em, app, device, message, pushTiming(warning.startMs, now.getTime()));
}
