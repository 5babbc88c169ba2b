/** Links between pilots and Discord accounts, one to one. Only ids decide, never names or addresses. */
import { db } from '#server/schema/database.ts';
import { DiscordAccount } from '#server/schema/guild.ts';
import type { Em } from '#server/schema/orm.ts';
import { isAcceptedGuild } from '#server/schema/predicates.ts';
import { transact } from '#server/schema/transaction.ts';
import { User } from '#server/schema/user.ts';
import { refuseBanned } from '#server/accounts/ban-check.ts';
import { endPendingSignInsOf } from '#server/accounts/second-factor/pending-sign-ins.ts';
import { AppError } from '#server/platform/errors.ts';
import { takeNamedLock } from '#server/platform/transaction.queries.ts';
import { emit } from '#server/signals/emit.ts';
import { recordGuildEvent } from '#server/discord/guilds/guild-events.ts';
import { DISCORD_OUTCOMES } from '#shared/discord-sign-in.ts';

/** A Discord user, as identified by Discord. */
export interface DiscordIdentity {
  discordUserId: string;
  username: string;
}

const NEEDS_PASSWORD =
  'This account has no password, so without Discord nobody could sign in to it any more. Set one first: /login in Discord leads there.';

/** Lock a Discord account until the transaction ends, so that registering, linking and unlinking run one at a time. */
export async function lockDiscordUser(tx: Em, discordUserId: string): Promise<void> {
  await takeNamedLock(tx, `registration:${discordUserId}`);
}

/** The accepted guilds with the bot of which this person is a known member. */
async function findGuildIds(tx: Em, discordUserId: string): Promise<string[]> {
  const rows = await db(tx)
    .selectFrom('guild_member as m')
    .innerJoin('guild as g', 'g.id', 'm.guild_id')
    .select('g.id')
    .where('m.discord_user_id', '=', discordUserId)
    .where('m.left_at', 'is', null)
    .where('g.status', '<>', 'disabled')
    .where(isAcceptedGuild)
    .orderBy('g.id')
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Link a Discord account to a pilot, in the caller's transaction. Linking the same pair again only updates the name.
 * @throws AppError 403 if the Discord account is banned, 409 if it belongs to another pilot, or the pilot has another one
 */
export async function linkAccount(
  tx: Em,
  userId: string,
  { discordUserId, username }: DiscordIdentity,
  now: Date,
): Promise<void> {
  await lockDiscordUser(tx, discordUserId);
  await refuseBanned(tx, { discordUserId });
  // if two Discord accounts are linked to one pilot at once, the second waits here and then sees the first
  await db(tx).selectFrom('app_user').where('id', '=', userId).forNoKeyUpdate().execute();
  const known = await tx.find(DiscordAccount, { $or: [{ discordUserId }, { user: userId }] });
  if (known.some((account) => account.user.id !== userId))
    throw new AppError('DISCORD_LINKED_ELSEWHERE', DISCORD_OUTCOMES['linked-elsewhere']);
  if (known.some((account) => account.discordUserId !== discordUserId))
    throw new AppError('DISCORD_OTHER_LINKED', DISCORD_OUTCOMES['linked-other']);
  const [linked] = known;
  if (linked) {
    linked.username = username;
    return;
  }
  tx.create(DiscordAccount, { discordUserId, user: tx.getReference(User, userId), username, linkedAt: now });
  emit(tx, { type: 'discord.linked', userId });
  for (const guildId of await findGuildIds(tx, discordUserId)) {
    await recordGuildEvent(tx, guildId, 'account_linked', username, null, now);
  }
}

/** 409 for an account without a password: it could no longer sign in without Discord. Locks it until the transaction ends. */
export async function checkHasPassword(tx: Em, userId: string): Promise<void> {
  const user = await db(tx)
    .selectFrom('app_user')
    .select((eb) => eb('password_hash', 'is not', null).as('hasPassword'))
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!user?.hasPassword) throw new AppError('PASSWORD_REQUIRED', NEEDS_PASSWORD);
}

/**
 * Unlink a pilot's Discord account, if one is linked, and end the pilot's unused sign-in links.
 * @returns the account that was linked, or null; 409 for an account without a password, which could no longer sign in
 */
export async function unlinkAccount(em: Em, userId: string, now: Date): Promise<DiscordIdentity | null> {
  return transact(em, async (tx) => {
    const linked = await db(tx)
      .selectFrom('discord_account')
      .select('discord_user_id as id')
      .where('user_id', '=', userId)
      .executeTakeFirst();
    if (!linked) return null;
    await lockDiscordUser(tx, linked.id);
    const account = await tx.findOne(DiscordAccount, { user: userId });
    if (!account) return null;
    await checkHasPassword(tx, userId);
    const { discordUserId, username } = account;
    await tx.nativeDelete(DiscordAccount, { discordUserId });
    await endPendingSignInsOf(tx, userId);
    await db(tx)
      .updateTable('sign_in_link')
      .set({ expires_at: now })
      .where('user_id', '=', userId)
      .where('used_at', 'is', null)
      .where('expires_at', '>', now)
      .execute();
    emit(tx, { type: 'discord.unlinked', userId });
    return { discordUserId, username };
  });
}
