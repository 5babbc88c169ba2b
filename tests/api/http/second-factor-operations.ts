/** The operations of sessions and of the second factor, for accounts without one: changes are refused for the lack of a password or a set-up. */
import type { Operation } from './operations.ts';

const nothing = () => undefined;
const NO_ID = '0192c0de-0000-7000-8000-0000000000fe';
const OVER = [
  'SECOND_STEP_OVER',
  'This sign-in took too long, or was finished already. Please sign in again.',
] as const;
const WRONG_PASSWORD = ['WRONG_PASSWORD', 'The current password is not correct'] as const;
const NO_PASSKEY = ['PASSKEY_NOT_FOUND', 'Passkey not found'] as const;
const REFUSED = ['PASSKEY_REFUSED', 'This passkey was not accepted. Please try again.'] as const;
const wrong = () => ({ currentPassword: 'not the password' });

export const SECOND_FACTOR_OPERATIONS: Record<string, Operation> = {
  // before its session is ended
  'auth.confirmSession': {
    policy: 'signedIn',
    input: () => ({ id: '0123456789abcdef' }),
    refusal: ['SESSION_NOT_FOUND', 'Session not found'],
  },
  'auth.endSession': {
    policy: 'signedIn',
    input: () => ({ id: '0123456789abcdef' }),
    refusal: ['SESSION_NOT_FOUND', 'Session not found'],
  },
  'auth.secondFactor.step': { policy: 'public', input: nothing },
  'auth.secondFactor.challenge': { policy: 'public', input: nothing, refusal: OVER },
  'auth.secondFactor.finish': { policy: 'public', input: () => ({ code: '287082' }), refusal: OVER },
  'auth.secondFactor.get': { policy: 'signedIn', input: nothing },
  'auth.secondFactor.beginAuthenticator': { policy: 'signedIn', input: wrong, refusal: WRONG_PASSWORD },
  'auth.secondFactor.confirmAuthenticator': {
    policy: 'signedIn',
    input: () => ({ code: '287082' }),
    refusal: ['AUTHENTICATOR_NOT_FOUND', 'There is no authenticator app to confirm or remove. Please start again.'],
  },
  'auth.secondFactor.removeAuthenticator': { policy: 'signedIn', input: wrong, refusal: WRONG_PASSWORD },
  'auth.secondFactor.beginPasskey': { policy: 'signedIn', input: wrong, refusal: WRONG_PASSWORD },
  'auth.secondFactor.addPasskey': {
    policy: 'signedIn',
    input: () => ({
      name: 'Laptop',
      passkey: { id: 'a2V5', rawId: 'a2V5', response: { clientDataJSON: 'e30', attestationObject: 'oA' } },
    }),
    refusal: REFUSED,
  },
  'auth.secondFactor.renamePasskey': {
    policy: 'signedIn',
    input: () => ({ passkeyId: NO_ID, name: 'Laptop' }),
    refusal: NO_PASSKEY,
  },
  'auth.secondFactor.removePasskey': {
    policy: 'signedIn',
    input: () => ({ passkeyId: NO_ID, ...wrong() }),
    refusal: WRONG_PASSWORD,
  },
  'auth.secondFactor.renewRecoveryCodes': { policy: 'signedIn', input: wrong, refusal: WRONG_PASSWORD },
  'auth.secondFactor.forgetDevice': {
    policy: 'signedIn',
    input: () => ({ deviceId: NO_ID }),
    refusal: ['DEVICE_NOT_FOUND', 'Remembered device not found'],
  },
  'auth.secondFactor.history': { policy: 'signedIn', input: nothing },
  'admin.resetSecondFactor': {
    policy: 'admin',
    input: ({ id }) => ({ id }),
    refusal: ['SECOND_FACTOR_MISSING', 'This account has no second factor.'],
  },
};
