/** What a browser keeps while its person is at Discord: in a cookie that only this server can have made. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { MINUTE_MS } from '#server/domain/time.ts';
import { DISCORD_SIGN_IN_MINUTES } from '#shared/limits.ts';
import { DISCORD_PURPOSES } from '#shared/schemas/discord-link.ts';

const pendingVisit = z.object({
  state: z.string(),
  verifier: z.string(),
  purpose: z.enum(DISCORD_PURPOSES),
  /** where to go after signing in */
  from: z.string(),
  /** the guild to register for, and where the person came from */
  guildId: z.string().nullable(),
  campaignId: z.string().nullable(),
  /** who links */
  viewerId: z.string().nullable(),
  startedMs: z.int(),
});
export type PendingVisit = z.infer<typeof pendingVisit>;

export interface VisitCookie {
  name: string;
  /** The Set-Cookie value. Another visit of the same browser takes its place. */
  serialize(visit: PendingVisit): string;
  /** @returns null for anything that this server did not make within the last ten minutes */
  read(value: string | null, now: Date): PendingVisit | null;
  blank(): string;
}

/**
 * @param secret signs it; the same on every replica
 * @param isHttps then the cookie is bound to this host by the `__Host-` prefix
 */
export function createVisitCookie(secret: string, isHttps: boolean): VisitCookie {
  const name = isHttps ? '__Host-discord' : 'discord';
  // back from Discord is a visit from another site: `Lax` lets it come along, `Strict` would not
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isHttps ? '; Secure' : ''}`;
  const sign = (payload: string): Buffer => createHmac('sha256', secret).update(`discord-visit:${payload}`).digest();
  return {
    name,
    serialize(visit) {
      const payload = Buffer.from(JSON.stringify(visit)).toString('base64url');
      const value = `${payload}.${sign(payload).toString('base64url')}`;
      return `${name}=${value}; Max-Age=${DISCORD_SIGN_IN_MINUTES * 60}; ${attributes}`;
    },
    read(value, now) {
      const [payload = '', signature = ''] = (value ?? '').split('.');
      const given = Buffer.from(signature, 'base64url');
      const expected = sign(payload);
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
      // signed, so JSON; made by another release perhaps
      const { data: visit } = pendingVisit.safeParse(JSON.parse(Buffer.from(payload, 'base64url').toString()));
      const isRecent = visit && now.getTime() - visit.startedMs < DISCORD_SIGN_IN_MINUTES * MINUTE_MS;
      return isRecent ? visit : null;
    },
    blank: () => `${name}=; Max-Age=0; ${attributes}`,
  };
}
