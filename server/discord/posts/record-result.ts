/** What the result of a change in Discord means: for its delivery, on its post, on the channel, and for the admins. */
import type { Log } from '#server/platform/log.ts';
import type { SendResult } from '#server/delivery/sender.ts';
import { db, json } from '#server/schema/database.ts';
import type { ThreadState } from '#server/schema/discord-post.ts';
import { DiscordAccount } from '#server/schema/guild.ts';
import type { Em } from '#server/schema/orm.ts';
import { enqueueMissionSync } from '#server/signals/discord-jobs.ts';
import { backoffMs, rateLimitMs, REFUSED_TOKEN_MS } from '#server/discord/rules/backoff.ts';
import { judge, type Verdict, uncertainAnnouncement } from '#server/discord/rules/failures.ts';
import type { DiscordClient, DiscordProblem } from '#server/discord/discord-client.ts';
import { addGuildEvent, recordGuildEvent } from '#server/discord/guilds/guild-events.ts';
import { isDirect, startOver } from './posts.ts';
import type { GuildEventType } from '#shared/vocabulary.ts';
import type { Prepared } from './prepare-post.ts';
import { moveMention, onDmClosed } from './closed-dms.ts';
import { isStillOpen } from './compose.ts';
import { checkCards, loseCard, removeCard } from './mission-cards.ts';
import { queueEarlier } from './order-messages.ts';
import { lockGuild } from '#server/discord/guilds/guild-sync.ts';

/** What came of an attempt. */
export type Outcome =
  | ({ kind: 'sent' } & Delivered)
  | { kind: 'adopted'; messageId: string; channelId: string }
  | { kind: 'nothing to show' | 'uncertain' | 'not a member' }
  | {
      kind: 'refused';
      problem: DiscordProblem;
      /** an earlier attempt may have posted it, and the channel cannot be read to find out */
      isUnknown: boolean;
      /** no earlier attempt has posted it */
      isAbsent: boolean;
    };

/** What Discord shows after an attempt. */
export interface Delivered {
  messageId: string | null;
  shown: string | null;
  channelId: string | null;
  /** nothing takes its place */
  isRemoved?: boolean;
  thread?: ThreadState | null;
}

type Refused = Extract<Outcome, { kind: 'refused' }>;

/** Clients whose token Discord has refused, so that the error is logged only once. */
const refusedTokens = new WeakSet<DiscordClient>();

/** Locks the post of a change, and before it the account of a direct message, as those who queue changes do. */
async function lockPost(tx: Em, { row }: Prepared): Promise<void> {
  if (isDirect(row))
    await db(tx)
      .selectFrom('discord_account')
      .select('discord_user_id')
      .where('discord_user_id', '=', row.discordUserId)
      .forNoKeyUpdate()
      .execute();
  await db(tx).selectFrom('discord_post').select('id').where('id', '=', row.id).forNoKeyUpdate().execute();
}

/** Records an event for admins, for announcements only. */
async function recordForAdmins(
  tx: Em,
  { row, place }: Prepared,
  type: GuildEventType,
  why: string | null,
  now: Date,
): Promise<void> {
  if (row.kind !== 'registration' || row.guildId === null || place.kind !== 'channel') return;
  await addGuildEvent(tx, row.guildId, type, place.name, why, now);
}

/** Its thread can start now. */
async function onCardShown(tx: Em, { row }: Prepared): Promise<void> {
  if (row.kind === 'card' && row.messageId === null && row.subjectId !== null)
    await enqueueMissionSync(tx, row.subjectId);
}

/** Update what Discord shows, unless the post has started over or belongs to another account by now. */
const updateShown = (tx: Em, { row }: Prepared) =>
  db(tx)
    .updateTable('discord_post')
    .where('id', '=', row.id)
    .where('posting', '=', row.posting)
    .where('discord_user_id', 'is not distinct from', row.discordUserId);

async function recordSent(
  tx: Em,
  prepared: Prepared,
  { messageId, shown, channelId, isRemoved = false, thread = null }: Delivered,
  now: Date,
): Promise<void> {
  const { row } = prepared;
  if (isDirect(row)) {
    const isOther = {
      $or: [{ dmClosedAt: { $ne: null } }, { dmChannelId: null }, { dmChannelId: { $ne: channelId } }],
    };
    await tx.nativeUpdate(
      DiscordAccount,
      { discordUserId: row.discordUserId, ...isOther },
      { dmClosedAt: null, dmChannelId: channelId },
    );
  }
  await updateShown(tx, prepared)
    .set({
      message_id: messageId,
      shown,
      thread: thread === null ? null : json(thread),
      removed_at: isRemoved ? now : null,
      channel_id: channelId,
      called_at: now,
      updated_at: now,
    })
    .execute();
  if (row.messageId === null) await queueEarlier(tx, row);
  await onCardShown(tx, prepared);
}

/** Adopt the message of an earlier attempt. It is edited next, since its content may be out of date. */
async function recordAdopted(
  tx: Em,
  prepared: Prepared,
  { messageId, channelId }: Pick<Delivered, 'messageId' | 'channelId'>,
  now: Date,
): Promise<void> {
  await updateShown(tx, prepared)
    .set({ message_id: messageId, channel_id: channelId, shown: null, updated_at: now })
    .where('message_id', 'is', null)
    .execute();
  await queueEarlier(tx, prepared.row);
  await onCardShown(tx, prepared);
}

/** Note that nothing was posted: what is sent next is another message. */
async function recordNothingToSend(tx: Em, prepared: Prepared, now: Date): Promise<void> {
  await queueEarlier(tx, prepared.row);
  await updateShown(tx, prepared)
    .set(({ eb }) => ({
      message_id: null,
      shown: null,
      first_tried_at: null,
      posting: eb('posting', '+', 1),
      updated_at: now,
    }))
    .execute();
}

/** Store the channel's permissions as Discord's response shows them, which is more current than our table. */
async function saveRights(tx: Em, { row, place }: Prepared, { rights, sentence }: Verdict, now: Date): Promise<void> {
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

async function removeChannel(tx: Em, { row, place }: Prepared, now: Date): Promise<void> {
  if (isDirect(row)) {
    await tx.nativeUpdate(DiscordAccount, { discordUserId: row.discordUserId }, { dmChannelId: null });
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

/** A deleted message is posted again if it still needs an answer. */
async function resultOfDeleted(em: Em, prepared: Prepared, now: Date): Promise<SendResult> {
  const { row } = prepared;
  if (row.kind === 'card')
    return {
      outcome: 'unchanged',
      async record(tx, { isSettled }) {
        if (!isSettled) return;
        // one whose state was unknown has just been asked for
        if (row.shown === null) await loseCard(tx, row, false);
        else await removeCard(tx, row, now);
      },
    };
  if (!(await isStillOpen(em, row, now))) return { outcome: 'unchanged' };
  return {
    outcome: 'again',
    afterMs: 0,
    attempts: 0,
    isQuiet: true,
    async record(tx, { isSettled }) {
      if (isSettled) await startOver(tx, row.id);
    },
  };
}

/** Discord may or may not have posted it. Only a person can decide to risk a second one. */
function uncertain(prepared: Prepared, now: Date): SendResult {
  const error = uncertainAnnouncement(prepared.place.kind === 'channel' ? prepared.place.name : '');
  return {
    outcome: 'uncertain',
    error,
    async record(tx, { isSettled }) {
      if (isSettled) await recordForAdmins(tx, prepared, 'announcement_uncertain', error, now);
    },
  };
}

/**
 * Another attempt follows. If Discord certainly does not have it, it is not looked for again.
 * @param attempts that count from now on
 */
function again(
  prepared: Prepared,
  { sentence, isUndone, outcome }: Verdict,
  { afterMs, isAbsent, attempts }: { afterMs: number; isAbsent: boolean; attempts: number },
): SendResult {
  const isUntouched = isUndone && isAbsent && prepared.row.messageId === null;
  return {
    outcome: 'again',
    afterMs,
    attempts,
    error: sentence,
    isQuiet: outcome !== 'again',
    async record(tx, { isSettled }) {
      if (isSettled && isUntouched) await updateShown(tx, prepared).set({ first_tried_at: null }).execute();
    },
  };
}

/** Discord refuses it for good. */
function failed(prepared: Prepared, verdict: Verdict, { isUnknown }: Refused, now: Date): SendResult {
  const { row, place } = prepared;
  const { sentence, outcome } = verdict;
  const isChannelGone = outcome === 'channel gone';
  // what was in a channel that is gone is certainly gone
  const result: SendResult =
    isUnknown && !isChannelGone
      ? uncertain(prepared, now)
      : {
          outcome: 'failed',
          isPermanent: true,
          status: null,
          error: sentence,
          async record(tx, { isSettled }) {
            if (!isSettled) return;
            if (row.messageId === null) await queueEarlier(tx, row);
            await recordForAdmins(tx, prepared, 'announcement_failed', sentence, now);
            if (row.kind === 'event' && row.guildId !== null)
              await recordGuildEvent(tx, row.guildId, 'scheduled_event_failed', null, sentence, now);
            if (outcome === 'dms closed') await onDmClosed(tx, row, now);
          },
        };
  return {
    ...result,
    async lock(tx) {
      // changes to a guild's data lock its row first
      if (place.kind === 'channel' && row.guildId !== null) await lockGuild(tx, row.guildId);
    },
    async record(tx, how) {
      if (isChannelGone && row.kind === 'card') await loseCard(tx, row, true);
      if (isChannelGone) await removeChannel(tx, prepared, now);
      else await saveRights(tx, prepared, verdict, now);
      await result.record?.(tx, how);
    },
  };
}

interface Context {
  /** when Discord's answer was there */
  doneAt: Date;
  discord: DiscordClient;
  log: Log;
}

async function resultOfRefused(em: Em, prepared: Prepared, refused: Refused, context: Context): Promise<SendResult> {
  const { attempts, place, row } = prepared;
  const { isAbsent, problem } = refused;
  const { status, code, retryAfterMs } = problem;
  const verdict = judge({ status, code }, place);
  const jitter = Math.random();
  const { discord, doneAt, log } = context;
  if (verdict.outcome === 'token refused' && !refusedTokens.has(discord)) {
    refusedTokens.add(discord);
    log.error({ status }, "Discord refuses the bot's token: messages wait until DISCORD_TOKEN is corrected");
  }
  switch (verdict.outcome) {
    case 'again':
      return again(prepared, verdict, { afterMs: backoffMs(attempts, jitter, retryAfterMs), isAbsent, attempts });
    case 'rate limited':
      // which is no attempt
      return again(prepared, verdict, {
        afterMs: rateLimitMs(retryAfterMs, jitter),
        isAbsent,
        attempts: attempts - 1,
      });
    case 'token refused':
      return again(prepared, verdict, { afterMs: REFUSED_TOKEN_MS, isAbsent, attempts });
    case 'message gone':
      return resultOfDeleted(em, prepared, doneAt);
    case 'channel gone':
    case 'dms closed':
    case 'failed':
      log.info({ post: row.id, kind: row.kind, status, code, outcome: verdict.outcome }, 'Discord refused a message');
      return failed(prepared, verdict, refused, doneAt);
  }
}

async function plainResultOf(em: Em, prepared: Prepared, outcome: Outcome, context: Context): Promise<SendResult> {
  const { row } = prepared;
  const { doneAt } = context;
  switch (outcome.kind) {
    case 'sent':
      refusedTokens.delete(context.discord);
      return {
        outcome: 'sent',
        async record(tx, { isSettled }) {
          // also if it was dropped meanwhile: Discord shows it
          await recordSent(tx, prepared, outcome, doneAt);
          if (isSettled) await recordForAdmins(tx, prepared, 'announcement_sent', null, doneAt);
        },
      };
    case 'adopted':
      return {
        outcome: 'again',
        afterMs: 0,
        attempts: 0,
        isQuiet: true,
        record: (tx) => recordAdopted(tx, prepared, outcome, doneAt),
      };
    case 'nothing to show':
      return {
        outcome: 'dropped',
        async record(tx, { isSettled }) {
          if (isSettled) await recordNothingToSend(tx, prepared, doneAt);
        },
      };
    case 'not a member':
      return moveMention(row, doneAt);
    case 'uncertain':
      return uncertain(prepared, doneAt);
    case 'refused':
      return resultOfRefused(em, prepared, outcome, context);
  }
}

/** What an outcome means for the delivery and its post. */
export async function resultOf(em: Em, prepared: Prepared, outcome: Outcome, context: Context): Promise<SendResult> {
  const result = await plainResultOf(em, prepared, outcome, context);
  return {
    ...result,
    async lock(tx) {
      await result.lock?.(tx);
      await lockPost(tx, prepared);
    },
  };
}
