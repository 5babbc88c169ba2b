/** Composes an outbox message by its kind, at the moment it is sent. */
import { db } from '#server/schema/database.ts';
import type { PostKind } from '#server/schema/discord-post.ts';
import type { Em } from '#server/schema/orm.ts';
import { registrationAnnouncement, welcomeMessage } from '#server/discord/rules/registration-text.ts';
import type { Post } from './posts.ts';
import { textsFor } from '#shared/discord-texts/catalogue.ts';
import type { DiscordMessage } from '#shared/schemas/bot.ts';
import { composeCard } from './mission-cards.ts';
import { composeMention } from './closed-dms.ts';
import { composeCommunityMessage } from './community-messages.ts';
import { composeNews, composeWeekNews } from './news.ts';
import { composeReminder, composeTurnout } from './reminder-messages.ts';
import { composeOrder, type ComposedOrder, isOrderOpen } from './order-messages.ts';

type Compose = (em: Em, row: Post, now: Date) => Promise<DiscordMessage | null>;

async function composeRegistration(em: Em, row: Post): Promise<DiscordMessage | null> {
  const guild = await db(em).selectFrom('guild').select('name').where('id', '=', row.guildId).executeTakeFirst();
  return guild ? registrationAnnouncement(guild.name, row.id, textsFor(row.locale)) : null;
}

async function composeWelcome(em: Em, row: Post): Promise<DiscordMessage | null> {
  const guild = await db(em).selectFrom('guild').select('name').where('id', '=', row.guildId).executeTakeFirst();
  return guild ? welcomeMessage(row.id, textsFor(row.locale)) : null;
}

/** Scheduled events and threads are not messages; `sendMissionEvent` and `sendMissionThread` handle them. */
const COMPOSERS: Record<Exclude<PostKind, 'event' | 'thread' | 'order'>, Compose> = {
  registration: composeRegistration,
  welcome: composeWelcome,
  mention: composeMention,
  news: composeNews,
  week: composeWeekNews,
  community: composeCommunityMessage,
  reminder: composeReminder,
  turnout: composeTurnout,
  card: composeCard,
};

/** By kind: true if a message that somebody deleted still needs an answer, so that it is posted again. */
const IS_OPEN: Partial<Record<PostKind, (em: Em, row: Post, now: Date) => Promise<boolean>>> = {
  order: isOrderOpen,
};

/**
 * The current content of a message, from its row and subject. One of its buttons has a custom_id that ends with the row's id
 * or its subject's, by which the sender can find the message again.
 */
export async function compose(em: Em, row: Post, now: Date): Promise<ComposedOrder> {
  if (row.kind === 'order') return composeOrder(em, row, now);
  const message = row.kind === 'event' || row.kind === 'thread' ? null : await COMPOSERS[row.kind](em, row, now);
  return { message, ring: '', replyTo: null };
}

/** True if a kept message that was deleted from its channel should be posted again. */
export async function isStillOpen(em: Em, row: Post, now: Date): Promise<boolean> {
  return (await IS_OPEN[row.kind]?.(em, row, now)) ?? false;
}
