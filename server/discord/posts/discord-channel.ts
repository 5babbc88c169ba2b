/**
 * Discord as a channel of deliveries. Every attempt is recorded in the database before it calls Discord, and a retry first asks
 * Discord if the message is already there; the nonce covers the cases that neither can detect.
 */
import { createHash } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import type { APIChannel, APIMessage } from 'discord-api-types/v10';
import { Routes } from 'discord-api-types/v10';
import type { Channel, SendResult } from '#server/delivery/sender.ts';
import type { Log } from '#server/platform/log.ts';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import { isDirect, isKept, type Post } from './posts.ts';
import type { DiscordMessage } from '#shared/schemas/bot.ts';
import { preparePost, type Prepared } from './prepare-post.ts';
import { isMentionedMember } from './closed-dms.ts';
import { findSentMessage } from './find-sent-post.ts';
import { sendMissionEvent } from './mission-events.ts';
import { sendMissionThread } from './mission-threads.ts';
import { DiscordProblem, type DiscordClient } from '#server/discord/discord-client.ts';
import { resultOf, type Outcome } from './record-result.ts';

/** Discord remembers a nonce for some minutes. */
const NONCE_MS = 2 * 60_000;
/** Discord allows 25 characters. */
const NONCE_LENGTH = 22;
/** Time limit of a job. After a minute its lock is released and another worker takes it, so it must be done by then. */
const JOB_MS = 40_000;

/**
 * The nonce: the same for every attempt to post a message, and another one for a message that takes its place. Discord compares
 * the nonces of all messages of the bot, whatever their channels.
 */
function nonceOf({ id, posting }: Post): string {
  return createHash('sha256').update(`${id}:${posting}`).digest('base64url').slice(0, NONCE_LENGTH);
}

const mentionsOf = ({ kind, discordUserId, payload: { roleId } }: Post) => ({
  parse: [],
  ...(kind === 'card' && typeof roleId === 'string' ? { roles: [roleId] } : {}),
  ...(kind === 'mention' && discordUserId !== null ? { users: [discordUserId] } : {}),
});

async function findChannel(discord: DiscordClient, { row, dmChannelId }: Prepared): Promise<string> {
  if (row.channelId !== null && (!isDirect(row) || row.messageId !== null)) return row.channelId;
  if (dmChannelId !== null) return dmChannelId;
  const { id } = await discord.post<APIChannel>(Routes.userChannels(), { recipient_id: row.discordUserId });
  return id;
}

async function edit(discord: DiscordClient, channelId: string, messageId: string, row: Post, message: DiscordMessage) {
  await discord.patch(Routes.channelMessage(channelId, messageId), {
    content: message.content ?? null,
    embeds: message.embeds ?? [],
    components: message.components ?? [],
    allowed_mentions: mentionsOf(row),
  });
}

/** Posts or edits the message, or finds it if an earlier attempt has posted it. */
async function deliverMessage(em: Em, discord: DiscordClient, claimed: Prepared, now: Date): Promise<Outcome> {
  const { row, message, shown, wasTried } = claimed;
  const begunMs = performance.now();
  const requireTime = (): void => {
    if (performance.now() - begunMs < JOB_MS) return;
    throw new DiscordProblem({ status: null, code: null, retryAfterMs: null }, null);
  };
  if (row.kind === 'mention' && !wasTried && !(await isMentionedMember(discord, row))) return { kind: 'not a member' };
  const channelId = await findChannel(discord, claimed);
  if (row.messageId !== null && message !== null) {
    await edit(discord, channelId, row.messageId, row, message);
    return { kind: 'sent', messageId: row.messageId, shown, channelId };
  }
  const found = wasTried ? await findSentMessage(em, discord, row, channelId, requireTime) : 'absent';
  if (typeof found === 'object') {
    const { messageId } = found;
    if (isKept(row.kind)) return { kind: 'adopted', messageId, channelId };
    return { kind: 'sent', messageId, shown, channelId };
  }
  if (message === null) return { kind: 'nothing to show' };
  const isUnknown = found === 'unreadable';
  if (isUnknown && now.getTime() - row.firstTriedMs > NONCE_MS) return { kind: 'uncertain' };
  requireTime();
  try {
    const { id } = await discord.post<APIMessage>(Routes.channelMessages(channelId), {
      ...message,
      allowed_mentions: mentionsOf(row),
      ...(claimed.replyTo === null
        ? {}
        : { message_reference: { message_id: claimed.replyTo, fail_if_not_exists: false } }),
      nonce: nonceOf(row),
      enforce_nonce: true,
    });
    return { kind: 'sent', messageId: id, shown, channelId };
  } catch (error) {
    if (error instanceof DiscordProblem)
      return { kind: 'refused', problem: error, isUnknown, isAbsent: found === 'absent' };
    throw error;
  }
}

async function deliver(em: Em, discord: DiscordClient, claimed: Prepared, now: Date): Promise<Outcome> {
  const { row } = claimed;
  try {
    if (row.kind !== 'event' && row.kind !== 'thread') return await deliverMessage(em, discord, claimed, now);
    // the time that this attempt has just recorded does not count as an earlier attempt
    const asked = claimed.wasTried ? row : { ...row, firstTriedMs: null };
    const send = row.kind === 'event' ? sendMissionEvent : sendMissionThread;
    const sent = await send(em, discord, asked, now);
    return sent ? { kind: 'sent', channelId: row.channelId, ...sent } : { kind: 'nothing to show' };
  } catch (error) {
    if (error instanceof DiscordProblem)
      return { kind: 'refused', problem: error, isUnknown: false, isAbsent: !claimed.wasTried };
    throw error;
  }
}

const isResult = (prepared: Prepared | SendResult): prepared is SendResult => 'outcome' in prepared;

/** Discord's errors are results; a delivery is safe to send late, twice, concurrently, and after a crash. */
export const createDiscordChannel = ({ discord, log }: { discord: DiscordClient; log: Log }): Channel => ({
  name: 'Discord message',
  async prepare(em, claimed, now) {
    const prepared = await transact(em, (tx) => preparePost(tx, claimed, discord, now));
    if (isResult(prepared)) return prepared;
    return async () => {
      const begunMs = performance.now();
      const outcome = await deliver(em, discord, prepared, now);
      const doneAt = new Date(now.getTime() + performance.now() - begunMs);
      return resultOf(em, prepared, outcome, { doneAt, discord, log });
    };
  },
});
