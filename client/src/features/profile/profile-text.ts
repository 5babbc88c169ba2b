import type { TokenScope } from '#shared/vocabulary.ts';

/** Sentences of the profile page. */
export const profileCopy = {
  profileSaved: 'Profile saved',
  zoneRule: "Your weekly hours keep their local time. Missions don't move.",

  passwordFailed: 'Failed to change password',
  passwordChanged:
    "Password changed. You've been signed out everywhere else, and your access tokens, calendar link, unused sign-in links, remembered devices and notifications on other devices no longer work.",

  loadingSessions: 'Loading your sessions...',
  sessionsLoadFailed: 'Failed to load your sessions',
  sessionFailed: 'Failed to end the session',
  sessionEnded: 'Session ended',
  othersEnded: 'All other sessions have ended',

  loadingTokens: 'Loading your tokens...',
  tokensLoadFailed: 'Failed to load your tokens',
  tokenMakeFailed: 'Failed to make the token',
  tokenFailed: 'Failed to revoke the token',
  tokenRevoked: 'Token revoked',

  loadingNotifications: 'Loading your choices...',
  notificationsLoadFailed: 'Failed to load your choices',
  notificationsFailed: 'Failed to save your choices',
  verificationSent: 'Sent. Open the link in the email.',
  verificationFailed: 'Failed to send the link',
  notificationsSaved: 'Notifications saved',
} as const;

export const SCOPE_NAMES: Record<TokenScope, string> = {
  read: 'Read',
  pilot: 'Pilot',
  admin: 'Admin',
  server: 'Game server',
};

export const SCOPE_MEANINGS: Record<TokenScope, string> = {
  read: 'Read your own orders, missions, availability and settings. Pilot and Admin can do this, too.',
  pilot: 'Answer orders, take and swap seats, change your availability, status and profile.',
  admin: "Make every call of the admins' pages, as long as you are an admin.",
  server:
    'For the game server that keeps cockpits: read the seats and pilots of current missions, both sides, and nothing else.',
};
