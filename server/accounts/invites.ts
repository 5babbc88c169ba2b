/** Invites as admins manage them: list, make, revoke, and the accounts that came by one. */
import { AppError } from '#server/platform/errors.ts';
import { type KeyedCaller, onceFor } from '#server/platform/idempotency.ts';
import { requireRoom } from '#server/platform/ownership.ts';
import { takeLock } from '#server/platform/transaction.queries.ts';
import { toViewer, VIEWER_COLUMNS, type Viewer } from '#server/platform/viewer.ts';
import { newId } from '#server/schema/base.ts';
import { ago, db, ms } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { nameForAdmins } from '#server/schema/predicates.ts';
import { transact } from '#server/schema/transaction.ts';
import { emit } from '#server/signals/emit.ts';
import type { Actor } from '#server/signals/rules/effects.ts';
import { DAY_MS, toIso } from '#server/time/time.ts';
import { copy } from '#shared/copy.ts';
import { INVITES, LISTED_MAX } from '#shared/limits.ts';
import type { CreateInviteInput, InvitedPilotDto, InviteDto } from '#shared/schemas/community.ts';
import type { InviteLinks } from './invite-links.ts';
import { presentUser } from './present.ts';
import { inviteState } from './rules/invite-state.ts';
import { answerSlotRequest } from './slot-requests.ts';

/** Invites with their limits and the admin who made them. */
export const selectInvites = (em: Em) =>
  db(em)
    .selectFrom('invite as i')
    .leftJoin('app_user as u', 'u.id', 'i.created_by_id')
    .select(({ ref }) => [
      'i.id',
      'i.name',
      'i.role',
      'i.with_approval as withApproval',
      'i.max_uses as maxUses',
      'i.uses',
      'i.time_zone as timeZone',
      'i.aircraft_ids as aircraftIds',
      nameForAdmins('u').$castTo<string | null>().as('createdBy'),
      'u.roles as makerRoles',
      ms(ref('i.revoked_at')).as('revokedMs'),
      ms(ref('i.expires_at')).as('expiresMs'),
      ms(ref('i.created_at')).as('createdMs'),
    ]);

type Row = Awaited<ReturnType<ReturnType<typeof selectInvites>['execute']>>[number];

function present(row: Row, links: InviteLinks, now: Date): InviteDto {
  const { id, name, role, withApproval, maxUses, uses, timeZone, aircraftIds, createdBy, expiresMs, createdMs } = row;
  return {
    id,
    name,
    url: links.urlOf(id),
    state: inviteState(row, now.getTime()),
    role,
    withApproval,
    maxUses,
    uses,
    timeZone,
    aircraftIds,
    createdBy,
    expiresAt: expiresMs === null ? null : toIso(expiresMs),
    createdAt: toIso(createdMs),
  };
}

/**
 * Invites, the newest first.
 * @param isByToken leave out the links that make admins, which would turn an access token into an account
 */
export async function listInvites(
  em: Em,
  links: InviteLinks,
  { isByToken }: { isByToken: boolean },
  now: Date,
): Promise<InviteDto[]> {
  const rows = await selectInvites(em)
    .orderBy('i.created_at', 'desc')
    .orderBy('i.id', 'desc')
    .limit(LISTED_MAX.invites)
    .execute();
  return rows.map((row) => ({
    ...present(row, links, now),
    ...(isByToken && row.role === 'admin' && { url: '' }),
  }));
}

/** 400 for an expiry in the past or too far ahead, and for an invite that would make too many admins for too long. */
function checkLimits({ role, maxUses, expiresAt }: CreateInviteInput, now: Date): void {
  const daysLeft = expiresAt === null ? null : (Date.parse(expiresAt) - now.getTime()) / DAY_MS;
  if (daysLeft !== null && (daysLeft <= 0 || daysLeft > INVITES.daysMax))
    throw new AppError('VALIDATION', copy.inviteExpiry, { field: 'expiresAt' });
  if (role !== 'admin') return;
  if (maxUses === null || maxUses > INVITES.adminUsesMax || daysLeft === null || daysLeft > INVITES.adminDaysMax)
    throw new AppError('VALIDATION', copy.inviteAdminLimit, { field: 'role' });
}

async function requireAircraft(tx: Em, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const known = await db(tx)
    .selectFrom('aircraft')
    .select('id')
    .where('id', 'in', [...ids])
    .execute();
  if (known.length < new Set(ids).size) throw new AppError('AIRCRAFT_NOT_FOUND', { field: 'aircraftIds' });
}

/** 403 if the admin role was taken away since the call began: see `revokeAdminInvitesOf`, which takes the same lock. */
async function requireStillAdmin(tx: Em, id: string): Promise<void> {
  const { roles } = await db(tx).selectFrom('app_user').select('roles').where('id', '=', id).executeTakeFirstOrThrow();
  if (!roles.includes('admin')) throw new AppError('ADMINS_ONLY');
}

/** @returns the id of the new invite */
async function createInside(tx: Em, viewer: Viewer, input: CreateInviteInput, now: Date): Promise<string> {
  const { name, role, withApproval, maxUses, timeZone } = input;
  const id = newId();
  const expiresAt = input.expiresAt === null ? null : new Date(input.expiresAt);
  await takeLock(tx, 'invites');
  if (role === 'admin') await requireStillAdmin(tx, viewer.id);
  const open = db(tx)
    .selectFrom('invite')
    .where('revoked_at', 'is', null)
    .where(({ eb, or }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .where(({ eb, or, ref }) => or([eb('max_uses', 'is', null), eb('uses', '<', ref('max_uses'))]));
  await requireRoom('invites', open);
  const aircraftIds = [...new Set(input.aircraftIds)];
  await requireAircraft(tx, aircraftIds);
  await db(tx)
    .insertInto('invite')
    .values({
      id,
      name,
      role,
      with_approval: withApproval,
      max_uses: maxUses,
      uses: 0,
      expires_at: expiresAt,
      time_zone: timeZone,
      aircraft_ids: aircraftIds,
      created_by_id: viewer.id,
      created_at: now,
    })
    .execute();
  const isForRequest = input.requestId !== null;
  if (input.requestId !== null) await answerSlotRequest(tx, input.requestId, id);
  const limits = { withApproval, maxUses, expiresAt: expiresAt?.toISOString() ?? null };
  emit(tx, { type: 'invite.created', by: viewer, invite: { id, name }, role, limits, isForRequest });
  return id;
}

async function read(em: Em, id: string, links: InviteLinks, now: Date): Promise<InviteDto> {
  const row = await selectInvites(em).where('i.id', '=', id).executeTakeFirst();
  if (!row) throw new AppError('INVITE_NOT_FOUND');
  return present(row, links, now);
}

/** Make an invite. 400 for limits that are not allowed, 409 for too many open invites. */
export async function createInvite(
  em: Em,
  viewer: Viewer,
  input: CreateInviteInput,
  links: InviteLinks,
  caller: KeyedCaller,
): Promise<InviteDto> {
  checkLimits(input, caller.now);
  const id = await transact(em, (tx) =>
    onceFor(tx, caller, 'invite', input, () => createInside(tx, viewer, input, caller.now)),
  );
  return read(em, id, links, caller.now);
}

/**
 * End an invite; the accounts that came by it stay, and those that wait for approval no longer become admins by it. Revoking
 * it again changes nothing. Unknown id: 404.
 */
export async function revokeInvite(
  em: Em,
  viewer: Viewer,
  id: string,
  links: InviteLinks,
  now: Date,
): Promise<InviteDto> {
  await transact(em, async (tx) => {
    await takeLock(tx, 'invites');
    const revoked = await db(tx)
      .updateTable('invite')
      .set({ revoked_at: now })
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .returning('name')
      .executeTakeFirst();
    if (!revoked) return;
    emit(tx, { type: 'invite.revoked', by: viewer, invite: { id, name: revoked.name }, creatorLeft: false });
  });
  return read(em, id, links, now);
}

/**
 * Revoke the open invites of one account that make admins, when it is demoted, suspended, banned or deleted: it could
 * otherwise become an admin again by its own link. Accounts that came by one and wait for approval become pilots. Its invites for pilots stay, because recruits may already have them.
 */
export async function revokeAdminInvitesOf(tx: Em, actor: Actor, userId: string, now: Date): Promise<void> {
  await takeLock(tx, 'invites');
  const revoked = await db(tx)
    .updateTable('invite')
    .set({ revoked_at: now })
    .where('created_by_id', '=', userId)
    .where('role', '=', 'admin')
    .where('revoked_at', 'is', null)
    .returning(['id', 'name'])
    .execute();
  for (const invite of revoked) emit(tx, { type: 'invite.revoked', by: actor, invite, creatorLeft: true });
}

/** The accounts that joined by an invite, the newest first. Unknown id: 404. */
export async function listInvited(em: Em, id: string): Promise<InvitedPilotDto[]> {
  const invite = await db(em).selectFrom('invite').select('id').where('id', '=', id).executeTakeFirst();
  if (!invite) throw new AppError('INVITE_NOT_FOUND');
  const rows = await db(em)
    .selectFrom('invite_use as j')
    .innerJoin('app_user as u', 'u.id', 'j.user_id')
    .select(({ ref }) => [...VIEWER_COLUMNS, ms(ref('j.joined_at')).as('joinedMs')])
    .where('j.invite_id', '=', id)
    .orderBy('j.joined_at', 'desc')
    .orderBy('j.user_id', 'desc')
    .execute();
  return rows.map(({ joinedMs, ...user }) => ({ user: presentUser(toViewer(user)), joinedAt: toIso(joinedMs) }));
}

/** Delete invites that ended a while ago and that no account came by: making and revoking them leaves nothing behind. */
export async function purgeInvites(em: Em): Promise<void> {
  const ended = ago(`${INVITES.unusedDays} days`);
  await db(em)
    .deleteFrom('invite')
    .where(({ eb, or }) => or([eb('revoked_at', '<', ended), eb('expires_at', '<', ended)]))
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('invite_use as j').select('j.user_id').whereRef('j.invite_id', '=', 'invite.id'))),
    )
    .execute();
}
