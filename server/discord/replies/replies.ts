/** The bot's replies to commands, through the same rooms as the site. */
import type { z } from 'zod';
import { GuildChannel, Guild } from '#server/schema/guild.ts';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import { availabilityMessage } from '#server/discord/rules/availability-text.ts';
import { missionsMessage } from '#server/discord/rules/coming-text.ts';
import {
  channelSetMessage,
  signInMessage,
  statusMessage,
  unlinkedMessage,
  unlinkQuestion,
} from '#server/discord/rules/reply-text.ts';
import { MINUTE_MS } from '#server/time/time.ts';
import { AppError } from '#server/platform/errors.ts';
import { listAircraft } from '#server/pilots/aircraft.ts';
import { attemptBuckets } from '#server/accounts/attempt-limits.ts';
import { countAttempt } from '#server/platform/rate-limit.ts';
import { getWindow } from '#server/availability/availability.ts';
import { addGuildEvent, recordGuildEvent } from '#server/discord/guilds/guild-events.ts';
import { listAccepted } from '#server/orders/inbox.ts';
import { listOpenMissions } from '#server/seating/open-missions.ts';
import { issueSignInLink, signInUrl } from '#server/accounts/sign-in-links.ts';
import { getStatus, setStatus } from '#server/availability/status.ts';
import { randomToken } from '#server/platform/tokens.ts';
import { copy } from '#shared/copy.ts';
import { SIGN_IN_LINK_MINUTES, WINDOW_DAYS } from '#shared/limits.ts';
import type {
  Actor,
  commandFailedInput,
  DiscordMessage,
  setChannelInput,
  setStatusInput,
  unlinkInput,
} from '#shared/schemas/bot.ts';
import { asPilot } from './actor.ts';
import { lockGuild } from '#server/discord/guilds/guild-sync.ts';
import { checkHasPassword, unlinkAccount } from '#server/discord/sign-in/link.ts';

/** The installation's settings for replies. */
export interface ReplySettings {
  /** this site's origin */
  publicUrl: string;
  /** 0 turns the limit off */
  attemptsPerMinute: number;
}

/** Reply with a one-time sign-in link. 429 for too many requests. */
export async function giveSignInLink(
  em: Em,
  actor: Actor,
  { publicUrl, attemptsPerMinute }: ReplySettings,
  now: Date,
): Promise<DiscordMessage> {
  return asPilot(em, actor, async (viewer) => {
    await countAttempt(em, attemptBuckets.signInLink(viewer.id), attemptsPerMinute);
    const token = randomToken();
    await transact(em, (tx) => issueSignInLink(tx, viewer.id, token, now));
    return signInMessage(signInUrl(publicUrl, token), now.getTime() + SIGN_IN_LINK_MINUTES * MINUTE_MS);
  });
}

export async function showStatus(em: Em, actor: Actor, now: Date): Promise<DiscordMessage> {
  return asPilot(em, actor, async ({ id }) => statusMessage(await getStatus(em, id, now), false));
}

export async function setStatusFromDiscord(
  em: Em,
  { actor, state, minutes }: z.infer<typeof setStatusInput>,
  now: Date,
): Promise<DiscordMessage> {
  return asPilot(em, actor, async ({ id }) => statusMessage(await setStatus(em, { id, state, minutes }, now), true));
}

/** The pilot's seats and the upcoming missions, as on the home page: no drafts, no seats that do not fit. */
export async function showMissions(em: Em, actor: Actor, publicUrl: string, now: Date): Promise<DiscordMessage> {
  return asPilot(em, actor, async (viewer) => {
    const accepted = await listAccepted(em, viewer, now);
    return missionsMessage(accepted, await listOpenMissions(em, viewer, now), publicUrl);
  });
}

/** The pilot's availability for the next week, in the pilot's zone. */
export async function showAvailability(em: Em, actor: Actor, publicUrl: string, now: Date): Promise<DiscordMessage> {
  return asPilot(em, actor, async (viewer) => {
    const window = await getWindow(em, viewer, { id: viewer.id, days: WINDOW_DAYS.initial }, now);
    const names = (await listAircraft(em, false)).map(({ id, name }) => [id, name] as const);
    return availabilityMessage(window, new Map(names), publicUrl);
  });
}

/** Unlink the Discord account, after a confirmation. 409, before the question too, for a pilot who could no longer sign in. */
export async function unlinkFromDiscord(
  em: Em,
  { actor, isConfirmed }: z.infer<typeof unlinkInput>,
  now: Date,
): Promise<DiscordMessage> {
  return asPilot(em, actor, async ({ id, displayName }) => {
    if (!isConfirmed) {
      await checkHasPassword(em, id);
      return unlinkQuestion(displayName ?? actor.discordUsername);
    }
    await unlinkAccount(em, id, now);
    return unlinkedMessage;
  });
}

/**
 * Set the channel for announcements. Discord's Manage Server permission, which comes with the command, is enough: the person
 * who sets up the bot need not be a pilot.
 * @throws 400 outside a server, 403 without that permission, 404 for an unknown server, 400 for another server's channel,
 *   409 for a channel in which the bot cannot post
 */
export async function setChannel(
  em: Em,
  { actor, channelId }: z.infer<typeof setChannelInput>,
  now: Date,
): Promise<DiscordMessage> {
  const { guildId } = actor;
  if (guildId === null) throw new AppError('GUILD_REQUIRED', copy.setupInServer);
  if (!actor.canManageGuild) throw new AppError('MANAGE_GUILD_REQUIRED', copy.manageServerOnly);
  return transact(em, async (tx) => {
    if (!(await lockGuild(tx, guildId))) throw new AppError('GUILD_NOT_FOUND', copy.guildNotFound);
    const channel = await tx.findOne(GuildChannel, { id: channelId, guild: guildId });
    if (!channel) throw new AppError('CHANNEL_NOT_FOUND', copy.channelUnknown);
    if (!channel.isPostable) throw new AppError('CHANNEL_NOT_POSTABLE', copy.channelNotPostable);
    await tx.nativeUpdate(Guild, { id: guildId }, { defaultSplashChannelId: channelId });
    const line = `${actor.discordUsername} chose #${channel.name} for announcements`;
    await addGuildEvent(tx, guildId, 'guild_updated', line, null, now);
    return channelSetMessage(channelId);
  });
}

/** Record an unexpected failure of a command or button in the guild's events; ignored outside a known guild. */
export async function recordFailure(
  em: Em,
  { actor: { guildId }, command, reason }: z.infer<typeof commandFailedInput>,
  now: Date,
): Promise<void> {
  if (guildId === null) return;
  await transact(em, async (tx) => {
    if ((await tx.count(Guild, { id: guildId })) === 1) {
      await recordGuildEvent(tx, guildId, 'command_failed', command, reason, now);
    }
  });
}
