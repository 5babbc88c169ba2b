/**
 * The check for bans, at every way in which an account can be made or used again. Emails and Discord ids are stored as keyed
 * hashes, so a ban outlives its account and the table tells nobody who is banned.
 */
import { createHmac } from 'node:crypto';
import { AppError } from '#server/platform/errors.ts';
import { readSigningKey } from '#server/platform/secrets.ts';
import { takeLock, takeSharedLock } from '#server/platform/transaction.queries.ts';
import { db } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { Ban } from '#server/schema/user.ts';
import { copy } from '#shared/copy.ts';
import { emailKey, shownEmail } from './email.ts';

/** What a ban is about, or somebody who wants in. */
export interface Identity {
  email?: string | null | undefined;
  discordUserId?: string | null | undefined;
}

export interface BanHashes {
  emailHash: string | null;
  discordHash: string | null;
}

/** Prepare to hash identities: the key is read once. */
export async function createBanHasher(em: Em): Promise<(identity: Identity) => BanHashes> {
  const key = await readSigningKey(em, 'ban');
  const hash = (kind: string, value: string) =>
    createHmac('sha256', key).update(`${kind}:${value}`).digest('base64url');
  return ({ email, discordUserId }) => ({
    // the placeholder of an account without an email is nobody's address
    emailHash: email && shownEmail(email) !== '' ? hash('email', emailKey(email)) : null,
    discordHash: discordUserId ? hash('discord', discordUserId) : null,
  });
}

/** Hold off registrations and sign-ins until the end of the transaction, which changes bans. */
export const lockBans = (tx: Em): Promise<void> => takeLock(tx, 'bans');

/** Keep new bans waiting until the end of the transaction, so that they find the accounts that it makes. */
export const shareBans = (tx: Em): Promise<void> => takeSharedLock(tx, 'bans');

/** Read all bans, for checks of many people. */
export async function loadBanCheck(em: Em): Promise<(identity: Identity) => boolean> {
  const rows = await db(em)
    .selectFrom('ban')
    .select(['email_hash as emailHash', 'discord_hash as discordHash'])
    .execute();
  const known = new Set(rows.flatMap(({ emailHash, discordHash }) => [emailHash, discordHash]));
  const hashOf = await createBanHasher(em);
  return (identity) => {
    const { emailHash, discordHash } = hashOf(identity);
    return (emailHash !== null && known.has(emailHash)) || (discordHash !== null && known.has(discordHash));
  };
}

/** True if the email or the Discord id is banned. */
export async function isBanned(em: Em, identity: Identity): Promise<boolean> {
  const { emailHash, discordHash } = (await createBanHasher(em))(identity);
  const which = [...(emailHash === null ? [] : [{ emailHash }]), ...(discordHash === null ? [] : [{ discordHash }])];
  return which.length > 0 && (await em.count(Ban, { $or: which })) > 0;
}

/**
 * Refuse somebody who is banned, without saying so. In a transaction it also keeps new bans waiting until that ends, so
 * that a ban made meanwhile finds the account.
 * @throws AppError 403
 */
export async function refuseBanned(tx: Em, identity: Identity): Promise<void> {
  await shareBans(tx);
  if (await isBanned(tx, identity)) throw new AppError('ACCOUNT_REFUSED');
}

/** The email and Discord id of an account. */
export async function identityOf(em: Em, userId: string): Promise<Identity> {
  const row = await db(em)
    .selectFrom('app_user as u')
    .leftJoin('discord_account as d', 'd.user_id', 'u.id')
    .select(['u.email', 'd.discord_user_id as discordUserId'])
    .where('u.id', '=', userId)
    .executeTakeFirst();
  return row ?? {};
}

/** Refuse an account whose email or Discord id is banned. @throws AppError 403 */
export async function refuseBannedAccount(tx: Em, userId: string): Promise<void> {
  await refuseBanned(tx, await identityOf(tx, userId));
}

/** 409 for an account that is banned, with the remedy: for admins, who may know. */
export async function requireNotBanned(tx: Em, userId: string): Promise<void> {
  await shareBans(tx);
  if (await isBanned(tx, await identityOf(tx, userId))) throw new AppError('BANNED', copy.banLiftFirst);
}
