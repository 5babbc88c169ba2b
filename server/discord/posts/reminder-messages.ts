/** Reminders of missions as direct messages: queued once by the room that finds what is due, and kept up to date. */
import { presentOrder } from '#server/orders/order-view.ts';
import { loadReminder, type LoadedReminder } from '#server/missions/reminders/reminder-view.ts';
import { loadWarning } from '#server/missions/reminders/turnout-warnings.ts';
import { db, isOneOf } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { reminderCard, turnoutCard } from '#server/discord/rules/reminder-card.ts';
import { DAY_MS } from '#server/time/time.ts';
import { type Texts, textsFor } from '#shared/discord-texts/catalogue.ts';
import type { DiscordMessage } from '#shared/schemas/bot.ts';
import { hashShown } from './content-hash.ts';
import { CHANGED, type Post, publicUrlOf, queueAgain, queuePost, standsOrIsSent, stateOf } from './posts.ts';
import { isReachable } from '#server/schema/reachability.ts';

/** Linked accounts of pilots that take direct messages. */
const selectReachable = (em: Em) =>
  db(em)
    .selectFrom('discord_account as d')
    .select(['d.user_id as pilotId', 'd.discord_user_id as discordUserId'])
    .where('d.wants_orders', '=', true)
    .where(isReachable);

/**
 * Queue reminders, or warnings of too few pilots, in the transaction that records them.
 * @returns the ids of those whose pilots can get direct messages
 */
export async function queueReminders(
  tx: Em,
  reminders: readonly { id: string; pilotId: string }[],
  publicUrl: string,
  now: Date,
  kind: 'reminder' | 'turnout' = 'reminder',
): Promise<string[]> {
  const accounts = await selectReachable(tx)
    .where(isOneOf('d.user_id', [...new Set(reminders.map(({ pilotId }) => pilotId))]))
    .execute();
  const accountOf = new Map(accounts.map(({ pilotId, discordUserId }) => [pilotId, discordUserId]));
  const queued: string[] = [];
  for (const { id, pilotId } of reminders) {
    const discordUserId = accountOf.get(pilotId);
    if (discordUserId === undefined) continue;
    const to = { guildId: null, channelId: null, discordUserId, subjectId: id };
    await queuePost(tx, { kind, dedupeKey: `${kind}:${id}`, ...to, payload: { publicUrl } }, now);
    queued.push(id);
  }
  return queued;
}

/** A reminder as a message now. */
export const presentReminder = (reminder: LoadedReminder, publicUrl: string, now: Date, texts: Texts): DiscordMessage =>
  reminderCard({ ...reminder, order: presentOrder(reminder.order, now) }, publicUrl, now.getTime(), texts);

/** True if the message's account is still linked to its reader, and takes direct messages. */
async function isStillReachable(em: Em, { discordUserId }: Post, userId: string): Promise<boolean> {
  const account = await selectReachable(em)
    .where('d.user_id', '=', userId)
    .where('d.discord_user_id', '=', discordUserId)
    .executeTakeFirst();
  return account !== undefined;
}

/** A warning of too few pilots; null if the mission was called off, moved or started meanwhile. */
export async function composeTurnout(em: Em, row: Post, now: Date): Promise<DiscordMessage | null> {
  const warning = row.subjectId === null ? null : await loadWarning(em, row.subjectId, now);
  if (!warning?.isCurrent || !warning.wants.discord) return null;
  if (!(await isStillReachable(em, row, warning.recipientId))) return null;
  return turnoutCard(warning, publicUrlOf(row), row.id, textsFor(row.locale));
}

/** The current content; null if it is not to be sent any more. Do Not Disturb does not hold it back. */
export async function composeReminder(em: Em, row: Post, now: Date): Promise<DiscordMessage | null> {
  const reminder = row.subjectId === null ? null : await loadReminder(em, row.subjectId, now);
  if (!reminder) return null;
  // a message that was attempted may have been posted, and its content and buttons must then be up to date
  if (row.messageId === null && row.firstTriedMs === null) {
    if (!reminder.isCurrent || !reminder.wants.discord) return null;
    if (!(await isStillReachable(em, row, reminder.pilotId))) return null;
  }
  return presentReminder(reminder, publicUrlOf(row), now, textsFor(row.locale));
}

/**
 * Queue edits of a pilot's reminders that say something else by now.
 * @returns when the clock changes one of them, epoch milliseconds
 */
export async function syncReminders(
  tx: Em,
  { pilotId, locale }: { pilotId: string; locale: string | null },
  publicUrl: string,
  now: Date,
): Promise<number[]> {
  const rows = await db(tx)
    .selectFrom('reminder as r')
    .innerJoin('discord_post as o', (join) =>
      join.on('o.kind', '=', 'reminder').on(({ eb, cast }) => eb('o.subject_id', '=', cast<string>('r.id', 'text'))),
    )
    .select(['r.id as reminderId', 'o.shown', ...CHANGED])
    .select((eb) => stateOf(eb).as('state'))
    .where('r.pilot_id', '=', pilotId)
    .where('r.starts_at', '>', new Date(now.getTime() - DAY_MS))
    .where(standsOrIsSent)
    .orderBy('r.created_at')
    .execute();
  const moments: number[] = [];
  for (const { reminderId, shown, state, ...post } of rows) {
    const reminder = await loadReminder(tx, reminderId, now);
    if (!reminder) continue;
    if (state === 'sending' || shown !== hashShown(presentReminder(reminder, publicUrl, now, textsFor(locale))))
      await queueAgain(tx, [post]);
    if (reminder.isCurrent) moments.push(reminder.order.starts_ms);
  }
  return moments;
}
