/** Screen sentences fixed by the specification that only the client uses. */
export const screenCopy = {
  loginFailed: 'Login failed',
  registrationFailed: 'Registration failed',
  profileFailed: 'Failed to update profile',
  preferencesFailed: 'Failed to save preferences',
  availabilityFailed: 'Failed to save availability',
  statusFailed: 'Failed to set status',
  loadingStatus: 'Loading status...',
  statusLoadFailed: 'Failed to load status',
  callSignHint: "This is how you'll be identified in missions and the roster",
  timeZoneHint: 'Used for scheduling missions at convenient times',
  loadingAvailability: 'Loading your availability...',
  availabilityLoadFailed: 'Failed to load availability',
  anyAircraft: 'Any Aircraft',
} as const;

export const WIZARD_STEPS = ['1. Account', '2. Profile', '3. Preferences', '4. Status'] as const;
