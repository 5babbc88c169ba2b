/** Email that reminds a pilot of a mission, while they hold the seat, or warns its creator of too few pilots. */
import { loadReminder } from '#server/missions/reminders/reminder-view.ts';
import { betterTimesPath, turnoutHeading, turnoutSentence } from '#server/missions/reminders/rules/turnout-words.ts';
import { loadWarning } from '#server/missions/reminders/turnout-warnings.ts';
import type { Em } from '#server/schema/orm.ts';
import { zuluAndLocal } from '#server/time/clock-text.ts';
import { MINUTE_MS } from '#server/time/time.ts';
import { leadWords } from '#shared/reminders.ts';
import type { ClaimedMail } from './mail-channel.ts';
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

/** @returns null if the mission was called off, moved or started meanwhile, or the creator no longer wants this email */
export async function composeTurnoutMail(
  em: Em,
  { publicUrl, mailLinks }: { publicUrl: string; mailLinks: MailLinks },
  { subjectId }: ClaimedMail,
  now: Date,
): Promise<Letter | null> {
  const warning = subjectId === null ? null : await loadWarning(em, subjectId, now);
  if (!warning?.isCurrent || !warning.wants.email) return null;
  const { name, timeZone, startMs, missionId, recipientId } = warning;
  const heading = turnoutHeading(warning);
  const sentence = turnoutSentence(warning);
  return {
    subject: heading,
    preview: sentence,
    heading,
    paragraphs: [name === null ? 'Hello,' : `Hello ${name},`, sentence],
    facts: [
      ['Start', zuluAndLocal(startMs, timeZone)],
      ['Mission', `${publicUrl}/admin/missions/${missionId}`],
    ],
    button: { label: 'Look for a better time', url: `${publicUrl}${betterTimesPath(warning)}` },
    because: 'You get this because you created this mission and get reminders by email. Your profile has more choices.',
    unsubscribe: {
      label: 'No more reminders by email',
      url: mailLinks.unsubscribeUrl({ choice: 'reminders', subject: recipientId }),
    },
  };
}
