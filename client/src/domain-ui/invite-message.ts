/** Invites as several pages make and share them. */
import { formatCalendarDate } from '#client/lib/time.ts';
import { count } from '#shared/plural.ts';
import type { InviteDto } from '#shared/schemas/community.ts';

const DAY_MS = 86_400_000;
/** Days after which an invite ends, unless another number is chosen. */
export const INVITE_DAYS = 30;

/** The name of an invite that nobody has named. @param today `YYYY-MM-DD` */
export const defaultInviteName = (today: string): string => formatCalendarDate(today);

/** @param days from now */
export const inviteExpiry = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();

/**
 * A message that brings an invite to a Discord channel. Discord shows each reader the date in their own language and zone.
 * @param community its name, where it has one
 */
export function inviteMessage({ url, expiresAt, maxUses }: InviteDto, community: string | undefined): string {
  const limits = [
    expiresAt !== null && `until <t:${Math.floor(Date.parse(expiresAt) / 1000)}:D>`,
    maxUses !== null && `for ${count(maxUses, 'pilot')}`,
  ].filter((limit) => limit !== false);
  return [
    `**${community ?? 'We'}** ${community === undefined ? 'plan our' : 'plans its'} missions with Marshal. Join here, and say when you can fly:`,
    url,
    ...(limits.length > 0 ? [`The link works ${limits.join(', ')}.`] : []),
  ].join('\n');
}
