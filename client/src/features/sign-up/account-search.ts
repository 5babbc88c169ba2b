/** Search parameters of the registration. Kept small, because the entry chunk contains it. */
export interface AccountSearch {
  /** token of an invite link */
  invite?: string;
}

/** Invalid values become undefined. */
export function readAccountSearch({ invite }: Record<string, unknown>): AccountSearch {
  return { invite: typeof invite === 'string' && invite !== '' ? invite : undefined };
}
