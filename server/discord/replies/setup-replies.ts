/** Replies to `/setup`, for members who may manage their server; they need not be pilots. */
import type { z } from 'zod';
import { addGuildEvent } from '#server/discord/guilds/guild-events.ts';
import { lockGuild } from '#server/discord/guilds/guild-sync.ts';
import { requirePostableChannel, saveMissionSettings } from '#server/discord/guilds/mission-settings.ts';
import { queueAnnouncement } from '#server/discord/registration/registration-announcement.ts';
import { channelSetMessage, missionsOffMessage, missionsSetMessage } from '#server/discord/rules/reply-text.ts';
import { AppError } from '#server/platform/errors.ts';
import { db } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import { copy } from '#shared/copy.ts';
import { textsFor } from '#shared/discord-texts/catalogue.ts';
import type { Actor, DiscordMessage, setChannelInput, setMissionsInput } from '#shared/schemas/bot.ts';

/** The server of a command. @throws 400 outside a server, 403 without Manage Server */
function requireManaged({ guildId, canManageGuild }: Actor): string {
  if (guildId === null) throw new AppError('GUILD_REQUIRED', copy.setupInServer);
  if (!canManageGuild) throw new AppError('MANAGE_GUILD_REQUIRED');
  return guildId;
}

/**
 * Set the channel for announcements, and post the registration announcement there, unless one was posted a moment ago.
 * @throws as `requireManaged`; 404 for an unknown server, 400 for another server's channel, 409 for a channel in which the
 *   bot cannot post or that is age-restricted
 */
export async function setChannel(
  em: Em,
  { actor, channelId }: z.infer<typeof setChannelInput>,
  now: Date,
): Promise<DiscordMessage> {
  const guildId = requireManaged(actor);
  return transact(em, async (tx) => {
    if (!(await lockGuild(tx, guildId))) throw new AppError('GUILD_NOT_FOUND');
    const channel = await requirePostableChannel(tx, guildId, channelId);
    await db(tx).updateTable('guild').set({ default_splash_channel_id: channelId }).where('id', '=', guildId).execute();
    const line = `${actor.discordUsername} chose #${channel.name} for announcements`;
    await addGuildEvent(tx, guildId, 'guild_updated', line, null, now);
    const isQueued = await queueAnnouncement(tx, guildId, { id: channelId, name: channel.name }, now);
    return channelSetMessage(channelId, isQueued, textsFor(actor.locale));
  });
}

/** Set the channel for the cards of missions, or turn them off. @throws as `setChannel` */
export async function setMissions(
  em: Em,
  { actor, channelId, roleId, hasEvents, hasThreads }: z.infer<typeof setMissionsInput>,
  now: Date,
): Promise<DiscordMessage> {
  const guildId = requireManaged(actor);
  return transact(em, async (tx) => {
    const changes = {
      missionsChannelId: channelId,
      // naming a channel without a role turns the mention off
      missionsRoleId: roleId,
      hasMissionEvents: hasEvents ?? undefined,
      hasMissionThreads: hasThreads ?? undefined,
    };
    const name = await saveMissionSettings(tx, guildId, changes, now);
    const { discordUsername: who } = actor;
    const line = name === null ? `${who} turned mission cards off` : `${who} chose #${name} for missions`;
    await addGuildEvent(tx, guildId, 'guild_updated', line, null, now);
    const texts = textsFor(actor.locale);
    return channelId === null ? missionsOffMessage(texts) : missionsSetMessage(channelId, roleId, texts);
  });
}
