/** The signed cookie of a pending visit to Discord's sign-in. */
import { z } from 'zod';
import { MINUTE_MS } from '#server/time/time.ts';
import { createSigner } from '#server/platform/signed.ts';
import { DISCORD_SIGN_IN_MINUTES } from '#shared/limits.ts';
import { DISCORD_PURPOSES } from '#shared/schemas/discord-link.ts';

const pendingVisit = z.object({
  state: z.string(),
  verifier: z.string(),
  purpose: z.enum(DISCORD_PURPOSES),
  /** the page to open after signing in */
  from: z.string(),
  /** the guild to register for, and the campaign */
  guildId: z.string().nullable(),
  campaignId: z.string().nullable(),
  /** the user who links the account */
  viewerId: z.string().nullable(),
  startedMs: z.int(),
});
export type PendingVisit = z.infer<typeof pendingVisit>;

export interface VisitCookie {
  name: string;
  /** The Set-Cookie value. It replaces an earlier visit of the same browser. */
  serialize(visit: PendingVisit): string;
  /** @returns null unless this server created it within the last ten minutes */
  read(value: string | null, now: Date): PendingVisit | null;
  blank(): string;
}

/**
 * @param secret signs it; the same on every replica
 * @param isHttps true on https: the cookie is then bound to this host by the `__Host-` prefix
 */
export function createVisitCookie(secret: string, isHttps: boolean): VisitCookie {
  const name = isHttps ? '__Host-discord' : 'discord';
  // the callback is a navigation from another site: browsers send a `Lax` cookie with it, but not a `Strict` one
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isHttps ? '; Secure' : ''}`;
  const signer = createSigner(secret, 'discord-visit');
  return {
    name,
    serialize(visit) {
      const value = signer.seal(Buffer.from(JSON.stringify(visit)).toString('base64url'));
      return `${name}=${value}; Max-Age=${DISCORD_SIGN_IN_MINUTES * 60}; ${attributes}`;
    },
    read(value, now) {
      const payload = signer.open(value ?? '');
      if (payload === null) return null;
      // the signature proves that it is our JSON, but it may be from another release
      const { data: visit } = pendingVisit.safeParse(JSON.parse(Buffer.from(payload, 'base64url').toString()));
      const isRecent = visit && now.getTime() - visit.startedMs < DISCORD_SIGN_IN_MINUTES * MINUTE_MS;
      return isRecent ? visit : null;
    },
    blank: () => `${name}=; Max-Age=0; ${attributes}`,
  };
}
