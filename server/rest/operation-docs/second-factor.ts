/** Documentation of the calls for the second factor: the second step of a sign-in, the owner's changes, the sign-in history. */
import type { OperationDocs, ProcedureName } from './docs.ts';

const OWNER = 'Needs the current password, or for an account without one a session of the last 10 minutes.';

export const SECOND_FACTOR_DOCS = {
  'secondFactor.step': {
    id: 'getSecondStep',
    tag: 'Auth',
    summary: 'Get the sign-in that waits for its second factor',
    description: 'Reads the cookie that a sign-in has set with SECOND_FACTOR_REQUIRED.',
    answer: 'The factors that can finish it; null when none waits.',
  },
  'secondFactor.challenge': {
    id: 'challengeSecondStep',
    tag: 'Auth',
    summary: 'Ask for a passkey in the second step of a sign-in',
    description: 'The challenge can be answered once, within 5 minutes, by `finishSignIn`.',
    refusals: ['SECOND_STEP_OVER', 'PASSKEY_REFUSED'],
  },
  'secondFactor.finish': {
    id: 'finishSignIn',
    tag: 'Auth',
    summary: 'Finish a sign-in with the second factor',
    description:
      'Takes a code of the authenticator app, a recovery code or the answer of a passkey, each of which works once, and starts a browser session. A wrong answer leaves the sign-in waiting; attempts are limited.',
    answer: 'The account that is now signed in.',
    refusals: ['SECOND_STEP_OVER', 'CODE_WRONG', 'PASSKEY_REFUSED', 'RATE_LIMITED', 'ACCOUNT_REFUSED'],
    setsCookie: true,
  },
  'secondFactor.get': {
    id: 'getSecondFactor',
    tag: 'Auth',
    summary: "Get one's own second factor",
    description: 'Without keys and codes, which cannot be read again.',
  },
  'secondFactor.beginAuthenticator': {
    id: 'beginAuthenticator',
    tag: 'Auth',
    summary: 'Begin to set up an authenticator app',
    description: `${OWNER} The app counts once \`confirmAuthenticator\` has a code of it, within 30 minutes.`,
    refusals: ['WRONG_PASSWORD', 'FRESH_SIGN_IN_REQUIRED', 'AUTHENTICATOR_EXISTS', 'RATE_LIMITED'],
  },
  'secondFactor.confirmAuthenticator': {
    id: 'confirmAuthenticator',
    tag: 'Auth',
    summary: 'Confirm the authenticator app with its first code',
    description: 'From now on sign-ins ask for a second factor. Attempts are limited.',
    refusals: ['CODE_WRONG', 'AUTHENTICATOR_NOT_FOUND', 'RATE_LIMITED'],
  },
  'secondFactor.removeAuthenticator': {
    id: 'removeAuthenticator',
    tag: 'Auth',
    summary: 'Remove the authenticator app',
    description: `${OWNER} Without a passkey this turns the second factor off, with recovery codes and remembered devices.`,
    refusals: ['WRONG_PASSWORD', 'FRESH_SIGN_IN_REQUIRED', 'AUTHENTICATOR_NOT_FOUND', 'RATE_LIMITED'],
  },
  'secondFactor.beginPasskey': {
    id: 'beginPasskey',
    tag: 'Auth',
    summary: 'Begin to add a passkey or security key',
    description: `${OWNER} The challenge can be answered once, within 5 minutes, by \`addPasskey\` of the same session.`,
    refusals: ['WRONG_PASSWORD', 'FRESH_SIGN_IN_REQUIRED', 'PASSKEY_REFUSED', 'RATE_LIMITED'],
  },
  'secondFactor.addPasskey': {
    id: 'addPasskey',
    tag: 'Auth',
    summary: 'Add a passkey or security key',
    description: 'From now on sign-ins ask for a second factor. An account can have 10 passkeys.',
    refusals: ['PASSKEY_REFUSED', 'LIMIT_REACHED'],
  },
  'secondFactor.renamePasskey': {
    id: 'renamePasskey',
    tag: 'Auth',
    summary: 'Rename a passkey',
    refusals: ['PASSKEY_NOT_FOUND'],
  },
  'secondFactor.removePasskey': {
    id: 'removePasskey',
    tag: 'Auth',
    summary: 'Remove a passkey',
    description: `${OWNER} Without another factor this turns the second factor off, with recovery codes and remembered devices.`,
    refusals: ['WRONG_PASSWORD', 'FRESH_SIGN_IN_REQUIRED', 'PASSKEY_NOT_FOUND', 'RATE_LIMITED'],
  },
  'secondFactor.renewRecoveryCodes': {
    id: 'renewRecoveryCodes',
    tag: 'Auth',
    summary: 'Make new recovery codes',
    description: `${OWNER} The old codes stop working.`,
    refusals: ['WRONG_PASSWORD', 'FRESH_SIGN_IN_REQUIRED', 'SECOND_FACTOR_MISSING', 'RATE_LIMITED'],
  },
  'secondFactor.forgetDevice': {
    id: 'forgetDevice',
    tag: 'Auth',
    summary: 'Forget a remembered device',
    description: 'Its next sign-in asks for a second factor again. Sessions on it go on.',
    refusals: ['DEVICE_NOT_FOUND'],
  },
  'secondFactor.history': {
    id: 'getSignInHistory',
    tag: 'Auth',
    summary: "List one's own sign-ins",
    description: 'Sign-ins, refused attempts and changes of the second factor in the last 90 days, at most 50.',
    answer: 'The entries, the newest first.',
  },
} as const satisfies Record<Extract<ProcedureName, `secondFactor.${string}`>, OperationDocs>;
