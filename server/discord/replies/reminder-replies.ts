/** Answers to "Still flying?" by the buttons of a reminder, through the same rooms as on the site. */
import type { z } from 'zod';
import { presentReminder } from '#server/discord/posts/reminder-messages.ts';
import { sentence } from '#server/discord/rules/parts.ts';
import { endedReminder } from '#server/discord/rules/reminder-card.ts';
import { presentOrder } from '#server/orders/order-view.ts';
import { loadReminder } from '#server/missions/reminders/reminder-view.ts';
import { AppError } from '#server/platform/errors.ts';
import type { Em } from '#server/schema/orm.ts';
import { textsFor } from '#shared/discord-texts/catalogue.ts';
import type { answeredOrder, answerReminderInput, DiscordMessage } from '#shared/schemas/bot.ts';
import { asPilot } from './actor.ts';
import { answerFromDiscord } from './order-replies.ts';

/**
 * Confirm the seat of a reminder, or give it back. A reminder that no longer applies is refused: a mission that has moved is
 * not confirmed for a time that the pilot has not seen.
 * @returns the sentence and the reminder as it is now; 404 "Frag order not found" for another pilot's
 */
export async function answerReminder(
  em: Em,
  { actor, reminderId, isFlying }: z.infer<typeof answerReminderInput>,
  publicUrl: string,
  now: Date,
): Promise<z.infer<typeof answeredOrder>> {
  const texts = textsFor(actor.locale);
  let isRefused = true;
  let card: DiscordMessage | null = null;
  const reply = await asPilot(em, actor, async (viewer) => {
    const reminder = await loadReminder(em, reminderId, now);
    if (reminder?.pilotId !== viewer.id) throw new AppError('ORDER_NOT_FOUND');
    const order = presentOrder(reminder.order, now);
    let said = sentence(endedReminder({ order, hasMoved: reminder.hasMoved }, now.getTime(), texts));
    if (reminder.isCurrent) {
      const response = isFlying ? 'accepted' : 'declined';
      const answer = { actor, orderId: order.id, response, seen: order.changedAt } as const;
      ({ reply: said, isRefused } = await answerFromDiscord(em, answer, publicUrl, now));
    }
    const after = await loadReminder(em.fork(), reminderId, now);
    card = after && presentReminder(after, publicUrl, now, texts);
    return said;
  });
  return { reply, isRefused, card };
}
