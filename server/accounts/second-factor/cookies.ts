/** The cookies of the second factor: the sign-in that waits for it, and the accounts for which the browser is remembered. */
import { REMEMBERED_DEVICE, SECOND_STEP_MINUTES } from '#shared/limits.ts';

/** Separates the tokens of several accounts; base64url does not contain it. */
const SEPARATOR = '~';
const DAY_SECONDS = 86_400;

export interface SecondFactorCookies {
  pending: { name: string; serialize: (token: string) => string; blank: () => string };
  remembered: {
    name: string;
    read: (value: string | null) => string[];
    /** @param tokens the newest first; beyond the limit the oldest are left out */
    serialize: (tokens: readonly string[]) => string;
  };
}

/** @param secure true on https: the cookies are then bound to this host by the `__Host-` prefix */
export function createSecondFactorCookies({ secure }: { secure: boolean }): SecondFactorCookies {
  const prefix = secure ? '__Host-' : '';
  const attributes = `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  const [pending, remembered] = [`${prefix}second-step`, `${prefix}remembered`];
  return {
    pending: {
      name: pending,
      serialize: (token) => `${pending}=${token}; Max-Age=${SECOND_STEP_MINUTES * 60}; ${attributes}`,
      blank: () => `${pending}=; Max-Age=0; ${attributes}`,
    },
    remembered: {
      name: remembered,
      read: (value) => (value ?? '').split(SEPARATOR, REMEMBERED_DEVICE.accounts).filter((token) => token !== ''),
      serialize: (tokens) =>
        `${remembered}=${tokens.slice(0, REMEMBERED_DEVICE.accounts).join(SEPARATOR)}; Max-Age=${REMEMBERED_DEVICE.days * DAY_SECONDS}; ${attributes}`,
    },
  };
}
