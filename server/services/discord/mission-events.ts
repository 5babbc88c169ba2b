/** Missions as guild scheduled events. */
import type { Em } from '#server/db/orm.ts';
import type { OutboxRow } from '#server/services/outbox.ts';
import type { DiscordRest } from './rest.ts';

/** What the row holds afterwards. */
export interface SentEvent {
  /** the scheduled event; null when there is none any more */
  messageId: string | null;
  /** a hash of what it says */
  shown: string | null;
}

/**
 * Make, change or cancel the scheduled event of the mission `row.subjectId` in the guild `row.guildId`. `row.firstTriedMs`
 * that is not null without a `messageId`: it was asked for before, and may be there.
 * @returns null when nothing is to be shown there, and nothing was
 * @throws DiscordProblem, which the sender judges as it does for messages
 */
export async function sendMissionEvent(
  _em: Em,
  _discord: DiscordRest,
  _row: OutboxRow,
  _now: Date,
): Promise<SentEvent | null> {
  return null;
}
