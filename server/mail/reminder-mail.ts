/** Email that reminds a pilot of a mission, while they hold the seat. */
import { loadReminder } from '#server/reminders/reminder-view.ts';
import type { Em } from '#server/schema/orm.ts';
import { MINUTE_MS } from '#server/time/time.ts';
import { leadWords } from '#shared/reminders.ts';
import type { ClaimedMail } from './compose.ts';
import type { MailLinks } from './mail-links.ts';
import { letterOrder } from './order-mail.ts';
import type { Letter } from './rules/letter.ts';
import { reminderLetter } from './rules/order-letter.ts';

/** @returns null if the reminder is no longer true or wanted; Do Not Disturb does not hold it back */
export async function composeReminderMail(
  em: Em,
  { publicUrl, mailLinks }: { publicUrl: string; mailLinks: MailLinks },
  { subjectId }: ClaimedMail,
  now: Date,
): Promise<Letter | null> {
  const reminder = subjectId === null ? null : await loadReminder(em, subjectId, now);
  if (!reminder?.isCurrent || !reminder.wants.email) return null;
  const { order, asks, name, timeZone, pilotId } = reminder;
  return reminderLetter({
    order: letterOrder(order),
    asks,
    lead: leadWords((order.starts_ms - now.getTime()) / MINUTE_MS),
    name,
    timeZone,
    url: `${publicUrl}/orders/${order.id}`,
    unsubscribeUrl: mailLinks.unsubscribeUrl({ choice: 'reminders', subject: pilotId }),
  });
}
