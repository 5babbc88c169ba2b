/** Bans as admins manage them: list, ban an account or an address, lift. A banned account is suspended and signed out. */
import type { z } from 'zod';
import { AppError } from '#server/platform/errors.ts';
import { requireRoom } from '#server/platform/ownership.ts';
import { takeLock } from '#server/platform/transaction.queries.ts';
import type { Viewer } from '#server/platform/viewer.ts';
import { newId } from '#server/schema/base.ts';
import { db, ms } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { nameForAdmins } from '#server/schema/predicates.ts';
import { transact } from '#server/schema/transaction.ts';
import { Ban, User } from '#server/schema/user.ts';
import { emit } from '#server/signals/emit.ts';
import { toIso } from '#server/time/time.ts';
import { copy } from '#shared/copy.ts';
import { NAMELESS } from '#shared/labels.ts';
import { LISTED_MAX } from '#shared/limits.ts';
import type { addBanInput, banAccountInput, BanDto } from '#shared/schemas/bans.ts';
import { createBanHasher, identityOf, lockBans, type BanHashes, type Identity } from './ban-check.ts';
import { emailKey, shownEmail } from './email.ts';
import { endAccess } from './end-access.ts';
import { revokeAdminInvitesOf } from './invites.ts';
import { closeSlotRequest } from './slot-requests.ts';
import { findUser } from './users.ts';

const selectBans = (em: Em) =>
  db(em)
    .selectFrom('ban as b')
    .leftJoin('app_user as u', 'u.id', 'b.created_by_id')
    .select((eb) => [
      'b.id',
      'b.label',
      'b.reason',
      eb('b.email_hash', 'is not', null).$castTo<boolean>().as('hasEmail'),
      eb('b.discord_hash', 'is not', null).$castTo<boolean>().as('hasDiscord'),
      'b.user_id as userId',
      nameForAdmins('u').$castTo<string | null>().as('createdBy'),
      ms(eb.ref('b.created_at')).as('createdMs'),
    ])
    .orderBy('b.created_at', 'desc')
    .orderBy('b.id', 'desc');

type Row = Awaited<ReturnType<ReturnType<typeof selectBans>['execute']>>[number];

const present = ({ createdMs, ...row }: Row): BanDto => ({ ...row, createdAt: toIso(createdMs) });

/** The bans, the newest first. */
export async function listBans(em: Em): Promise<BanDto[]> {
  return (await selectBans(em).limit(LISTED_MAX.bans).execute()).map(present);
}

/** The admin is still one, and neither the last nor the one to be banned. Holds the lock on roles. */
async function requireMayBan(tx: Em, viewer: Viewer, user: User): Promise<void> {
  if (user.id === viewer.id) throw new AppError('OWN_ACCOUNT', copy.banOwn);
  const stillAdmin = await tx.count(User, { id: viewer.id, roles: { $contains: ['admin'] } });
  if (stillAdmin === 0) throw new AppError('ADMINS_ONLY');
}

/**
 * Suspend an account and end all access to it: it loses its roles, and a job frees its seats. One that waits for approval
 * is declined; one that is about to be deleted comes back without roles if its owner keeps it.
 */
async function suspend(tx: Em, viewer: Viewer, user: User, now: Date): Promise<void> {
  user.roles = [];
  if (user.deletionDueAt) user.rolesBeforeDeletion = [];
  if (user.approval === 'waiting') Object.assign(user, { approval: 'declined', approvalSince: now });
  await endAccess(tx, user.id);
  await revokeAdminInvitesOf(tx, viewer, user.id, now);
  emit(tx, { type: 'account.suspended', userId: user.id });
}

/** The hashes that no ban has yet; 409 if none is left. */
async function withoutKnown(tx: Em, { emailHash, discordHash }: BanHashes): Promise<BanHashes> {
  const isKnown = async (which: { emailHash: string } | { discordHash: string }) => (await tx.count(Ban, which)) > 0;
  const rest = {
    emailHash: emailHash !== null && (await isKnown({ emailHash })) ? null : emailHash,
    discordHash: discordHash !== null && (await isKnown({ discordHash })) ? null : discordHash,
  };
  if (rest.emailHash === null && rest.discordHash === null) throw new AppError('BANNED', copy.bannedAlready);
  return rest;
}

interface Entry {
  identity: Identity;
  label: string;
  reason: string;
  user: User | null;
}

/** Store a ban and suspend its account, if there is one. @returns its id */
async function store(tx: Em, viewer: Viewer, { identity, label, reason, user }: Entry, now: Date): Promise<string> {
  const hashOf = await createBanHasher(tx);
  const hashes = await withoutKnown(tx, hashOf(identity));
  const id = newId();
  tx.create(Ban, {
    id,
    ...hashes,
    label,
    reason,
    user: user && tx.getReference(User, user.id),
    createdBy: tx.getReference(User, viewer.id),
    createdAt: now,
  });
  emit(tx, { type: 'ban.added', by: viewer, ban: { id, label }, userId: user?.id ?? null });
  if (identity.email) await closeSlotRequest(tx, identity.email);
  if (user) await suspend(tx, viewer, user, now);
  return id;
}

async function read(em: Em, id: string): Promise<BanDto> {
  const row = await selectBans(em).where('b.id', '=', id).executeTakeFirst();
  if (!row) throw new AppError('BAN_NOT_FOUND');
  return present(row);
}

/** One change of roles and bans at a time, always in this order. */
async function takeLocks(tx: Em): Promise<void> {
  await takeLock(tx, 'roles');
  await lockBans(tx);
  await requireRoom('bans', db(tx).selectFrom('ban'));
}

/** An account by id, unless it has been erased: 404. */
async function findLiveUser(tx: Em, id: string): Promise<User> {
  const user = await findUser(tx, id);
  if (user.erasedAt) throw new AppError('USER_NOT_FOUND');
  return user;
}

/**
 * Ban an account: its email and its Discord id, and suspend it.
 * @throws AppError 404 for an unknown account; 409 for the viewer's own, and for one that is banned already
 */
export async function banAccount(
  em: Em,
  viewer: Viewer,
  { id: userId, reason }: z.infer<typeof banAccountInput>,
  now: Date,
): Promise<BanDto> {
  const id = await transact(em, async (tx) => {
    await takeLocks(tx);
    const user = await findLiveUser(tx, userId);
    await requireMayBan(tx, viewer, user);
    const label = user.displayName ?? (shownEmail(user.email) || NAMELESS);
    return store(tx, viewer, { identity: await identityOf(tx, userId), label, reason, user }, now);
  });
  return read(em, id);
}

/** The account with this email or Discord id; null for none. */
async function findOwner(tx: Em, { email, discordUserId }: Identity): Promise<User | null> {
  const row = await db(tx)
    .selectFrom('app_user as u')
    .leftJoin('discord_account as d', 'd.user_id', 'u.id')
    .select('u.id')
    .where(({ or, eb }) =>
      or([
        ...(email ? [eb('u.email_key', '=', emailKey(email))] : []),
        ...(discordUserId ? [eb('d.discord_user_id', '=', discordUserId)] : []),
      ]),
    )
    .executeTakeFirst();
  return row ? findUser(tx, row.id) : null;
}

/**
 * Ban an email, a Discord id, or both. An account that has one of them is banned whole, with a ban of its own.
 * @returns the new bans; 409 for the viewer's own address, and for one that is banned already
 */
export async function addBan(
  em: Em,
  viewer: Viewer,
  { email, discordUserId, label, reason }: z.infer<typeof addBanInput>,
  now: Date,
): Promise<BanDto[]> {
  const ids = await transact(em, async (tx) => {
    await takeLocks(tx);
    const given: Identity[] = [{ email }, { discordUserId }].filter((one) => Object.values(one)[0] !== null);
    const entries = new Map<string, Pick<Entry, 'user' | 'identity'>>();
    for (const identity of given) {
      const user = await findOwner(tx, identity);
      if (user) await requireMayBan(tx, viewer, user);
      const known = entries.get(user?.id ?? '')?.identity;
      entries.set(user?.id ?? '', { user, identity: user ? await identityOf(tx, user.id) : { ...known, ...identity } });
    }
    const made: string[] = [];
    for (const entry of entries.values()) made.push(await store(tx, viewer, { ...entry, label, reason }, now));
    return made;
  });
  return Promise.all(ids.map((id) => read(em, id)));
}

/** Lift a ban. Its account stays suspended until an admin restores it. Unknown id: 404. */
export async function liftBan(em: Em, viewer: Viewer, id: string): Promise<{ success: true }> {
  await transact(em, async (tx) => {
    await lockBans(tx);
    const ban = await tx.findOne(Ban, { id });
    if (!ban) throw new AppError('BAN_NOT_FOUND');
    const { user, label } = ban;
    await tx.nativeDelete(Ban, { id });
    emit(tx, { type: 'ban.lifted', by: viewer, ban: { id, label }, userId: user?.id ?? null });
  });
  return { success: true };
}
