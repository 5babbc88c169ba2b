/** Every fixed sentence that more than one place needs or the specification words, once. */
export const copy = {
  // validation (specification, section 5)
  invalidEmail: 'Invalid email address',
  passwordRequired: 'Password is required',
  passwordTooShort: 'Password must be at least 8 characters',
  passwordTooLong: 'Password must be at most 256 characters',
  passwordTooCommon: 'This password is too common. Please choose another one.',
  confirmPassword: 'Please confirm your password',
  passwordsDiffer: 'Passwords do not match',
  callSignRequired: 'Call sign is required',
  callSignTooLong: 'Call sign too long',
  selectTimeZone: 'Please select a timezone',
  minutesRequired: 'Minutes required when selecting "Available Now"',
  minutesRange: 'Minutes must be a whole number from 1 to 480',
  stateRequired: 'Please choose Available, Do Not Disturb or Available Now',
  aircraftPreferenceRequired:
    'Please select an aircraft preference for all time slots (you can choose "Any Aircraft" if you have no preference).',
  unreadableText: 'This text contains characters that cannot be stored',
  textTooLong: 'This text is too long',
  textMissing: 'Please give a text',
  invalidDate: 'Please give a date as YYYY-MM-DD',
  invalidTime: 'Please give a time as HH:mm',
  invalidDateTime: 'Please give a date and time as YYYY-MM-DDTHH:mm',
  invalidId: 'This id is not valid',
  invalidInput: 'The request could not be read',
  weekdayRange: 'The weekday must be a number from 0 (Sunday) to 6 (Saturday)',
  slotWithoutLength: 'A time slot needs an end that differs from its start',
  tooManySlots: 'A day can hold at most 12 time slots',
  unknownAircraft: 'This aircraft does not exist',
  missionNameRequired: 'Mission name is required',
  missionNameTooLong: 'Mission name too long',
  theaterFromList: 'Please choose a theater from the list',
  startRequired: 'Start time is required',
  endRequired: 'End time is required',
  aircraftSlotsRequired: 'Please fill in all required fields and add at least one aircraft slot',
  slotCountRange: 'The slot count must be a whole number from 1 to 64',
  missionTooManySeats: 'A mission can hold at most 256 seats',
  sideFromList: 'The side must be 0 (Blue) or 1 (Red)',
  roleFromList: 'Please choose a role from the list',
  levelFromList: 'The level must be basic, learning, proficient or expert',
  trueOrFalse: 'Please give true or false',
  responseFromList: 'The response must be Accepted, Standby or Declined',
  pageRange: 'The page must be a whole number from 1',
  pageSizeRange: 'The page size must be a whole number from 1 to 100',
  daysRange: 'The number of days must be a whole number from 1 to 31',
  missionStartInPast: 'The mission cannot start in the past',
  missionNoLength: 'The mission must end after it starts',
  missionTooLong: 'The mission cannot be longer than 24 hours',
  missionEndBeforeStart: 'The mission cannot end before it starts',

  // accounts
  loginFailed: 'Invalid email or password',
  emailTaken: 'An account with this email already exists',
  wrongPassword: 'The current password is not correct',
  notAuthenticated: 'User not authenticated',
  suspended: 'Your account is suspended. Please ask an admin.',
  notAllowed: 'You are not allowed to do this',
  adminsOnly: 'Only admins can do this',
  userNotFound: 'User not found',
  lastAdmin: 'The last admin cannot lose the admin role',
  ownAdminRole: 'You cannot remove your own admin role',
  levelSetByAdmin: 'An admin set this level; only an admin can change it.',
  sessionNotFound: 'Session not found',
  ownSession: 'This is the session you are using. Please sign out instead.',
  signInLinkInvalid: 'This sign-in link has expired or was used already. Ask the bot for a new link.',
  passwordExists: 'This account has a password already. You can change it on your profile.',
  tooManyAttempts: 'Too many attempts. Please wait a minute and try again.',
  busy: 'The server is busy. Please try again in a moment.',

  // availability
  templateNotFound: 'Availability template not found',
  templateName: 'Default Weekly Availability',
  overrideKindRequired: 'Please choose available or unavailable',
  overrideInPast: 'Please choose a date from today on',
  overrideEndsBeforeStart: 'The last date must not be before the first',
  overrideTooLong: 'An exception can cover at most 62 days',
  tooManyOverrides: 'You can have at most 200 dated exceptions ahead',

  // frag orders
  orderNotFound: 'Frag order not found',
  orderExpired: 'This frag order has expired.',
  orderCancelled: 'This frag order has been cancelled.',
  noSeatFree: 'No seat is free; you remain on standby.',
  seatTaken: 'This seat has been taken by another pilot.',
  missionStarted: 'This mission has already started.',
  standbyTooLate: 'Standby is possible until 24 hours before the mission starts.',
  kneeboardNotAccepted: 'There is a kneeboard card once this order is accepted.',
  schemeFromList: 'The scheme must be day or night',
  calendarNotFound: 'Calendar not found',
  answerNotPossible: 'This answer is not possible any more.',

  // notifications
  pushEndpointRefused: 'This is not the address of a push service that Marshal knows',
  pushKeysInvalid: 'The keys of this subscription are not valid',
  pushKeysDiffer: 'This subscription belongs to another browser',

  // guilds
  guildNotFound: 'Guild not found',

  // registration from Discord
  registrationLinkInvalid: 'Invalid registration link. Please start the registration process from Discord.',
  registrationLinkOver:
    'Invalid registration link. Please start the registration process from Discord. Ask the bot for a new link.',
  discordInfoMissing: 'Discord information not available. Please restart the registration process.',

  // idempotency
  idempotencyKeyReused: 'This Idempotency-Key was used with another request',
  idempotencyKeyInvalid: 'The Idempotency-Key must be 1 to 255 printable characters',

  // transport
  notFound: 'Not found',
  crossOrigin: 'This request did not come from this site',
  jsonOnly: 'Please send JSON (Content-Type: application/json)',
  bodyTooLarge: 'The request is too large',
  unreadableBody: 'The request body is not valid JSON',
  methodNotAllowed: 'This method is not available here',
  databaseAway: 'The database is not available right now. Please try again in a moment.',
  conflict: 'Somebody else changed this at the same moment. Please try again.',
  unknownError: 'Unknown error occurred',
} as const;

/** 409 of an answer that would put a pilot into two missions at once; names the other one. */
export function overlapSentence(missionName: string): string {
  return `You already hold a seat in "${missionName}" at that time.`;
}
