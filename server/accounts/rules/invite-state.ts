/** The state of an invite (open, expired, used up or revoked), and whether it still makes admins. */
import type { InviteState, Role } from '#shared/vocabulary.ts';

/** An invite as far as it decides about roles. */
export interface InviteRole {
  role: Role;
  /** epoch ms; null when it was not revoked */
  revokedMs: number | null;
  /** the present roles of the admin who made it; null once that account is gone */
  makerRoles: readonly Role[] | null;
}

interface InviteLimits extends InviteRole {
  /** epoch ms; null for never */
  expiresMs: number | null;
  /** null for any number */
  maxUses: number | null;
  uses: number;
}

/** True while the maker of an invite is an admin who is not suspended. */
const isActiveAdmin = (roles: readonly Role[] | null): boolean =>
  roles !== null && roles.includes('admin') && roles.includes('user');

/**
 * Whether the accounts that came by an invite become admins: it is for admins, has not been revoked, and its maker is still
 * an active admin. Its expiry and its uses end registration only: somebody who came in time may wait for approval longer.
 */
export const makesAdmins = ({ role, revokedMs, makerRoles }: InviteRole): boolean =>
  role === 'admin' && revokedMs === null && isActiveAdmin(makerRoles);

/** A revoked invite stays revoked, whatever else is true of it. One for admins also ends with the role of its maker. */
export function inviteState(invite: InviteLimits, nowMs: number): InviteState {
  const { role, revokedMs, expiresMs, maxUses, uses } = invite;
  if (revokedMs !== null || (role === 'admin' && !makesAdmins(invite))) return 'revoked';
  if (expiresMs !== null && expiresMs <= nowMs) return 'expired';
  return maxUses !== null && uses >= maxUses ? 'used_up' : 'open';
}
