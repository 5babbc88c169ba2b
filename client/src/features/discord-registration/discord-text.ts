/** Sentences of the Discord registration pages. */
export const discordCopy = {
  loading: 'Loading Registration...',
  errorTitle: 'Registration Error',
  formTitle: 'Discord Registration',
  complete: 'Complete Registration',
  globalEvents: 'Open missions and community news',
  globalEventsMeaning:
    "Send me news about these too. You get your own frag orders either way, and this doesn't change which missions you're matched to.",
  successTitle: 'Registration Complete',
  adminPortal: 'Sign in to the admin portal',
  signInFailed: 'Sign-in failed. Please try again.',
  credentialsFailed: 'Email and password could not be saved. Please try again.',
} as const;
