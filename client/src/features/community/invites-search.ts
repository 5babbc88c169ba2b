/** Search parameters of the invites page. Kept small, because the entry chunk contains it. */
export interface InvitesSearch {
  /** id of the invite whose accounts are shown */
  invite?: string;
}

/** Invalid values become undefined. */
export function readInvitesSearch({ invite }: Record<string, unknown>): InvitesSearch {
  return { invite: typeof invite === 'string' ? invite : undefined };
}
