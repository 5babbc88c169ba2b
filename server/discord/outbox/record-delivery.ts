/** Records the result of sending an outbox message: on its row, on the channel, and for the admins. */
import { db, json } from '#server/schema/database.ts';
import type { ThreadState } from '#server/schema/operations.ts';
import type { Em } from '#server/schema/orm.ts';
import { enqueueMissionSync } from '#server/signals/discord-jobs.ts';
import { backoffMs, rateLimitMs, REFUSED_TOKEN_MS } from '#server/discord/rules/backoff.ts';
import { type Verdict, uncertainAnnouncement } from '#server/discord/rules/failures.ts';
import { addGuildEvent, recordGuildEvent } from '#server/discord/guilds/guild-events.ts';
import { enqueueSending, isDirect, startOver } from './outbox.ts';
import type { GuildEventType } from '#shared/vocabulary.ts';
import type { Claim } from './claim-message.ts';
import { onDmClosed } from './closed-dms.ts';
import { isStillOpen } from './compose.ts';
import { checkCards, loseCard, removeCard } from './mission-cards.ts';
import { queueEarlier } from './order-messages.ts';
import { lockGuild } from '#server/discord/guilds/guild-sync.ts';

/** Records for admins that Discord refused a scheduled event, once per server and reason within some minutes. */
async function recordEventFailure(tx: Em, { row }: Claim, why: string, now: Date): Promise<void> {
  if (row.kind !== 'event' || row.guildId === null) return;
  await recordGuildEvent(tx, row.guildId, 'scheduled_event_failed', null, why, now);
}

/** Records an event for admins, for announcements only. */
async function record(
  tx: Em,
  { row, place }: Claim,
  type: GuildEventType,
  why: string | null,
  now: Date,
): Promise<void> {
  if (row.kind !== 'registration' || row.guildId === null || place.kind !== 'channel') return;
  await addGuildEvent(tx, row.guildId, type, place.name, why, now);
}

/** Close a row. @param why null if it was sent. @returns false if another process has claimed the row since */
async function close(
  tx: Em,
  { row }: Claim,
  state: 'queued' | 'sent' | 'failed' | 'uncertain',
  why: string | null,
  now: Date,
): Promise<boolean> {
  const closed = await db(tx)
    .updateTable('outbox_message')
    .set({ state, error_message: why, updated_at: now })
    .where('id', '=', row.id)
    .where('state', '=', 'sending')
    .where('attempts', '=', row.attempts)
    .returning('id')
    .executeTakeFirst();
  return closed !== undefined;
}

export interface Delivered {
  messageId: string | null;
  shown: string | null;
  channelId: string | null;
  /** nothing takes its place */
  isRemoved?: boolean;
  thread?: ThreadState | null;
}

/**
 * Record that Discord shows the message. A row that was queued again meanwhile stays queued, and will be edited; one
 * that now belongs to another account is left alone.
 */
export async function recordSent(
  tx: Em,
  claim: Claim,
  { messageId, shown, channelId, isRemoved = false, thread = null }: Delivered,
  now: Date,
): Promise<void> {
  const { row } = claim;
  // lock the account first, in the same order as where messages are queued
  if (isDirect(row)) {
    await db(tx)
      .updateTable('discord_account')
      .set({ dm_closed_at: null, dm_channel_id: channelId })
      .where('discord_user_id', '=', row.discordUserId)
      .where(({ eb, or }) =>
        or([eb('dm_closed_at', 'is not', null), eb('dm_channel_id', 'is distinct from', channelId)]),
      )
      .execute();
  }
  const after = await db(tx)
    .updateTable('outbox_message')
    .set(({ eb, ref }) => ({
      message_id: messageId,
      shown,
      thread: thread === null ? null : json(thread),
      removed_at: isRemoved ? now : null,
      channel_id: channelId,
      error_message: null,
      called_at: now,
      state: eb
        .case()
        .when('state', '=', 'sending')
        .then('sent' as const)
        .else(ref('state'))
        .end(),
      updated_at: now,
    }))
    .where('id', '=', row.id)
    .where('state', '<>', 'sent')
    .where('discord_user_id', 'is not distinct from', row.discordUserId)
    .returning(({ eb }) => eb('state', '=', 'sent').as('isDone'))
    .executeTakeFirst();
  if (row.messageId === null) await queueEarlier(tx, row, now);
  // its thread can start now
  if (row.kind === 'card' && row.messageId === null && row.subjectId !== null)
    await enqueueMissionSync(tx, row.subjectId);
  if (after?.isDone === true) await record(tx, claim, 'announcement_sent', null, now);
}

/** Adopt the message of an earlier attempt, and queue an edit, since its content may be out of date. */
export async function recordAdopted(
  tx: Em,
  { row }: Claim,
  { messageId, channelId }: Pick<Delivered, 'messageId' | 'channelId'>,
  now: Date,
): Promise<void> {
  await db(tx)
    .updateTable('outbox_message')
    .set({
      state: 'queued',
      attempts: 0,
      message_id: messageId,
      channel_id: channelId,
      shown: null,
      updated_at: now,
    })
    .where('id', '=', row.id)
    .where('message_id', 'is', null)
    .where('state', 'in', ['queued', 'sending'])
    .where('discord_user_id', 'is not distinct from', row.discordUserId)
    .execute();
  await enqueueSending(tx, row);
  await queueEarlier(tx, row, now);
  if (row.kind === 'card' && row.subjectId !== null) await enqueueMissionSync(tx, row.subjectId);
}

/** Cancel a row that was not posted and no longer has any content. */
export async function recordNothingToSend(tx: Em, { row }: Claim, now: Date): Promise<void> {
  await queueEarlier(tx, row, now);
  await db(tx)
    .updateTable('outbox_message')
    .set(({ eb }) => ({
      state: 'cancelled',
      error_message: null,
      message_id: null,
      shown: null,
      first_tried_at: null,
      posting: eb('posting', '+', 1),
      updated_at: now,
    }))
    .where('id', '=', row.id)
    .where('state', '=', 'sending')
    .where('attempts', '=', row.attempts)
    .execute();
}

/** Record that the message may or may not have been posted. Only a person can decide to risk a second one. */
export async function recordUncertain(tx: Em, claim: Claim, now: Date): Promise<void> {
  const why = uncertainAnnouncement(claim.place.kind === 'channel' ? claim.place.name : '');
  if (await close(tx, claim, 'uncertain', why, now)) await record(tx, claim, 'announcement_uncertain', why, now);
}

/**
 * Queue the row for another attempt. One that was queued again meanwhile waits just as long: a message that changes all the
 * time would otherwise be tried, and looked for, all the time. If Discord certainly does not have it, it is not looked for again.
 * @param isAbsent no attempt before this one has posted it
 * @param isNoAttempt this attempt does not count
 */
async function tryAgain(
  tx: Em,
  { row }: Claim,
  { isUndone, sentence }: Verdict,
  { delayMs, isAbsent, isNoAttempt = false }: { delayMs: number; isAbsent: boolean; isNoAttempt?: boolean },
  now: Date,
): Promise<void> {
  const isUntouched = isUndone && isAbsent && row.messageId === null;
  const waits = await db(tx)
    .updateTable('outbox_message')
    .set({
      state: 'queued',
      error_message: sentence,
      updated_at: now,
      attempts: isNoAttempt ? row.attempts - 1 : row.attempts,
      ...(isUntouched && { first_tried_at: null }),
    })
    .where('id', '=', row.id)
    .where('posting', '=', row.posting)
    .where(({ and, eb, or }) =>
      or([
        and([eb('state', '=', 'sending'), eb('attempts', '=', row.attempts)]),
        and([eb('state', '=', 'queued'), eb('attempts', '=', 0)]),
      ]),
    )
    .returning('id')
    .executeTakeFirst();
  if (waits) await enqueueSending(tx, row, delayMs);
}

/** Store the channel's permissions as Discord's response shows them, which is more current than our table. */
async function saveRights(tx: Em, { row, place }: Claim, { rights, sentence }: Verdict, now: Date): Promise<void> {
  if (rights === null || place.kind !== 'channel' || row.guildId === null) return;
  const { canSendMessages, canEmbedLinks } = rights;
  const changed = await db(tx)
    .updateTable('guild_channel')
    .set({
      is_postable: false,
      can_send_messages: canSendMessages,
      can_embed_links: canEmbedLinks,
      updated_at: now,
    })
    .where('id', '=', row.channelId)
    .where('guild_id', '=', row.guildId)
    .where(({ eb, or }) =>
      or([
        eb('is_postable', '=', true),
        eb('can_send_messages', '<>', canSendMessages),
        eb('can_embed_links', '<>', canEmbedLinks),
      ]),
    )
    .returning('id')
    .executeTakeFirst();
  if (changed) await addGuildEvent(tx, row.guildId, 'channel_permissions_changed', place.name, sentence, now);
}

async function removeChannel(tx: Em, { row, place }: Claim, now: Date): Promise<void> {
  if (isDirect(row)) {
    await db(tx)
      .updateTable('discord_account')
      .set({ dm_channel_id: null })
      .where('discord_user_id', '=', row.discordUserId)
      .execute();
    return;
  }
  if (row.guildId === null || place.kind !== 'channel') return;
  const removed = await db(tx)
    .deleteFrom('guild_channel')
    .where('id', '=', row.channelId)
    .where('guild_id', '=', row.guildId)
    .returning('id')
    .executeTakeFirst();
  const lost = await db(tx)
    .updateTable('guild')
    .set({ default_splash_channel_id: null })
    .where('id', '=', row.guildId)
    .where('default_splash_channel_id', '=', row.channelId)
    .returning('id')
    .executeTakeFirst();
  await db(tx)
    .updateTable('guild')
    .set({ missions_channel_id: null })
    .where('id', '=', row.guildId)
    .where('missions_channel_id', '=', row.channelId)
    .execute();
  if (removed && row.channelId !== null) await checkCards(tx, row.guildId, { channelId: row.channelId }, now);
  if (removed) await addGuildEvent(tx, row.guildId, 'channel_deleted', place.name, null, now);
  if (lost) await addGuildEvent(tx, row.guildId, 'default_channel_lost', place.name, null, now);
}

/** Post a deleted message again if it still needs an answer; otherwise close the row. */
async function replace(tx: Em, claim: Claim, now: Date): Promise<void> {
  const { row } = claim;
  const isOpen = await isStillOpen(tx, row, now);
  if (!(await close(tx, claim, isOpen ? 'queued' : 'sent', null, now))) return;
  // one whose state was unknown has just been asked for
  if (row.kind === 'card') return row.shown === null ? loseCard(tx, row, false) : removeCard(tx, row, now);
  if (!isOpen) return;
  await startOver(tx, row.id, { attempts: 0 });
  await enqueueSending(tx, row);
}

/**
 * Record that Discord refused the message or did not respond.
 * @param isUnknown an earlier attempt may have posted it, and the channel cannot be read to find out
 * @param isAbsent no earlier attempt has posted it
 * @param jitter 0 to 1
 */
export async function recordRefused(
  tx: Em,
  claim: Claim,
  verdict: Verdict,
  {
    isUnknown,
    isAbsent,
    retryAfterMs,
    jitter,
  }: { isUnknown: boolean; isAbsent: boolean; retryAfterMs: number | null; jitter: number },
  now: Date,
): Promise<void> {
  const { row, place } = claim;
  // changes to a guild's data lock its row first
  if (place.kind === 'channel' && row.guildId !== null) await lockGuild(tx, row.guildId);
  // and queueing messages for a person locks the account first
  if (verdict.outcome === 'dms closed') {
    await db(tx)
      .selectFrom('discord_account')
      .select('discord_user_id')
      .where('discord_user_id', '=', row.discordUserId)
      .forNoKeyUpdate()
      .execute();
  }
  switch (verdict.outcome) {
    case 'again':
      return tryAgain(tx, claim, verdict, { delayMs: backoffMs(row.attempts, jitter, retryAfterMs), isAbsent }, now);
    case 'rate limited': {
      const delayMs = rateLimitMs(retryAfterMs, jitter);
      return tryAgain(tx, claim, verdict, { delayMs, isAbsent, isNoAttempt: true }, now);
    }
    case 'token refused':
      return tryAgain(tx, claim, verdict, { delayMs: REFUSED_TOKEN_MS, isAbsent }, now);
    case 'message gone':
      return replace(tx, claim, now);
    case 'channel gone':
      if (row.kind === 'card') await loseCard(tx, row, true);
      await removeChannel(tx, claim, now);
      break;
    case 'dms closed':
    case 'failed':
      await saveRights(tx, claim, verdict, now);
      break;
  }
  // what was in a channel that is gone is certainly gone
  if (isUnknown && verdict.outcome !== 'channel gone') return recordUncertain(tx, claim, now);
  if (!(await close(tx, claim, 'failed', verdict.sentence, now))) return;
  if (row.messageId === null) await queueEarlier(tx, row, now);
  await record(tx, claim, 'announcement_failed', verdict.sentence, now);
  await recordEventFailure(tx, claim, verdict.sentence, now);
  if (verdict.outcome === 'dms closed') await onDmClosed(tx, row, now);
}
