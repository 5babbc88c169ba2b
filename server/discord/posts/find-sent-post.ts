/** Finds a message that was posted although no response from Discord confirmed it. */
import type { APIChannel, APIMessage } from 'discord-api-types/v10';
import { ComponentType, Routes } from 'discord-api-types/v10';
import { db } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import type { Post } from './posts.ts';
import { parseButtonId } from '#shared/discord-button-ids.ts';
import { DiscordProblem, type DiscordClient } from '#server/discord/discord-client.ts';

const PAGE = 100;
/** The pages that fit into the time of one job: at most 2,000 messages are read. */
const PAGES_MAX = 20;
/** This machine's clock may be ahead of Discord's. */
const MARGIN_MS = 5 * 60_000;
/** The first millisecond of Discord's ids. */
const DISCORD_EPOCH_MS = 1_420_070_400_000;

/** `unreadable`: the bot may not read the channel's history, so it cannot tell. */
export type Found = { messageId: string } | 'absent' | 'unreadable';

/** The smallest id that a message of this instant can have. */
function snowflakeAt(ms: number): string {
  return String(BigInt(Math.max(0, Math.floor(ms) - DISCORD_EPOCH_MS)) << 22n);
}

const isNewer = (a: string, b: string): boolean => BigInt(a) > BigInt(b);

/** The subjects of a message's buttons. */
function subjectsOf({ components = [] }: APIMessage): string[] {
  return components.flatMap((row) =>
    row.type === ComponentType.ActionRow
      ? row.components.flatMap((part) => ('custom_id' in part ? (parseButtonId(part.custom_id)?.subject ?? []) : []))
      : [],
  );
}

/** True if another row already has this message, which may be about the same subject. */
async function isHeldByAnother(em: Em, messageId: string, rowId: string): Promise<boolean> {
  const other = await db(em)
    .selectFrom('discord_post')
    .select('id')
    .where('message_id', '=', messageId)
    .where('id', '<>', rowId)
    .executeTakeFirst();
  return other !== undefined;
}

/**
 * Look through a channel for the row's message: one of the bot's own since it was first tried, with a button about the row
 * or its subject.
 * @param requireTime throws when the job has used up its time
 * @throws DiscordProblem when Discord cannot be asked just now
 */
export async function findSentMessage(
  em: Em,
  discord: DiscordClient,
  row: Post & { firstTriedMs: number },
  channelId: string,
  requireTime: () => void,
): Promise<Found> {
  const ownId = await discord.ownId();
  const since = snowflakeAt(row.firstTriedMs - MARGIN_MS);
  let after = since;
  try {
    for (let page = 0; page < PAGES_MAX; page += 1) {
      requireTime();
      const messages = await discord.get<APIMessage[]>(Routes.channelMessages(channelId), {
        after,
        limit: String(PAGE),
      });
      for (const message of messages) {
        const isOurs =
          message.author.id === ownId &&
          subjectsOf(message).some((subject) => subject === row.id || subject === row.subjectId);
        if (isOurs && !(await isHeldByAnother(em, message.id, row.id))) return { messageId: message.id };
      }
      if (messages.length < PAGE)
        return page === 0 && messages.length === 0 ? await readEmpty(discord, channelId, since) : 'absent';
      after = messages.map(({ id }) => id).reduce((a, b) => (isNewer(a, b) ? a : b));
    }
    return 'unreadable';
  } catch (error) {
    if (error instanceof DiscordProblem && error.status === 403) return 'unreadable';
    throw error;
  }
}

/** Checks a channel that looks empty, as any channel does without Read Message History. */
async function readEmpty(discord: DiscordClient, channelId: string, since: string): Promise<Found> {
  const channel = await discord.get<APIChannel>(Routes.channel(channelId));
  const last = 'last_message_id' in channel ? channel.last_message_id : null;
  return typeof last === 'string' && isNewer(last, since) ? 'unreadable' : 'absent';
}
