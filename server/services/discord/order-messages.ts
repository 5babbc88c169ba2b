/** Frag orders in Discord: what their direct messages say, and what happens when someone takes none. */
import type { Em } from '#server/db/orm.ts';
import type { OutboxRow } from '#server/services/outbox.ts';
import type { DiscordMessage } from '#shared/schemas/bot.ts';

/** A pilot's order as it stands; null when it is not to be told any more. */
export async function composeOrder(_em: Em, _row: OutboxRow, _now: Date): Promise<DiscordMessage | null> {
  return null;
}

/** A word in public to a pilot whose direct messages are closed, without private content. */
export async function composeMention(_em: Em, _row: OutboxRow, _now: Date): Promise<DiscordMessage | null> {
  return null;
}

/** An open mission, for those who want to hear of it. */
export async function composeNews(_em: Em, _row: OutboxRow, _now: Date): Promise<DiscordMessage | null> {
  return null;
}

/** Whether the order still waits for an answer: a message that was deleted is then posted anew. */
export async function isOrderOpen(_em: Em, _row: OutboxRow, _now: Date): Promise<boolean> {
  return false;
}

/** Discord refused a direct message, in the transaction that marks the row as failed. */
export async function onDmClosed(_tx: Em, _row: OutboxRow, _now: Date): Promise<void> {}
