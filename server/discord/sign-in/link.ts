/** A pilot's Discord account: one for a pilot, and one pilot for it. Names and addresses never decide whose it is. */
import { DiscordAccount } from '#server/schema/guild.ts';
import type { Em } from '#server/schema/orm.ts';
import { query, sql } from '#server/schema/query.ts';
import { transact } from '#server/schema/transaction.ts';
import { SignInLink, User } from '#server/schema/user.ts';
import { AppError } from '#server/platform/errors.ts';
import { publishLive } from '#server/signals/live-signals.ts';
import { recordGuildEvent } from '#server/discord/guilds/guild-events.ts';
import { DISCORD_OUTCOMES } from '#shared/discord-sign-in.ts';

/** Who somebody is in Discord, as Discord itself said. */
export interface DiscordIdentity {
  discordUserId: string;
  username: string;
}

const NEEDS_PASSWORD =
  'This account has no password, so without Discord nobody could sign in to it any more. Set one first: /login in Discord leads there.';

/** One at a time for a Discord account: registering, linking and unlinking wait for each other, until the transaction ends. */
export async function lockDiscordUser(tx: Em, discordUserId: string): Promise<void> {
  await query(tx, sql`select pg_advisory_xact_lock(hashtextextended(${`registration:${discordUserId}`}, 0))`);
}

/** The guilds that this person is in as far as is known, of those that still have the bot. */
async function findGuildIds(tx: Em, discordUserId: string): Promise<string[]> {
  const rows = await query<{ id: string }>(
    tx,
    sql`select g.id from guild_member m join guild g on g.id = m.guild_id
        where m.discord_user_id = ${discordUserId} and m.left_at is null and g.status <> 'disabled' order by g.id`,
  );
  return rows.map(({ id }) => id);
}

/**
 * Link a Discord account to a pilot, in the caller's transaction. The same pair again changes nothing but the name.
 * @returns 409 with a sentence when the Discord account is another pilot's, or the pilot has another one
 */
export async function linkAccount(
  tx: Em,
  userId: string,
  { discordUserId, username }: DiscordIdentity,
  now: Date,
): Promise<void> {
  await lockDiscordUser(tx, discordUserId);
  // two Discord accounts for one pilot at once: the second waits here and then sees the first
  await query(tx, sql`select 1 from app_user where id = ${userId} for no key update`);
  const known = await tx.find(DiscordAccount, { $or: [{ discordUserId }, { user: userId }] });
  if (known.some((account) => account.user.id !== userId))
    throw new AppError('DISCORD_LINKED_ELSEWHERE', DISCORD_OUTCOMES['linked-elsewhere']);
  if (known.some((account) => account.discordUserId !== discordUserId))
    throw new AppError('DISCORD_OTHER_LINKED', DISCORD_OUTCOMES['linked-other']);
  const [linked] = known;
  if (linked) {
    linked.username = username;
    await tx.flush();
    return;
  }
  tx.create(DiscordAccount, { discordUserId, user: tx.getReference(User, userId), username, linkedAt: now });
  await tx.flush();
  for (const guildId of await findGuildIds(tx, discordUserId)) {
    await recordGuildEvent(tx, guildId, 'account_linked', username, null, now);
  }
  await publishLive(tx, ['profile', [userId]]);
}

/**
 * Take a pilot's Discord account off; links from Discord into the account that are still open end. Nothing happens when
 * none is linked.
 * @returns the account that was linked, or null; 409 for an account without a password, which nobody could enter any more
 */
export async function unlinkAccount(em: Em, userId: string, now: Date): Promise<DiscordIdentity | null> {
  return transact(em, async (tx) => {
    const [linked] = await query<{ id: string }>(
      tx,
      sql`select discord_user_id as id from discord_account where user_id = ${userId}`,
    );
    if (!linked) return null;
    await lockDiscordUser(tx, linked.id);
    const [user] = await query<{ has_password: boolean }>(
      tx,
      sql`select password_hash is not null as has_password from app_user where id = ${userId} for no key update`,
    );
    const account = await tx.findOne(DiscordAccount, { user: userId });
    if (!account) return null;
    if (!user?.has_password) throw new AppError('PASSWORD_REQUIRED', NEEDS_PASSWORD);
    const { discordUserId, username } = account;
    await tx.nativeDelete(DiscordAccount, { discordUserId });
    await tx.nativeUpdate(SignInLink, { user: userId, usedAt: null, expiresAt: { $gt: now } }, { expiresAt: now });
    await publishLive(tx, ['profile', [userId]], 'guilds');
    return { discordUserId, username };
  });
}
