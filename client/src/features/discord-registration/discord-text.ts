/** Sentences of the pages that a pilot reaches from Discord. */
export const discordCopy = {
  loading: 'Loading Registration...',
  errorTitle: 'Registration Error',
  formTitle: 'Discord Registration',
  complete: 'Complete Registration',
  globalEvents: 'Open missions and community news',
  globalEventsMeaning:
    'Tell me about these too. Your own frag orders always reach you, and this never changes which missions find you.',
  successTitle: 'Registration Complete',
  adminPortal: 'Sign in to the admin portal',
  signInFailed: 'The sign-in did not work. Please try again.',
  credentialsFailed: 'Email and password could not be saved. Please try again.',
} as const;
