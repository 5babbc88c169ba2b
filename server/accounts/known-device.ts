/**
 * The device cookie: shows that a browser has signed in to an account before. It grants no access. It only keeps
 * strangers, who can use up an account's sign-in attempts, from locking out its owner on a known browser.
 */
import { DAY_MS } from '#server/time/time.ts';
import { KNOWN_DEVICE } from '#shared/limits.ts';
import { createSigner } from '#server/platform/signed.ts';
import { hashToken } from '#server/platform/tokens.ts';

/** Separates the accounts in a cookie; neither an id nor a signature contains it. */
const SEPARATOR = '~';

export interface KnownDevice {
  cookieName: string;
  /**
   * The Set-Cookie value after a sign-in: this account first, then the others that the browser has signed in to.
   * @param held the cookie as the browser sent it
   */
  remember: (held: string | null, userId: string, now: Date) => string;
  /** An identifier of this browser, if it has signed in to the account before; null otherwise. */
  nameFor: (held: string | null, userId: string, now: Date) => string | null;
}

/** @param secure true on https: the cookie is then bound to this host by the `__Host-` prefix */
export function createKnownDevice(key: string, { secure }: { secure: boolean }): KnownDevice {
  const cookieName = secure ? '__Host-device' : 'device';
  const signer = createSigner(key, 'device');

  /** Entries with a valid signature that have not expired, newest first: `<user id>.<until, ms>.<signature>` */
  function readEntries(held: string | null, now: Date): { entry: string; userId: string }[] {
    const entries = (held ?? '').split(SEPARATOR, KNOWN_DEVICE.accounts);
    return entries.flatMap((entry) => {
      const [userId = '', until = ''] = signer.open(entry)?.split('.') ?? [];
      return Number(until) > now.getTime() ? [{ entry, userId }] : [];
    });
  }

  return {
    cookieName,
    remember(held, userId, now) {
      const others = readEntries(held, now).filter((known) => known.userId !== userId);
      const own = signer.seal(`${userId}.${now.getTime() + KNOWN_DEVICE.days * DAY_MS}`);
      const value = [own, ...others.map(({ entry }) => entry)].slice(0, KNOWN_DEVICE.accounts).join(SEPARATOR);
      const maxAge = (KNOWN_DEVICE.days * DAY_MS) / 1000;
      return `${cookieName}=${value}; Max-Age=${maxAge}; Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
    },
    nameFor(held, userId, now) {
      const known = readEntries(held, now).find((entry) => entry.userId === userId);
      return known ? hashToken(known.entry) : null;
    },
  };
}
