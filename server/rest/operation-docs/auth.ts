/** Documentation of the calls for registration, sign-in, sessions and passwords. */
import type { OperationDocs, ProcedureName } from './docs.ts';

type Name = Extract<ProcedureName, `auth.${string}`>;

export const AUTH_DOCS = {
  'auth.register': {
    id: 'register',
    tag: 'Auth',
    summary: 'Create an account and sign in',
    description:
      'Creates a pilot with an email and a password, and starts a browser session. The number of attempts per address is limited. Common passwords are refused.',
    answer: 'The new account, signed in. `approval` tells whether it waits for an admin.',
    refusals: ['EMAIL_TAKEN', 'RATE_LIMITED', 'INVITE_REQUIRED', 'INVITE_INVALID', 'ACCOUNT_REFUSED'],
    setsCookie: true,
  },
  'auth.login': {
    id: 'login',
    tag: 'Auth',
    summary: 'Sign in with email and password',
    description:
      'Starts a browser session. An unknown email and a wrong password have the same answer. Attempts are limited per address and per account; `Retry-After` says when to try again. For an account with a second factor the answer is SECOND_FACTOR_REQUIRED, with a cookie for `finishSignIn`. Programs should use a token instead.',
    answer: 'The account that is now signed in.',
    refusals: ['SECOND_FACTOR_REQUIRED', 'LOGIN_FAILED', 'RATE_LIMITED', 'ACCOUNT_REFUSED'],
    setsCookie: true,
  },
  'auth.logout': {
    id: 'logout',
    tag: 'Auth',
    summary: 'Sign out',
    description: 'Ends the session of the request. Succeeds also when nobody is signed in.',
    setsCookie: true,
  },
  'auth.me': {
    id: 'getMe',
    tag: 'Auth',
    summary: 'Get the signed-in account',
    description: 'Answers 401 when nobody is signed in. A good first call to try a token.',
    answer: "The caller's account.",
  },
  'auth.viewer': {
    id: 'getViewer',
    tag: 'Auth',
    summary: 'Get the signed-in account or null',
    description: 'Like `getMe`, but answers null when nobody is signed in, so that a page can start without an error.',
    answer: "The caller's account, or null.",
  },
  'auth.registration': {
    id: 'getRegistration',
    tag: 'Auth',
    summary: 'Get who can register',
    description: 'With the token of an invite link, also whether somebody can join by it. Does not use it up.',
  },
  'auth.signInLink': {
    id: 'getSignInLink',
    tag: 'Auth',
    summary: 'Check a one-time sign-in link',
    description: 'Does not use up the link.',
  },
  'auth.ways': {
    id: 'getSignInWays',
    tag: 'Auth',
    summary: 'Get the ways to sign in',
    description: 'Ways that this installation offers besides email and password.',
  },
  'auth.changePassword': {
    id: 'changePassword',
    tag: 'Auth',
    summary: "Change one's own password",
    description:
      'Needs the current password. Ends every other session and all other push devices of the account. Attempts are limited.',
    refusals: ['WRONG_PASSWORD'],
  },
  'auth.redeemSignInLink': {
    id: 'redeemSignInLink',
    tag: 'Auth',
    summary: 'Sign in with a one-time link',
    description:
      'Uses up the token of a sign-in link and starts a browser session. A link is valid for minutes and once.',
    refusals: ['LINK_INVALID', 'SECOND_FACTOR_REQUIRED', 'RATE_LIMITED', 'ACCOUNT_REFUSED'],
    setsCookie: true,
  },
  'auth.passwordLink': {
    id: 'readPasswordLink',
    tag: 'Auth',
    summary: 'Read whom a password link is for',
    description: 'Does not use up the link.',
    refusals: ['LINK_INVALID', 'RATE_LIMITED'],
  },
  'auth.requestPassword': {
    id: 'requestPassword',
    tag: 'Auth',
    summary: 'Send a link to choose a new password',
    description:
      'Sends an email with a link that works once, within 30 minutes, if the address belongs to an account. The answer is the same for every address. Limited per address and per client.',
    refusals: ['MAIL_OFF', 'RATE_LIMITED'],
  },
  'auth.requestSlot': {
    id: 'requestSlot',
    tag: 'Community',
    summary: 'Ask for a slot as a visitor',
    description:
      'Tells the admins that somebody without an account would like to fly; a request with the same address replaces the one before. The answer is the same for everybody: nothing is stored for an address that has an account or is banned. Limited per client. Deleted after 30 days.',
    refusals: ['RATE_LIMITED'],
  },
  'auth.setPassword': {
    id: 'setPassword',
    tag: 'Auth',
    summary: 'Set a password with a personal link',
    description:
      'Uses up the link, ends all sessions, tokens and other links of the account, and starts a browser session.',
    answer: 'The account that is now signed in.',
    refusals: ['LINK_INVALID', 'SECOND_FACTOR_REQUIRED', 'RATE_LIMITED', 'ACCOUNT_REFUSED'],
    setsCookie: true,
  },
  'auth.setCredentials': {
    id: 'setCredentials',
    tag: 'Auth',
    summary: 'Set the first email and password',
    description:
      'For an account that has no password yet, because it registered from Discord or an admin imported it. Deletes its unused sign-in links.',
    answer: 'The account with its email.',
    refusals: ['PASSWORD_EXISTS', 'EMAIL_TAKEN', 'ACCOUNT_REFUSED'],
  },
  'auth.deletion': {
    id: 'getDeletion',
    tag: 'Auth',
    summary: "Tell whether one's own account is about to be deleted",
  },
  'auth.requestDeletion': {
    id: 'requestDeletion',
    tag: 'Auth',
    summary: "Ask to delete one's own account",
    description:
      'The account is erased 14 days later. Until then it has no roles and no seats, and its owner can keep it. Its tokens, links, devices and other sessions end at once.',
    refusals: ['WRONG_PASSWORD', 'LAST_ADMIN'],
  },
  'auth.undoDeletion': {
    id: 'undoDeletion',
    tag: 'Auth',
    summary: "Keep one's own account",
    description: 'Within 14 days of the request to delete it. Its roles come back, its seats do not.',
  },
  'auth.sessions': {
    id: 'listSessions',
    tag: 'Auth',
    summary: "List one's own sessions",
    answer: 'Sessions that have not ended, the latest first.',
  },
  'auth.endSession': {
    id: 'endSession',
    tag: 'Auth',
    summary: "End one of one's own sessions",
    description: 'Signs one other device out. To end the session of the request itself, use `logout`.',
    refusals: ['SESSION_NOT_FOUND', 'OWN_SESSION'],
  },
  'auth.confirmSession': {
    id: 'confirmSession',
    tag: 'Auth',
    summary: 'Confirm a sign-in from a new device',
    description: 'The other devices no longer ask about it. The session of the request cannot confirm itself.',
    refusals: ['SESSION_NOT_FOUND'],
  },
  'auth.endOtherSessions': {
    id: 'endOtherSessions',
    tag: 'Auth',
    summary: 'End all other sessions',
    description: 'Signs every other device out. The session of the request goes on.',
  },
  'auth.devToken': {
    id: 'createDevToken',
    tag: 'Auth',
    summary: 'Create a development token',
    description:
      'For development only: finds or creates an account and answers a bearer token for it. Answers 404 unless the setting `DEV_TOKENS` is 1, and always in production.',
    refusals: ['NOT_FOUND'],
  },
} as const satisfies Record<Name, OperationDocs>;
