/** Approval of new accounts: the waiting list, and admins' decisions. */
import { AppError } from '#server/platform/errors.ts';
import { takeLock } from '#server/platform/transaction.queries.ts';
import { toViewer, VIEWER_COLUMNS, type Viewer } from '#server/platform/viewer.ts';
import { ago, countRows, db, isOneOf, ms } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import { User } from '#server/schema/user.ts';
import { emit } from '#server/signals/emit.ts';
import { toIso } from '#server/time/time.ts';
import { adminUnconfirmedSentence, noLongerAdminSentence } from '#shared/copy.ts';
import { NAMELESS } from '#shared/labels.ts';
import { DECLINED_DAYS, LISTED_MAX } from '#shared/limits.ts';
import type { DecideAccountsInput, WaitingAccountsDto } from '#shared/schemas/community.ts';
import type { Role } from '#shared/vocabulary.ts';
import { requireNotBanned } from './ban-check.ts';
import { shownEmail } from './email.ts';
import { eraseTraces } from './erase-account.ts';
import type { RequireFresh } from './fresh-session.ts';
import { presentUser } from './present.ts';
import { makesAdmins } from './rules/invite-state.ts';
import { requireAllStaying } from './users.ts';

/** Accounts, by the name `u`, with the invite that each came by. */
const selectWithInvites = (em: Em) =>
  db(em)
    .selectFrom('app_user as u')
    .leftJoin('invite_use as j', 'j.user_id', 'u.id')
    .leftJoin('invite as i', 'i.id', 'j.invite_id')
    .leftJoin('app_user as m', 'm.id', 'i.created_by_id')
    .select(({ ref }) => [
      'i.name as invite',
      'i.role as invitedAs',
      ms(ref('i.revoked_at')).as('revokedMs'),
      'm.roles as makerRoles',
    ]);

/** The invite by which an account becomes an admin once it is approved; null for none. */
function inviteForAdmin({ invite, invitedAs, revokedMs, makerRoles }: Invited): string | null {
  return invitedAs !== null && makesAdmins({ role: invitedAs, revokedMs, makerRoles }) ? invite : null;
}
type Invited = Awaited<ReturnType<ReturnType<typeof selectWithInvites>['execute']>>[number];

/** Accounts that wait, and those that were declined; the waiting ones first, each the oldest first. */
export async function listWaiting(em: Em): Promise<WaitingAccountsDto> {
  const rows = await selectWithInvites(em)
    .select(({ ref, fn }) => [
      ...VIEWER_COLUMNS,
      ms(fn.coalesce('u.approval_since', ref('u.created_at'))).as('sinceMs'),
    ])
    .where('u.approval', 'is not', null)
    // its owner no longer wants in
    .where('u.deletion_due_at', 'is', null)
    // "waiting" comes after "declined" in the alphabet
    .orderBy('u.approval', 'desc')
    .orderBy('u.approval_since')
    .orderBy('u.id')
    .limit(LISTED_MAX.waiting)
    .execute();
  const { waiting } = await db(em)
    .selectFrom('app_user')
    .select(countRows().as('waiting'))
    .where('approval', '=', 'waiting')
    .where('deletion_due_at', 'is', null)
    .executeTakeFirstOrThrow();
  return {
    accounts: rows.map(({ sinceMs, ...row }) => ({
      user: presentUser(toViewer(row)),
      since: toIso(sinceMs),
      invite: row.invite,
      becomesAdmin: inviteForAdmin(row) !== null,
    })),
    waiting,
  };
}

/** 409 unless the admin has been told rightly whether an approval makes the account an admin. */
function requireConfirmed(account: string, invite: string | null, isConfirmed: boolean): void {
  if (invite !== null && !isConfirmed)
    throw new AppError('ADMIN_UNCONFIRMED', adminUnconfirmedSentence(account, invite));
  if (invite === null && isConfirmed) throw new AppError('CHANGED', noLongerAdminSentence(account));
}

/**
 * Approve or decline accounts. An approved one becomes a pilot, and an admin if its invite still makes admins; a declined one
 * can be approved until it is deleted. Accounts that have been decided in the same way already are left as they are.
 * @param requireFresh asked before somebody becomes an admin
 * @returns how many accounts have changed; 409 for one that is being deleted, and when `admins`
 * does not name those that become admins
 */
export async function decideAccounts(
  em: Em,
  viewer: Viewer,
  { ids, decision, admins }: DecideAccountsInput,
  requireFresh: RequireFresh,
  now: Date,
): Promise<number> {
  return transact(em, async (tx) => {
    // no invite is revoked, and no admin demoted, between the look at them and the new roles
    await takeLock(tx, 'roles');
    await takeLock(tx, 'invites');
    await requireAllStaying(tx, ids);
    const accounts = await selectWithInvites(tx)
      .select(['u.id', 'u.email', 'u.display_name as name', 'u.roles'])
      .where(isOneOf('u.id', ids))
      .where('u.approval', 'is not', null)
      .$if(decision === 'decline', (select) => select.where('u.approval', '=', 'waiting'))
      .orderBy('u.id')
      .execute();
    for (const account of accounts) {
      const { id, email, name, roles } = account;
      const invite = decision === 'approve' ? inviteForAdmin(account) : null;
      if (decision === 'approve') {
        if (invite !== null) await requireFresh(tx);
        requireConfirmed(name ?? (shownEmail(email) || NAMELESS), invite, admins.includes(id));
        await requireNotBanned(tx, id);
      }
      const granted: Role[] = [...roles, 'user', ...(invite === null ? [] : (['admin'] as const))];
      await tx.nativeUpdate(
        User,
        { id },
        decision === 'approve'
          ? { approval: null, approvalSince: null, roles: [...new Set(granted)] }
          : { approval: 'declined' as const, approvalSince: now },
      );
      const type = decision === 'approve' ? 'account.approved' : 'account.declined';
      emit(tx, { type, by: viewer, userId: id, name });
      if (invite !== null) emit(tx, { type: 'role.given_by_invite', by: viewer, userId: id, invite });
    }
    return accounts.length;
  });
}

/** Delete accounts that were declined a while ago: they never became pilots, so that their row need not stay. */
export async function purgeDeclined(em: Em): Promise<void> {
  await transact(em, async (tx) => {
    const due = await db(tx)
      .selectFrom('app_user')
      .select('id')
      .where('approval', '=', 'declined')
      .where('approval_since', '<', ago(`${DECLINED_DAYS} days`))
      .forUpdate()
      .execute();
    const ids = due.map(({ id }) => id);
    for (const id of ids) await eraseTraces(tx, id);
    if (ids.length > 0) await tx.nativeDelete(User, { id: { $in: ids } });
  });
}
