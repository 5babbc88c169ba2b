/** Discord sign-in (OAuth2): the address that starts it, and the sentence that the page shows for each outcome. */
import { copy } from '#shared/copy.ts';

/** Redirects to Discord; a browser navigates here rather than fetching it. */
export const DISCORD_SIGN_IN_PATH = '/api/v1/auth/discord';

/** Query parameter that carries the outcome back to the page: `?discord=denied`. */
export const DISCORD_OUTCOME_PARAM = 'discord';

export const DISCORD_OUTCOMES = {
  linked: 'Your Discord account is linked.',
  'not-linked':
    'This Discord account is not linked to a pilot yet. Sign in with email and password and link it on your profile, or register from your Discord server.',
  'linked-elsewhere': 'This Discord account is linked to another pilot. Sign in as that pilot to unlink it.',
  'linked-other': 'Another Discord account is linked to this pilot. Please unlink it first.',
  'other-viewer': 'You are no longer signed in as the pilot who started this, so nothing was linked. Please try again.',
  'not-member':
    'As far as Marshal knows, this Discord account is not a member of that server. Use /register there instead.',
  'no-server': 'Marshal is not in that Discord server, or has been removed from it.',
  denied: 'You declined to share your Discord account, so nothing has changed.',
  over: 'This sign-in was already used, took too long or was started again in another tab. Please try again.',
  away: "Discord isn't responding right now. Please try again in a moment.",
  refused: "Discord rejected this site's settings. Please tell an admin.",
  suspended: copy.suspended,
  'not-allowed': copy.accountRefused,
  'invite-only': copy.inviteRequired,
  'too-many': copy.tooManyAttempts,
  'second-step': copy.secondFactorRequired,
  failed: 'Signing in with Discord did not work. Please try again.',
} as const;
export type DiscordOutcome = keyof typeof DISCORD_OUTCOMES;

/** @param code from the page's address @returns null for an unknown outcome */
export function readDiscordOutcome(code: string | null): DiscordOutcome | null {
  return code !== null && Object.hasOwn(DISCORD_OUTCOMES, code) ? (code as DiscordOutcome) : null;
}
