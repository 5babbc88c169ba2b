/**
 * Acceptance of Discord servers (guilds). Anybody who has the install link can add the bot to a server of theirs, so a new
 * server is pending until an admin accepts it on the site: before that it gets nothing of the community.
 */
import { Routes } from 'discord-api-types/v10';
import { db } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { isAcceptedGuild } from '#server/schema/predicates.ts';
import { transact } from '#server/schema/transaction.ts';
import { AppError } from '#server/platform/errors.ts';
import type { Viewer } from '#server/platform/viewer.ts';
import { DiscordProblem, type DiscordClient } from '#server/discord/discord-client.ts';
import { queuePost } from '#server/discord/posts/posts.ts';
import { emit } from '#server/signals/emit.ts';
import { textsFor } from '#shared/discord-texts/catalogue.ts';
import type { Actor } from '#shared/schemas/bot.ts';
import { addGuildEvent } from './guild-events.ts';
import { disableGuilds } from './guild-sync.ts';

/** True for a server that an admin has accepted; false for an unknown one. */
export async function isAccepted(em: Em, guildId: string): Promise<boolean> {
  const guild = await db(em)
    .selectFrom('guild as g')
    .select('g.id')
    .where('g.id', '=', guildId)
    .where(isAcceptedGuild)
    .executeTakeFirst();
  return guild !== undefined;
}

/** 409 for a server that waits for an admin; an unknown one passes. */
export async function requireAccepted(em: Em, guildId: string): Promise<void> {
  const guild = await db(em)
    .selectFrom('guild as g')
    .select(isAcceptedGuild.as('isAccepted'))
    .where('g.id', '=', guildId)
    .executeTakeFirst();
  if (guild?.isAccepted === false) throw new AppError('GUILD_PENDING');
}

/**
 * Refuse a command or button in a server that no admin has accepted, which may be one that the bot has not reported yet, in
 * the language of the person who asked and with the address of the page where an admin accepts it.
 */
export async function refuseInPendingGuild(em: Em, { guildId, locale }: Actor, publicUrl: string): Promise<void> {
  if (guildId === null || (await isAccepted(em, guildId))) return;
  const url = `${publicUrl}/admin/discord/guilds/${guildId}`;
  throw new AppError('GUILD_PENDING', textsFor(locale)('guild.pending', { url }));
}

/** The servers that wait for an admin, of which the bot reports no members. */
export async function listPendingGuilds(em: Em): Promise<string[]> {
  const guilds = await db(em)
    .selectFrom('guild as g')
    .select('g.id')
    .where('g.status', '<>', 'disabled')
    .where(({ not }) => not(isAcceptedGuild))
    .orderBy('g.id')
    .execute();
  return guilds.map(({ id }) => id);
}

/** Lock a server that has the bot. @throws 404 for an unknown one, 409 for one that the bot has left */
async function lockInstalled(tx: Em, guildId: string): Promise<{ name: string; isAccepted: boolean }> {
  const guild = await db(tx)
    .selectFrom('guild as g')
    .select(['g.name', 'g.status', isAcceptedGuild.$castTo<boolean>().as('isAccepted')])
    .where('g.id', '=', guildId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!guild) throw new AppError('GUILD_NOT_FOUND');
  if (guild.status === 'disabled') throw new AppError('BOT_NOT_IN_GUILD');
  return guild;
}

/** Queue the welcome in a channel that everybody can read, if there is one. */
async function queueWelcome(tx: Em, guildId: string, now: Date): Promise<void> {
  const channel = await db(tx)
    .selectFrom('guild_channel as c')
    .innerJoin('guild as g', 'g.id', 'c.guild_id')
    .select('c.id')
    .where('g.id', '=', guildId)
    .where('c.is_postable', '=', true)
    .where('c.is_nsfw', '=', false)
    .orderBy((eb) => eb('c.id', 'is distinct from', eb.ref('g.default_splash_channel_id')))
    .orderBy('c.position')
    .orderBy('c.id')
    .limit(1)
    .executeTakeFirst();
  if (!channel) return;
  const message = { kind: 'welcome', dedupeKey: `welcome:${guildId}`, guildId, channelId: channel.id } as const;
  await queuePost(tx, { ...message, discordUserId: null, subjectId: null, payload: {} }, now);
}

/**
 * Accept a server: it gets the welcome and the events of upcoming missions, and the bot reads its members. Accepting it again
 * changes nothing.
 * @throws 404 for an unknown server, 409 for one that the bot has left
 */
export async function acceptGuild(em: Em, admin: Viewer, guildId: string, now: Date): Promise<void> {
  await transact(em, async (tx) => {
    const { name, isAccepted: wasAccepted } = await lockInstalled(tx, guildId);
    if (wasAccepted) return;
    await db(tx).updateTable('guild').set({ accepted_at: now }).where('id', '=', guildId).execute();
    await addGuildEvent(tx, guildId, 'guild_accepted', name, null, now);
    emit(tx, { type: 'guild.accepted', by: admin, guild: { id: guildId, name } });
    await queueWelcome(tx, guildId, now);
  });
}

/**
 * Leave a server, accepted or not: a job makes the bot leave, and the server waits for an admin if it installs the bot again.
 * @throws 404 for an unknown server, 409 for one that the bot has left already, and without a bot
 */
export async function leaveGuild(em: Em, admin: Viewer, guildId: string, isDiscordOn: boolean): Promise<void> {
  await transact(em, async (tx) => {
    const { name } = await lockInstalled(tx, guildId);
    if (!isDiscordOn) throw new AppError('DISCORD_OFF');
    await db(tx).updateTable('guild').set({ accepted_at: null }).where('id', '=', guildId).execute();
    emit(tx, { type: 'guild.left', by: admin, guild: { id: guildId, name } });
  });
}

const UNKNOWN_GUILD = 10004;

/** Make the bot leave a server in Discord, unless an admin has accepted it meanwhile. Safe to run twice. */
export async function leaveInDiscord(em: Em, discord: DiscordClient, guildId: string, now: Date): Promise<void> {
  if (await isAccepted(em, guildId)) return;
  try {
    await discord.delete(Routes.userGuild(guildId));
  } catch (error) {
    // somebody there was faster
    if (!(error instanceof DiscordProblem) || error.code !== UNKNOWN_GUILD) throw error;
  }
  await transact(em, (tx) => disableGuilds(tx, [guildId], now));
}
