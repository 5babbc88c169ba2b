/** The state of an invite: open, expired, used up or revoked. */
import type { InviteState } from '#shared/vocabulary.ts';

interface InviteLimits {
  /** epoch ms; null when it was not revoked */
  revokedMs: number | null;
  /** epoch ms; null for never */
  expiresMs: number | null;
  /** null for any number */
  maxUses: number | null;
  uses: number;
}

/** A revoked invite stays revoked, whatever else is true of it. */
export function inviteState({ revokedMs, expiresMs, maxUses, uses }: InviteLimits, nowMs: number): InviteState {
  if (revokedMs !== null) return 'revoked';
  if (expiresMs !== null && expiresMs <= nowMs) return 'expired';
  return maxUses !== null && uses >= maxUses ? 'used_up' : 'open';
}
