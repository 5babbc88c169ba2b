/** Push notifications that remind a pilot of a mission or warn its creator. */
import type { Claim } from '#server/delivery/sender.ts';
import { loadReminder } from '#server/missions/reminders/reminder-view.ts';
import { betterTimesPath, turnoutHeading, turnoutSentence } from '#server/missions/reminders/rules/turnout-words.ts';
import { loadWarning } from '#server/missions/reminders/turnout-warnings.ts';
import type { Em } from '#server/schema/orm.ts';
import { MINUTE_MS } from '#server/time/time.ts';
import { leadWords } from '#shared/reminders.ts';
import { orderNews, type Composed } from './order-push.ts';
import { reminderMessage } from './rules/push.ts';

/** Do Not Disturb does not hold a reminder back. */
export async function composeReminderPush(em: Em, { subjectId, userId }: Claim, now: Date): Promise<Composed | null> {
  const reminder = subjectId === null ? null : await loadReminder(em, subjectId, now);
  if (!reminder?.isCurrent || !reminder.wants.push || reminder.pilotId !== userId) return null;
  const { order, asks } = reminder;
  const lead = leadWords((order.starts_ms - now.getTime()) / MINUTE_MS);
  return { message: reminderMessage(orderNews(order), { asks, lead }), deadlineMs: order.starts_ms };
}

export async function composeTurnoutPush(em: Em, { subjectId, userId }: Claim, now: Date): Promise<Composed | null> {
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
