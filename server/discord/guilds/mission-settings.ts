/** Settings of a Discord server for missions: the channel of their cards, the mentioned role, scheduled events, and threads. */
import type { z } from 'zod';
import { db } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { AppError } from '#server/platform/errors.ts';
import { renewCards } from '#server/discord/posts/mission-cards.ts';
import { emit } from '#server/signals/emit.ts';
import { transact } from '#server/schema/transaction.ts';
import type { Viewer } from '#server/platform/viewer.ts';
import type { guildMissionsInput } from '#shared/schemas/discord.ts';
import { copy } from '#shared/copy.ts';
import { requireAccepted } from './acceptance.ts';
import { lockGuild } from './guild-sync.ts';

/** Changes to the settings; what is left out stays. */
export interface MissionSettings {
  /** null: no cards */
  missionsChannelId?: string | null | undefined;
  /** null: nobody is mentioned */
  missionsRoleId?: string | null | undefined;
  hasMissionEvents?: boolean | undefined;
  hasMissionThreads?: boolean | undefined;
}

/**
 * The channel, if the bot may post there and every member can read it.
 * @throws 400 for another server's channel, 409 for one in which the bot cannot post or that is age-restricted
 */
export async function requirePostableChannel(tx: Em, guildId: string, channelId: string): Promise<{ name: string }> {
  const channel = await db(tx)
    .selectFrom('guild_channel')
    .select(['name', 'is_postable as isPostable', 'is_nsfw as isNsfw'])
    .where('id', '=', channelId)
    .where('guild_id', '=', guildId)
    .executeTakeFirst();
  if (!channel) throw new AppError('CHANNEL_NOT_FOUND');
  if (channel.isNsfw) throw new AppError('CHANNEL_AGE_RESTRICTED');
  if (!channel.isPostable) throw new AppError('CHANNEL_NOT_POSTABLE');
  return { name: channel.name };
}

/**
 * Change what a server shows of missions, in the caller's transaction. Upcoming missions get their cards and events; with a
 * channel, also cards that somebody had deleted, alone or with their channel. Cards that stand elsewhere stay there.
 * @returns the name of the channel that was set; null for none
 * @throws 404 for an unknown server, 409 for one that waits for an admin, otherwise as `requirePostableChannel`
 */
export async function saveMissionSettings(
  tx: Em,
  guildId: string,
  changes: MissionSettings,
  now: Date,
): Promise<string | null> {
  if (!(await lockGuild(tx, guildId))) throw new AppError('GUILD_NOT_FOUND');
  await requireAccepted(tx, guildId);
  const { missionsChannelId, missionsRoleId, hasMissionEvents, hasMissionThreads } = changes;
  const setsChannel = missionsChannelId !== undefined && missionsChannelId !== null;
  const channel = setsChannel ? await requirePostableChannel(tx, guildId, missionsChannelId) : null;
  const set = {
    ...(missionsChannelId === undefined ? {} : { missions_channel_id: missionsChannelId }),
    ...(missionsRoleId === undefined ? {} : { missions_role_id: missionsRoleId }),
    ...(hasMissionEvents === undefined ? {} : { has_mission_events: hasMissionEvents }),
    ...(hasMissionThreads === undefined ? {} : { has_mission_threads: hasMissionThreads }),
  };
  if (Object.keys(set).length > 0) await db(tx).updateTable('guild').set(set).where('id', '=', guildId).execute();
  if (setsChannel) await renewCards(tx, guildId, {}, now);
  emit(tx, { type: 'guild.changed' }, { type: 'guild.widened' });
  return channel?.name ?? null;
}

/**
 * Change the settings as an admin on the site.
 * @throws as `saveMissionSettings`; 400 for another server's role
 */
export async function changeMissionSettings(
  em: Em,
  admin: Viewer,
  { guildId, channelId, roleId, hasEvents, hasThreads }: z.infer<typeof guildMissionsInput>,
  now: Date,
): Promise<void> {
  await transact(em, async (tx) => {
    const guild = await db(tx)
      .selectFrom('guild')
      .select(['name', 'roles', 'missions_channel_id as channelId'])
      .where('id', '=', guildId)
      .executeTakeFirst();
    if (!guild) throw new AppError('GUILD_NOT_FOUND');
    if (roleId !== null && !guild.roles.some(({ id }) => id === roleId))
      throw new AppError('ROLE_NOT_FOUND', copy.roleUnknown, { field: 'roleId' });
    const isSame = guild.channelId === channelId;
    const channel = await saveMissionSettings(
      tx,
      guildId,
      {
        ...(isSame ? {} : { missionsChannelId: channelId }),
        missionsRoleId: roleId,
        hasMissionEvents: hasEvents,
        hasMissionThreads: hasThreads,
      },
      now,
    );
    emit(tx, {
      type: 'guild.missions_set',
      by: admin,
      guild: { id: guildId, name: guild.name },
      channel: isSame ? undefined : (channel ?? 'none'),
    });
  });
}
