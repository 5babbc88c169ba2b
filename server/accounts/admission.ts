/** Admission of new accounts: what the registration setting and the invite allow, and the use of the invite. */
import { Aircraft, Proficiency } from '#server/schema/aircraft.ts';
import { db } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { User } from '#server/schema/user.ts';
import { AppError } from '#server/platform/errors.ts';
import { emit } from '#server/signals/emit.ts';
import { copy } from '#shared/copy.ts';
import type { RegistrationDto } from '#shared/schemas/community.ts';
import { idInput } from '#shared/schemas/common.ts';
import type { ApprovalState, InviteState, Role } from '#shared/vocabulary.ts';
import { readCommunity } from './community.ts';
import { previewCommunity } from './invite-preview.ts';
import { selectInvites } from './invites.ts';
import { inviteState } from './rules/invite-state.ts';
import { closeSlotRequestsOf } from './slot-requests.ts';

export interface Admission {
  needsApproval: boolean;
  /** the invite that the person came by */
  invite: {
    id: string;
    name: string;
    role: Role;
    timeZone: string | null;
    aircraftIds: number[];
    invitedBy: string | null;
  } | null;
}

/** Why nobody can register by an invite; null for an open one. */
const PROBLEMS: Record<InviteState, string | null> = {
  open: null,
  expired: copy.inviteExpired,
  used_up: copy.inviteUsedUp,
  revoked: copy.inviteRevoked,
};

async function findInvite(em: Em, id: string, now: Date) {
  if (!idInput.safeParse(id).success) return null;
  const row = await selectInvites(em).select('u.display_name as invitedBy').where('i.id', '=', id).executeTakeFirst();
  return row ? { ...row, problem: PROBLEMS[inviteState(row, now.getTime())] } : null;
}

/**
 * Whether a new account may be made, and whether it then waits for approval.
 * @param inviteId null without an invite
 * @throws AppError 403 for an invite that lets nobody in, and without one where registration is by invite
 */
export async function findAdmission(em: Em, inviteId: string | null, now: Date): Promise<Admission> {
  const { registration } = await readCommunity(em);
  if (inviteId === null) {
    if (registration === 'invite') throw new AppError('INVITE_REQUIRED');
    return { needsApproval: registration === 'approval', invite: null };
  }
  const invite = await findInvite(em, inviteId, now);
  if (!invite) throw new AppError('INVITE_INVALID', copy.inviteUnknown);
  if (invite.problem !== null) throw new AppError('INVITE_INVALID', invite.problem);
  return { needsApproval: invite.withApproval, invite };
}

/** The roles and the approval state of the new account. */
export function standingOf(
  { needsApproval, invite }: Admission,
  now: Date,
): { roles: Role[]; approval: ApprovalState | null; approvalSince: Date | null } {
  if (needsApproval) return { roles: [], approval: 'waiting', approvalSince: now };
  return { roles: invite?.role === 'admin' ? ['user', 'admin'] : ['user'], approval: null, approvalSince: null };
}

/** Give the account the aircraft of its invite, as the pilot could enter them. Unknown and retired ones are left out. */
async function addAircraft(tx: Em, userId: string, ids: readonly number[], now: Date): Promise<void> {
  if (ids.length === 0) return;
  const user = tx.getReference(User, userId);
  for (const aircraft of await tx.find(Aircraft, { id: { $in: [...ids] }, active: true })) {
    tx.create(Proficiency, { user, aircraft, level: 'basic', setByAdmin: false, updatedAt: now });
  }
}

/**
 * Count the use of the invite and tell whom it concerns, in the transaction that creates the account. The count and its
 * limit are one statement, so concurrent registrations never exceed it.
 * @throws AppError 403 when the invite has been used up or revoked since it was read
 */
export async function recordAdmission(
  tx: Em,
  { id }: { id: string },
  { needsApproval, invite }: Admission,
  now: Date,
): Promise<void> {
  if (invite) {
    const used = await db(tx)
      .updateTable('invite')
      .set((eb) => ({ uses: eb('uses', '+', 1) }))
      .where('id', '=', invite.id)
      .where('revoked_at', 'is', null)
      .where(({ eb, or, ref }) => or([eb('max_uses', 'is', null), eb('uses', '<', ref('max_uses'))]))
      .returning(['uses', 'max_uses as maxUses'])
      .executeTakeFirst();
    if (!used) {
      const { problem = null } = (await findInvite(tx, invite.id, now)) ?? {};
      throw new AppError('INVITE_INVALID', problem ?? copy.inviteRevoked);
    }
    if (used.uses === used.maxUses) await closeSlotRequestsOf(tx, invite.id);
    await db(tx).insertInto('invite_use').values({ user_id: id, invite_id: invite.id, joined_at: now }).execute();
    await addAircraft(tx, id, invite.aircraftIds, now);
    const { name } = invite;
    emit(tx, { type: 'invite.used', by: { id }, invite: { id: invite.id, name } });
    if (!needsApproval && invite.role === 'admin')
      emit(tx, { type: 'role.given_by_invite', by: { id }, userId: id, invite: name });
  }
  emit(tx, { type: 'account.registered', userId: id, waits: needsApproval });
}

/** Registration as a visitor sees it. @param inviteId null without an invite */
export async function describeRegistration(em: Em, inviteId: string | null, now: Date): Promise<RegistrationDto> {
  const { name: community, registration: mode } = await readCommunity(em);
  if (inviteId === null) return { community, mode, invite: null, preview: null };
  const invite = await findInvite(em, inviteId, now);
  return {
    community,
    mode,
    invite: {
      problem: invite ? invite.problem : copy.inviteUnknown,
      invitedBy: invite?.invitedBy ?? null,
      needsApproval: invite?.withApproval ?? false,
    },
    preview: invite?.problem === null ? await previewCommunity(em, now) : null,
  };
}
