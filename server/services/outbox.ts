/** What is to be posted to Discord. A row is written with the change it tells of; whoever sends it reads it from there. */
import { OutboxMessage } from '#server/db/operations.ts';
import type { Em } from '#server/db/orm.ts';

/** What a message to a channel is made of; the sender words it. */
export interface ChannelMessage {
  /** what it is about; a second request joins the row that still waits */
  dedupeKey: string;
  guildId: string;
  channelId: string;
  payload: Record<string, unknown>;
}

/** Whether a message of this key is still to be sent. */
export async function isWaiting(tx: Em, dedupeKey: string): Promise<boolean> {
  return (await tx.count(OutboxMessage, { dedupeKey, state: ['queued', 'sending'] })) > 0;
}

/** Queue a message in the caller's transaction, in which `isWaiting` has said no behind a lock. */
export function queueMessage(tx: Em, { guildId, ...message }: ChannelMessage, now: Date): void {
  tx.create(OutboxMessage, { ...message, kind: 'registration', guild: guildId, createdAt: now, updatedAt: now });
}
