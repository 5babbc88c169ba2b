/** User management for admins: search, roles, password reset. */
import { raw } from '@mikro-orm/core';
import type { z } from 'zod';
import { db, isOneOf, ms } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import { User } from '#server/schema/user.ts';
import { takeLock } from '#server/platform/transaction.queries.ts';
import { AppError } from '#server/platform/errors.ts';
import { copy } from '#shared/copy.ts';
import type { resetPasswordInput, roleInput, UsersInput, usersPage } from '#shared/schemas/admin.ts';
import { LISTED_MAX } from '#shared/limits.ts';
import { ROLES, type Role, type UserSort } from '#shared/vocabulary.ts';
import { refuseGuessable, replacePassword, verifyOwnPassword } from './accounts.ts';
import { publishLive } from '#server/signals/live-signals.ts';
import { recordAudit, type Actor } from '#server/signals/audit.ts';
import { requireNotBanned } from './ban-check.ts';
import { loadBansOf } from './bans.ts';
import { PLACEHOLDER_PATTERN, shownEmail } from './email.ts';
import { findLookAlikes } from './look-alikes.ts';
import { revokeAdminInvitesOf } from './invites.ts';
import { loadLeaves } from './leave.ts';
import type { PasswordHasher } from './password-hashing.ts';
import { presentUser } from './present.ts';
import { loadRecords, type PilotRecord } from '#server/pilots/fairness.ts';
import { recheckStreams } from './sessions.ts';
import { findUser, requireAllStaying, requireStaying } from './users.ts';
import type { Viewer } from '#server/platform/viewer.ts';
import { enqueuePilotBackfill } from '#server/signals/backfill-jobs.ts';

/** Escapes the wildcards of LIKE. */
const escapeLike = (text: string) => text.replace(/[\\%_]/g, (character) => `\\${character}`);

/** Sort expressions. Names sort as people expect: `alpha` before `Zulu`, `älv` beside `alv`; the database sorts by code point. */
const SORTED_BY: Record<Exclude<UserSort, 'reliability'>, (alias: string) => string> = {
  displayName: (alias) => `${alias}.display_name collate "und-x-icu"`,
  email: (alias) => `case when ${alias}.email not like '${PLACEHOLDER_PATTERN}' then ${alias}.email_key end`,
  createdAt: (alias) => `${alias}.created_at`,
  lastSeenAt: (alias) => `(select seen_at from last_seen where user_id = ${alias}.id)`,
};

/** The accounts that a search finds. */
function matching({ query, role, noAircraft }: Pick<UsersInput, 'query' | 'role' | 'noAircraft'>) {
  const pattern = query ? `%${escapeLike(query)}%` : undefined;
  return {
    erasedAt: null,
    ...(pattern
      ? {
          $or: [
            { displayName: { $ilike: pattern } },
            { $and: [{ email: { $ilike: pattern } }, { $not: { email: { $like: PLACEHOLDER_PATTERN } } }] },
          ],
        }
      : {}),
    ...(role?.length ? { roles: { $overlap: role } } : {}),
    ...(noAircraft
      ? {
          $and: [
            { roles: { $contains: ['user' as const] } },
            { [raw((alias) => `exists (select from proficiency where user_id = ${alias}.id)`)]: false },
          ],
        }
      : {}),
  };
}

/** Nulls last in both directions: accounts without a call sign come after the others. Ties by age. */
const orderOf = ({ sort, direction }: Pick<UsersInput, 'sort' | 'direction'>) => [
  // by reliability the list is sorted when the records are known
  ...(sort === 'reliability' ? [] : [{ [raw(SORTED_BY[sort])]: `${direction} nulls last` as const }]),
  { createdAt: 'asc' as const },
  { id: 'asc' as const },
];

/** Ids of the active pilots that a search finds, in its order. */
export async function listPilotIds(em: Em, input: Omit<UsersInput, 'page' | 'pageSize'>): Promise<string[]> {
  const rows = await em.find(
    User,
    { $and: [matching(input), { roles: { $contains: ['user'] } }] },
    { fields: ['id'], orderBy: orderOf(input), limit: LISTED_MAX.exported },
  );
  return rows.map(({ id }) => id);
}

const firstOf = ({ page, pageSize }: UsersInput): number => (page - 1) * pageSize;

const pageInOrder = (em: Em, input: UsersInput): Promise<[User[], number]> =>
  em.findAndCount(User, matching(input), {
    orderBy: orderOf(input),
    limit: input.pageSize,
    offset: firstOf(input),
  });

/** Reliability is computed from all missions, so the page is chosen by the records of all accounts. New pilots are last. */
async function pageByReliability(em: Em, input: UsersInput, now: Date): Promise<[User[], number]> {
  // rows, because entities of all accounts would take a second of the main thread
  const found = await em
    .createQueryBuilder(User)
    .select('id')
    .where(matching(input))
    .orderBy(orderOf(input))
    .execute<{ id: string }[]>('all');
  const records = await loadRecords(em, now);
  const figureOf = ({ id }: { id: string }) => knownReliability(records.get(id));
  const sign = input.direction === 'asc' ? 1 : -1;
  const sorted = found.toSorted((a, b) => {
    const [one, other] = [figureOf(a), figureOf(b)];
    return one === null || other === null ? Number(one === null) - Number(other === null) : sign * (one - other);
  });
  const ids = sorted.slice(firstOf(input), firstOf(input) + input.pageSize).map(({ id }) => id);
  const rows = new Map((await em.find(User, { id: { $in: ids } })).map((row) => [row.id, row]));
  return [ids.flatMap((id) => rows.get(id) ?? []), found.length];
}

const knownReliability = (record: PilotRecord | undefined): number | null =>
  record === undefined || record.isNew ? null : record.reliability;

/** Aircraft, reliability and last use of these accounts. */
async function loadFigures(em: Em, ids: readonly string[], now: Date) {
  const records = await loadRecords(em, now, ids);
  const aircraft = await db(em)
    .selectFrom('proficiency as p')
    .innerJoin('aircraft as a', 'a.id', 'p.aircraft_id')
    .select(['p.user_id as userId', 'a.name', 'p.level'])
    .where(isOneOf('p.user_id', ids))
    .orderBy('a.name')
    .execute();
  const seen = await db(em)
    .selectFrom('last_seen')
    .select(({ ref }) => ['user_id as userId', ms(ref('seen_at')).as('seenMs')])
    .where(isOneOf('user_id', ids))
    .execute();
  const aircraftOf = Map.groupBy(aircraft, ({ userId }) => userId);
  const seenOf = new Map(seen.map(({ userId, seenMs }) => [userId, new Date(seenMs).toISOString()]));
  return (id: string) => ({
    aircraft: (aircraftOf.get(id) ?? []).map(({ name, level }) => ({ name, level })),
    reliability: knownReliability(records.get(id)),
    lastSeenAt: seenOf.get(id) ?? null,
  });
}

/**
 * One page of the accounts, searched by call sign and email. The placeholder of an account without an email is neither
 * searched nor sorted by.
 */
export async function listUsers(em: Em, input: UsersInput, now: Date): Promise<z.infer<typeof usersPage>> {
  const [rows, total] =
    input.sort === 'reliability' ? await pageByReliability(em, input, now) : await pageInOrder(em, input);
  const users = rows.map((row) => presentUser({ ...row, displayName: row.displayName ?? null }));
  const withFactor = new Set(rows.flatMap(({ id, secondFactorAt }) => (secondFactorAt ? [id] : [])));
  const looksLike = await findLookAlikes(em, users);
  const leaveOf = await loadLeaves(em, users, now);
  const banOf = await loadBansOf(
    em,
    users.map(({ id }) => id),
  );
  const figures = await loadFigures(
    em,
    users.map(({ id }) => id),
    now,
  );
  return {
    users: users.map((user) => ({
      ...user,
      looksLike: looksLike.get(user.id) ?? [],
      ...figures(user.id),
      hasSecondFactor: withFactor.has(user.id),
      leave: leaveOf(user.id),
      ban: banOf.get(user.id) ?? null,
    })),
    total,
    page: input.page,
    pageSize: input.pageSize,
  };
}

/** Admins have to enter their current password to reset their own: a session that was left open is no proof of identity. */
async function verifyReset(
  em: Em,
  viewer: Viewer,
  passwords: PasswordHasher,
  { id, currentPassword }: z.infer<typeof resetPasswordInput>,
): Promise<string | undefined> {
  if (id !== viewer.id) return undefined;
  if (currentPassword === undefined)
    throw new AppError('VALIDATION', copy.ownPasswordNeeded, { field: 'currentPassword' });
  return verifyOwnPassword(em, viewer, passwords, currentPassword);
}

/**
 * Reset a password and end the account's sessions, links and devices. Admins need their current password to reset their
 * own. 409 for an account that is being deleted, and for one without an email: it could not sign in with a password, and could no longer set its first one.
 */
export async function resetPassword(
  em: Em,
  viewer: Viewer,
  passwords: PasswordHasher,
  input: z.infer<typeof resetPasswordInput>,
): Promise<void> {
  const account = await findUser(em, input.id);
  requireStaying(account);
  await refuseGuessable(em, input.newPassword, 'newPassword', account);
  if (shownEmail(account.email) === '') throw new AppError('EMAIL_REQUIRED', copy.resetWithoutEmail);
  const verifiedHash = await verifyReset(em, viewer, passwords, input);
  const passwordHash = await passwords.hash(input.newPassword);
  await transact(em, async (tx) => {
    await requireAllStaying(tx, [input.id]);
    await replacePassword(tx, { userId: input.id, passwordHash, ...(verifiedHash && { verifiedHash }) });
    recordAudit(tx, viewer, 'password_reset', { type: 'user', id: input.id });
  });
}

export async function listRoles(em: Em, id: string): Promise<Role[]> {
  const user = await findUser(em, id);
  return ROLES.filter((role) => user.roles.includes(role));
}

type RoleInput = z.infer<typeof roleInput>;

async function changeRoles(
  em: Em,
  actor: Actor,
  { id, role }: RoleInput,
  action: 'role_added' | 'role_removed',
  next: (tx: Em, roles: readonly Role[]) => Promise<Role[]>,
): Promise<Role[]> {
  return transact(em, async (tx) => {
    // one role change at a time, so that two demotions cannot both find another admin left
    await takeLock(tx, 'roles');
    const user = await findUser(tx, id);
    requireStaying(user);
    const roles = await next(tx, user.roles);
    if (roles.length !== user.roles.length) {
      user.roles = roles;
      if (roles.includes('user')) Object.assign(user, { approval: null, approvalSince: null });
      recordAudit(tx, actor, action, { type: 'user', id }, { role });
      await publishLive(tx, ['profile', [id]]);
      await recheckStreams(tx, id);
      if (role === 'user') {
        await publishLive(tx, 'stats', 'missions');
        // a job frees the seats of a suspended pilot: missions are not locked while the role lock is held
        await enqueuePilotBackfill(tx, id);
      }
    }
    return ROLES.filter((known) => roles.includes(known));
  });
}

/** Adding a role that the user has already changes nothing. 409 for a banned account. */
export async function addRole(em: Em, actor: Actor, input: RoleInput): Promise<Role[]> {
  return changeRoles(em, actor, input, 'role_added', async (tx, roles) => {
    await requireNotBanned(tx, input.id);
    return [...new Set([...roles, input.role])];
  });
}

/**
 * 409 for the last admin and for the viewer's own admin role. Removing a role that the user lacks changes nothing. Either role
 * takes the account's open invites for admins with it.
 */
export async function removeRole(em: Em, viewer: Viewer, input: RoleInput, now: Date): Promise<Role[]> {
  return changeRoles(em, viewer, input, 'role_removed', async (tx, roles) => {
    if (input.role === 'admin' && roles.includes('admin')) {
      if (input.id === viewer.id) throw new AppError('OWN_ADMIN_ROLE', copy.ownAdminRole);
      const stillAdmin = await tx.count(User, { id: viewer.id, roles: { $contains: ['admin'] } });
      if (stillAdmin === 0) throw new AppError('ADMINS_ONLY', copy.adminsOnly);
      const admins = await tx.count(User, { roles: { $contains: ['admin'] } });
      if (admins <= 1) throw new AppError('LAST_ADMIN', copy.lastAdmin);
    }
    if (roles.includes(input.role)) await revokeAdminInvitesOf(tx, viewer, input.id, now);
    return roles.filter((role) => role !== input.role);
  });
}
