/** User management for admins: search, roles, password reset. */
import { type Kysely, sql, type RawBuilder } from 'kysely';
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres';
import type { z } from 'zod';
import { countRows, type Database, db, isOneOf, ms } from '#server/schema/database.ts';
import { named } from '#server/schema/named.ts';
import type { Em } from '#server/schema/orm.ts';
import { isActivePilot } from '#server/schema/predicates.ts';
import { transact } from '#server/schema/transaction.ts';
import { LISTED_BY, User } from '#server/schema/user.ts';
import { takeLock } from '#server/platform/transaction.queries.ts';
import { AppError } from '#server/platform/errors.ts';
import { copy } from '#shared/copy.ts';
import type { resetPasswordInput, roleInput, UsersInput, usersPage } from '#shared/schemas/admin.ts';
import { LISTED_MAX } from '#shared/limits.ts';
import { ROLES, type Role, type UserSort } from '#shared/vocabulary.ts';
import { refuseGuessable, replacePassword, verifyOwnPassword } from './accounts.ts';
import { emit } from '#server/signals/emit.ts';
import type { Actor } from '#server/signals/rules/effects.ts';
import { requireNotBanned } from './ban-check.ts';
import { PLACEHOLDER_PATTERN, shownEmail } from './email.ts';
import { findLookAlikes } from './look-alikes.ts';
import { revokeAdminInvitesOf } from './invites.ts';
import { presentLeave, selectLeaveOf } from './leave.ts';
import type { PasswordHasher } from './password-hashing.ts';
import { presentUser } from './present.ts';
import { loadRecords, type PilotRecord } from '#server/accounts/pilots/fairness.ts';
import { findUser, requireAllStaying, requireStaying } from './users.ts';
import { toViewer, VIEWER_COLUMNS, type Viewer } from '#server/platform/viewer.ts';

/** Escapes the wildcards of LIKE. */
const escapeLike = (text: string) => text.replace(/[\\%_]/g, (character) => `\\${character}`);

/** Sort expressions. Names sort as people expect: `alpha` before `Zulu`, `älv` beside `alv`; the database sorts by code point. */
const SORTED_BY: Record<Exclude<UserSort, 'reliability'>, RawBuilder<unknown>> = {
  displayName: sql.raw(LISTED_BY.displayName),
  email: sql.raw(LISTED_BY.email),
  createdAt: sql`u.created_at`,
  lastSeenAt: sql.ref('seen.seen_at'),
};

/** The accounts `u` that a search finds, with their last use, which the planner leaves out where nothing asks for it. */
function selectMatching(
  source: Kysely<Database>,
  { query, role = [], noAircraft }: Pick<UsersInput, 'query' | 'role' | 'noAircraft'>,
) {
  const pattern = `%${escapeLike(query ?? '')}%`;
  return source
    .selectFrom('app_user as u')
    .leftJoin('last_seen as seen', 'seen.user_id', 'u.id')
    .where('u.erased_at', 'is', null)
    .$if(Boolean(query), (found) =>
      found.where(({ or, and, eb }) =>
        or([
          eb('u.display_name', 'ilike', pattern),
          and([eb('u.email', 'ilike', pattern), eb('u.email', 'not like', PLACEHOLDER_PATTERN)]),
        ]),
      ),
    )
    .$if(role.length > 0, (found) => found.where(sql<boolean>`u.roles && ${role}::text[]`))
    .$if(noAircraft === true, (found) =>
      found
        .where(isActivePilot('u'))
        .where(({ not, exists, selectFrom }) =>
          not(exists(selectFrom('proficiency as p').select('p.user_id').whereRef('p.user_id', '=', 'u.id'))),
        ),
    );
}

/** In the order that is asked for. Nulls last in both directions: accounts without a call sign come after the others. Ties by age. */
function selectInOrder(source: Kysely<Database>, input: Omit<UsersInput, 'page' | 'pageSize'>) {
  const { sort, direction } = input;
  const found = selectMatching(source, input);
  // by reliability the list is sorted when the records are known
  const sorted =
    sort === 'reliability'
      ? found
      : found.orderBy(SORTED_BY[sort], (order) =>
          // every account has this time, and an index that has no nulls is read in both directions
          sort === 'createdAt' ? order[direction]() : order[direction]().nullsLast(),
        );
  return sorted.orderBy('u.created_at').orderBy('u.id');
}

/** Ids of the active pilots that a search finds, in its order. */
export async function listPilotIds(em: Em, input: Omit<UsersInput, 'page' | 'pageSize'>): Promise<string[]> {
  const found = selectInOrder(db(em), input).where(isActivePilot('u'));
  const rows = await found.select('u.id').limit(LISTED_MAX.exported).execute();
  return rows.map(({ id }) => id);
}

const isSearch = ({ query, role = [], noAircraft }: UsersInput): boolean =>
  Boolean(query) || role.length > 0 || noAircraft === true;

const firstOf = ({ page, pageSize }: UsersInput): number => (page - 1) * pageSize;

/** Columns of an account in the list; rows, because entities take longer to make than to read. */
const withColumns = (found: ReturnType<typeof selectMatching>) =>
  found.select((account) => [
    ...VIEWER_COLUMNS,
    ms(account.ref('seen.seen_at')).as('seenMs'),
    selectLeaveOf(account).as('leave'),
    jsonObjectFrom(
      account
        .selectFrom('ban as b')
        .select(['b.id', 'b.reason'])
        .whereRef('b.user_id', '=', 'u.id')
        .orderBy('b.created_at', 'desc')
        .limit(1),
    ).as('ban'),
    jsonArrayFrom(
      account
        .selectFrom('proficiency as p')
        .innerJoin('aircraft as a', 'a.id', 'p.aircraft_id')
        .select(['a.name', 'p.level'])
        .whereRef('p.user_id', '=', 'u.id')
        .orderBy('a.name'),
    ).as('aircraft'),
  ]);

type AccountRow = Awaited<ReturnType<ReturnType<typeof withColumns>['execute']>>[number];

type Part = { size: number; first: number };
type Order = Pick<UsersInput, 'sort' | 'direction'>;

/** The list without a search, as it opens: a statement for each order, planned once. */
const pagesOfAll = new Map<string, (em: Em, part: Part) => Promise<AccountRow[]>>();

function pageOfAll({ sort, direction }: Order) {
  const name = `users_by_${sort}_${direction}`;
  const known = pagesOfAll.get(name);
  if (known) return known;
  const statement = named(name, (source, { size, first }: Part) =>
    withColumns(selectInOrder(source, { sort, direction })).limit(size).offset(first),
  );
  pagesOfAll.set(name, statement);
  return statement;
}

function pageInOrder(em: Em, input: UsersInput): Promise<AccountRow[]> {
  const part: Part = { size: input.pageSize, first: firstOf(input) };
  if (!isSearch(input)) return pageOfAll(input)(em, part);
  return withColumns(selectInOrder(db(em), input))
    .limit(part.size)
    .offset(part.first)
    .execute();
}

/** Reliability is computed from all missions, so choosing a page takes the records of all accounts. New pilots come last. */
async function pageByReliability(em: Em, input: UsersInput, now: Date): Promise<AccountRow[]> {
  const found = await selectInOrder(db(em), input).select('u.id').execute();
  const records = await loadRecords(em, now);
  const figureOf = ({ id }: { id: string }) => knownReliability(records.get(id));
  const sign = input.direction === 'asc' ? 1 : -1;
  const sorted = found.toSorted((a, b) => {
    const [one, other] = [figureOf(a), figureOf(b)];
    return one === null || other === null ? Number(one === null) - Number(other === null) : sign * (one - other);
  });
  const ids = sorted.slice(firstOf(input), firstOf(input) + input.pageSize).map(({ id }) => id);
  const chosen = withColumns(selectMatching(db(em), {})).where(isOneOf('u.id', ids));
  const rows = new Map((await chosen.execute()).map((row) => [row.id, row]));
  return ids.flatMap((id) => rows.get(id) ?? []);
}

const countAll = named('users_count', (source) => selectMatching(source, {}).select(countRows().as('total')));

async function countMatching(em: Em, input: UsersInput): Promise<number> {
  const [found] = isSearch(input)
    ? await selectMatching(db(em), input).select(countRows().as('total')).execute()
    : await countAll(em, {});
  return found?.total ?? 0;
}

const knownReliability = (record: PilotRecord | undefined): number | null =>
  record === undefined || record.isNew ? null : record.reliability;

async function presentPage(em: Em, rows: readonly AccountRow[], now: Date) {
  const users = rows.map(({ seenMs, leave, ban, aircraft, ...row }) => ({
    ...presentUser(toViewer(row)),
    hasSecondFactor: row.secondFactorMs !== null,
    lastSeenAt: seenMs === null ? null : new Date(seenMs).toISOString(),
    aircraft,
    leave: presentLeave(leave, row.timeZone, now),
    ban,
  }));
  const ids = users.map(({ id }) => id);
  const [looksLike, records] = await Promise.all([findLookAlikes(em, users), loadRecords(em, now, ids)]);
  return users.map((user) => ({
    ...user,
    looksLike: looksLike.get(user.id) ?? [],
    reliability: knownReliability(records.get(user.id)),
  }));
}

/**
 * One page of the accounts, searched by call sign and email. The placeholder of an account without an email is neither
 * searched nor sorted by.
 */
export async function listUsers(em: Em, input: UsersInput, now: Date): Promise<z.infer<typeof usersPage>> {
  const rows = input.sort === 'reliability' ? pageByReliability(em, input, now) : pageInOrder(em, input);
  // In a large community counting takes as long as all the rest, so neither waits for the other.
  const [users, total] = await Promise.all([rows.then((page) => presentPage(em, page, now)), countMatching(em, input)]);
  return { users, total, page: input.page, pageSize: input.pageSize };
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
    emit(tx, { type: 'password.reset', by: viewer, userId: input.id });
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
  type: 'role.added' | 'role.removed',
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
      emit(tx, { type, by: actor, userId: id, role });
    }
    return ROLES.filter((known) => roles.includes(known));
  });
}

/** Adding a role that the user has already changes nothing. 409 for a banned account. */
export async function addRole(em: Em, actor: Actor, input: RoleInput): Promise<Role[]> {
  return changeRoles(em, actor, input, 'role.added', async (tx, roles) => {
    await requireNotBanned(tx, input.id);
    return [...new Set([...roles, input.role])];
  });
}

/**
 * 409 for the last admin and for the viewer's own admin role. Removing a role that the user lacks changes nothing. Either role
 * takes the account's open invites for admins with it.
 */
export async function removeRole(em: Em, viewer: Viewer, input: RoleInput, now: Date): Promise<Role[]> {
  return changeRoles(em, viewer, input, 'role.removed', async (tx, roles) => {
    if (input.role === 'admin' && roles.includes('admin')) {
      if (input.id === viewer.id) throw new AppError('OWN_ADMIN_ROLE');
      const stillAdmin = await tx.count(User, { id: viewer.id, roles: { $contains: ['admin'] } });
      if (stillAdmin === 0) throw new AppError('ADMINS_ONLY');
      const admins = await tx.count(User, { roles: { $contains: ['admin'] } });
      if (admins <= 1) throw new AppError('LAST_ADMIN', copy.lastAdmin);
    }
    if (roles.includes(input.role)) await revokeAdminInvitesOf(tx, viewer, input.id, now);
    return roles.filter((role) => role !== input.role);
  });
}
