/** Sentences of two-step sign-in and the sign-in history. */
export const twoStepCopy = {
  meaning: 'A password can leak. With a second factor, nobody signs in to your account with the password alone.',
  loading: 'Loading your second factors...',
  loadFailed: 'Failed to load your second factors',
  noPasskeys: 'Not possible at this address or in this browser: passkeys need https and a host name.',
  failed: 'That did not work',
  passkeyRenamed: 'Passkey renamed',
  deviceForgotten: 'Device forgotten',
  forgetFailed: 'Failed to forget the device',
  turnsOff:
    'This is your last second factor: signing in will take one step again. Recovery codes and remembered devices end too.',
  otherStays: 'Your other second factor stays.',
  newCodes: 'The old codes stop working as soon as the new ones are made.',
  saveCodes: `Save these codes where you find them without your phone, such as in a password manager or on paper. Each works once. They won't be shown again.`,
  loadingHistory: 'Loading your sign-ins...',
  historyFailed: 'Failed to load your sign-ins',
} as const;
