/**
 * The sender of outbox messages. Every attempt is recorded in the database before it calls Discord, and a retry first asks
 * Discord if the message is already there; the nonce covers the cases that neither can detect.
 */
import { createHash } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import type { APIChannel, APIMessage } from 'discord-api-types/v10';
import { Routes } from 'discord-api-types/v10';
import type { MikroORM } from '@mikro-orm/postgresql';
import type { Log } from '#server/platform/log.ts';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import { judge } from '#server/discord/rules/failures.ts';
import { isDirect, KEPT_KINDS, type OutboxRow } from './outbox.ts';
import type { DiscordMessage } from '#shared/schemas/bot.ts';
import { claim, type Claim } from './claim-message.ts';
import { isMentionedMember, moveMention } from './closed-dms.ts';
import { findSentMessage } from './find-sent-message.ts';
import { sendMissionEvent } from './mission-events.ts';
import { sendMissionThread } from './mission-threads.ts';
import { DiscordProblem, type DiscordClient } from '#server/discord/discord-client.ts';
import {
  type Delivered,
  recordAdopted,
  recordNothingToSend,
  recordRefused,
  recordSent,
  recordUncertain,
} from './record-delivery.ts';

/** Discord remembers a nonce for some minutes. */
const NONCE_MS = 2 * 60_000;
/** Discord allows 25 characters. */
const NONCE_LENGTH = 22;
/** Time limit of a job. After a minute its lock is released and another worker takes it, so it must be done by then. */
const JOB_MS = 40_000;

type Outcome =
  | ({ kind: 'sent'; wasThere: boolean } & Delivered)
  | { kind: 'adopted'; messageId: string; channelId: string }
  | { kind: 'nothing to show' | 'uncertain' }
  | { kind: 'refused'; problem: DiscordProblem; isUnknown: boolean; isAbsent: boolean }
  | { kind: 'not a member' };

/** Clients whose token Discord has refused, so that the error is logged only once. */
const refused = new WeakSet<DiscordClient>();

/**
 * The nonce: the same for every attempt to post a message, and another one for a message that takes its place. Discord compares
 * the nonces of all messages of the bot, whatever their channels.
 */
function nonceOf({ id, posting }: OutboxRow): string {
  return createHash('sha256').update(`${id}:${posting}`).digest('base64url').slice(0, NONCE_LENGTH);
}

const mentionsOf = ({ kind, discordUserId, payload: { roleId } }: OutboxRow) => ({
  parse: [],
  ...(kind === 'card' && typeof roleId === 'string' ? { roles: [roleId] } : {}),
  ...(kind === 'mention' && discordUserId !== null ? { users: [discordUserId] } : {}),
});

async function findChannel(discord: DiscordClient, { row, dmChannelId }: Claim): Promise<string> {
  if (row.channelId !== null && (!isDirect(row) || row.messageId !== null)) return row.channelId;
  if (dmChannelId !== null) return dmChannelId;
  const { id } = await discord.post<APIChannel>(Routes.userChannels(), { recipient_id: row.discordUserId });
  return id;
}

async function edit(
  discord: DiscordClient,
  channelId: string,
  messageId: string,
  row: OutboxRow,
  message: DiscordMessage,
) {
  await discord.patch(Routes.channelMessage(channelId, messageId), {
    content: message.content ?? null,
    embeds: message.embeds ?? [],
    components: message.components ?? [],
    allowed_mentions: mentionsOf(row),
  });
}

/** Posts or edits the message, or finds it if an earlier attempt has posted it. */
async function deliverMessage(em: Em, discord: DiscordClient, claimed: Claim, now: Date): Promise<Outcome> {
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
    return { kind: 'sent', wasThere: true, messageId: row.messageId, shown, channelId };
  }
  const found = wasTried ? await findSentMessage(em, discord, row, channelId, requireTime) : 'absent';
  if (typeof found === 'object') {
    const { messageId } = found;
    if (KEPT_KINDS.includes(row.kind)) return { kind: 'adopted', messageId, channelId };
    return { kind: 'sent', wasThere: true, messageId, shown, channelId };
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
    return { kind: 'sent', wasThere: false, messageId: id, shown, channelId };
  } catch (error) {
    if (error instanceof DiscordProblem)
      return { kind: 'refused', problem: error, isUnknown, isAbsent: found === 'absent' };
    throw error;
  }
}

async function deliver(em: Em, discord: DiscordClient, claimed: Claim, now: Date): Promise<Outcome> {
  const { row } = claimed;
  try {
    if (row.kind !== 'event' && row.kind !== 'thread') return await deliverMessage(em, discord, claimed, now);
    // the time that this attempt has just recorded does not count as an earlier attempt
    const asked = claimed.wasTried ? row : { ...row, firstTriedMs: null };
    const send = row.kind === 'event' ? sendMissionEvent : sendMissionThread;
    const sent = await send(em, discord, asked, now);
    return sent
      ? { kind: 'sent', wasThere: row.messageId !== null, channelId: row.channelId, ...sent }
      : { kind: 'nothing to show' };
  } catch (error) {
    if (error instanceof DiscordProblem)
      return { kind: 'refused', problem: error, isUnknown: false, isAbsent: !claimed.wasTried };
    throw error;
  }
}

/**
 * Send one row of the outbox. Safe to run late, twice, concurrently, and after a crash. A temporary failure queues it again;
 * Discord's errors are recorded, not thrown.
 */
export async function sendMessage(
  { orm, discord, log }: { orm: MikroORM; discord: DiscordClient | null; log: Log },
  rowId: string,
  now: Date,
): Promise<void> {
  if (discord === null) return;
  const em = orm.em.fork();
  const claimed = await transact(em, (tx) => claim(tx, rowId, discord, now));
  if (claimed === null) return;
  const { row, place } = claimed;
  const line = { outbox: rowId, kind: row.kind, attempt: row.attempts };
  const begunMs = performance.now();
  const outcome = await deliver(em, discord, claimed, now);
  const doneAt = new Date(now.getTime() + performance.now() - begunMs);
  switch (outcome.kind) {
    case 'sent':
      refused.delete(discord);
      await transact(em, (tx) => recordSent(tx, claimed, outcome, doneAt));
      log.info({ ...line, wasThere: outcome.wasThere }, 'Discord message sent');
      return;
    case 'adopted':
      await transact(em, (tx) => recordAdopted(tx, claimed, outcome, now));
      log.info(line, 'Discord message found');
      return;
    case 'nothing to show':
      await transact(em, (tx) => recordNothingToSend(tx, claimed, now));
      return;
    case 'not a member':
      await transact(em, (tx) => moveMention(tx, row, now));
      return;
    case 'uncertain':
      await transact(em, (tx) => recordUncertain(tx, claimed, now));
      log.warn(line, 'Discord message uncertain');
      return;
    case 'refused': {
      const { status, code, retryAfterMs } = outcome.problem;
      const verdict = judge({ status, code }, place);
      const { isUnknown, isAbsent } = outcome;
      const how = { isUnknown, isAbsent, retryAfterMs, jitter: Math.random() };
      await transact(em, (tx) => recordRefused(tx, claimed, verdict, how, now));
      if (verdict.outcome === 'rate limited') {
        log.debug({ ...line, retryAfterMs }, 'Discord message waits for a rate limit');
      } else if (verdict.outcome !== 'token refused') {
        log.warn({ ...line, status, code, outcome: verdict.outcome }, 'Discord message not sent');
      } else if (!refused.has(discord)) {
        refused.add(discord);
        log.error({ status }, "Discord refuses the bot's token: messages wait until DISCORD_TOKEN is right");
      }
    }
  }
}
