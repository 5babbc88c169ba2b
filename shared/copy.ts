/** Fixed sentences: validation messages, refusals, and everything that the server and the pages both say. */
import {
  AIRCRAFT,
  BATCH_MAX,
  COMMUNITY_MESSAGE_MAX_LENGTH,
  DO_NOT_DISTURB_HOURS,
  INVITES,
  MISSION_RANGE_DAYS,
  PASSWORD_LENGTH,
  TOKEN_DAYS,
} from './limits.ts';
import type { TokenScope } from './vocabulary.ts';

export const copy = {
  // validation (specification, section 5)
  invalidEmail: 'Invalid email address',
  passwordRequired: 'Password is required',
  passwordTooShort: `Password must be at least ${PASSWORD_LENGTH.min} characters`,
  passwordTooLong: `Password must be at most ${PASSWORD_LENGTH.max} characters`,
  passwordHint: `At least ${PASSWORD_LENGTH.min} characters`,
  passwordTooCommon: 'This password is too common. Please choose another one.',
  confirmPassword: 'Please confirm your password',
  passwordsDiffer: 'Passwords do not match',
  callSignRequired: 'Call sign is required',
  callSignTooLong: 'Call sign too long',
  callSignInvisible: 'Call sign needs at least one visible character',
  callSignStacked: 'Call sign has too many accents on one letter',
  selectTimeZone: 'Please select a timezone',
  timeZoneForToken: 'With an access token, local times need their timeZone, such as Europe/Berlin or UTC',
  minutesRequired: 'Minutes required when selecting "Available Now"',
  minutesRange: 'Minutes must be a whole number from 1 to 480',
  stateRequired: 'Please choose Available, Do Not Disturb or Available Now',
  aircraftPreferenceRequired:
    'Please select an aircraft preference for all time slots (you can choose "Any Aircraft" if you have no preference).',
  unreadableText: 'This text contains characters that cannot be stored',
  textTooLong: 'This text is too long',
  textMissing: 'Please enter some text',
  invalidDate: 'Please enter a date as YYYY-MM-DD',
  invalidTime: 'Please enter a time as HH:mm',
  invalidDateTime: 'Please enter a date and time as YYYY-MM-DDTHH:mm',
  invalidId: 'This id is not valid',
  invalidInput: 'The request could not be read',
  weekdayRange: 'The weekday must be a number from 0 (Sunday) to 6 (Saturday)',
  slotWithoutLength: 'A time slot needs an end that differs from its start',
  tooManySlots: 'A day can hold at most 12 time slots',
  unknownAircraft: 'This aircraft does not exist',
  seatRequests: 'Please name the seats as 2x4,5x2: aircraft, x, number of seats',
  aircraftSwitchedOff: (name: string) =>
    `The ${name} is switched off in this community. Please choose another aircraft.`,
  aircraftCodeRequired: 'Code is required',
  aircraftNameRequired: 'Name is required',
  aircraftSeatsRange: `Seats must be a whole number from 1 to ${AIRCRAFT.seatsMax}`,
  aircraftTypesRequired: 'Please choose at least one aircraft type',
  aircraftTypesTooMany: `Please switch at most ${AIRCRAFT.switchedMax} aircraft types at once`,
  aircraftRolesRequired: 'Please choose at least one role',
  aircraftRolesFromList: 'Please choose roles from the list',
  aircraftCodeTaken: (name: string) => `The ${name} already has this code.`,
  aircraftNameTaken: (code: string) => `Another type, ${code}, already has this name.`,
  aircraftFromCatalogue: "This type is part of Marshal's catalogue. It can only be switched on and off.",
  aircraftInUse: 'Missions, pilots or their times use this aircraft. Switch it off instead.',
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
  trueOrFalse: 'The value must be true or false',
  responseFromList: 'The response must be Accepted, Standby or Declined',
  webhookUrlRequired: 'Please enter the address of the receiver',
  webhookEventFromList: 'Please choose events from the list',
  webhookEventsRequired: 'Please choose at least one event',
  webhookNotFound: 'Webhook not found',
  webhookPaused: 'This webhook is paused. Enable it first.',
  deliveryNotFound: 'Delivery not found',
  deliveryWaiting: 'This delivery is still waiting to be sent.',
  pageRange: 'The page must be a whole number from 1',
  pageSizeRange: 'The page size must be a whole number from 1 to 100',
  invalidInstant: 'Please enter a time as YYYY-MM-DDTHH:mm:ssZ',
  bucketRange: 'The bucket must be a whole number of minutes from 5 to 240',
  rangeWithoutLength: 'The end must be after the start',
  rangeTooLong: 'A range can cover at most 31 days',
  rangeEndsBeforeStart: 'The last date must not be before the first',
  missionRangeTooLong: `A range can cover at most ${MISSION_RANGE_DAYS.max} days`,
  missionRangeTooFull: 'These dates have too many missions for one answer. Please ask for fewer days.',
  minDurationRange: 'The minimum duration must be a whole number of minutes from 15 to 720',
  namedPilotsRange: 'The number of named pilots must be a whole number from 0 to 1000',
  skippedPilotsRange: 'The number of skipped pilots must be a whole number from 0 to 10000000',
  limitRange: 'The limit must be a whole number from 1 to 24',
  flightSizeRange: 'A flight has 1 to 4 seats',
  radioInvalid: 'Please enter a radio frequency in MHz with three decimals, such as 251.000',
  attendanceFromList: 'Attendance must be attended, no_show or excused',
  originInvalid: 'Please enter the address of this site, such as https://marshal.example',
  tokenNameRequired: 'Please name the token, for example after the script that will use it',
  tokenScopesRequired: 'Please choose at least one scope: read, pilot or admin',
  tokenExpiry: `A token must expire in the future, within ${TOKEN_DAYS.max} days`,
  auditActionFromList: 'Please choose an action from the list',
  sortFromList: 'The list cannot be sorted by this',
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
  accountLeaving: 'You asked to delete this account. Keep it to fly again.',
  deletionRequested: 'This account is about to be deleted, as its owner asked.',
  deletionLastAdmin: 'You are the last admin. Make somebody else an admin first.',
  deletionWrongName: 'Type your call sign exactly as it is shown',
  deletionWrongWord: 'Type the word delete',
  suspended: 'Your account is suspended. Please ask an admin.',
  awaitingApproval: 'Your account is waiting for an admin to approve it.',
  notApproved: 'An admin has declined your request to join. Please ask them if you think this is a mistake.',
  inviteRequired: 'Registration is by invite here. Please ask an admin for an invite link.',
  inviteUnknown: 'This invite link is not valid. Please check that you have copied all of it.',
  inviteExpired: 'This invite has expired. Please ask for a new one.',
  inviteUsedUp: 'This invite has no uses left. Please ask for a new one.',
  inviteRevoked: 'This invite has been withdrawn. Please ask for a new one.',
  inviteNotFound: 'Invite not found',
  inviteNameRequired: 'Please name the invite, for example after the people it is for',
  inviteUses: `The number of uses must be a whole number from 1 to ${INVITES.usesMax}`,
  inviteExpiry: `An invite must expire in the future, within ${INVITES.daysMax} days`,
  inviteAdminLimit: `An invite that makes admins needs at most ${INVITES.adminUsesMax} uses and must expire within ${INVITES.adminDaysMax} days`,
  registrationFromList: 'Registration must be open, invite or approval',
  decisionFromList: 'The decision must be approve or decline',
  chooseAccounts: 'Choose at least one account',
  notAllowed: 'You are not allowed to do this',
  adminsOnly: 'Only admins can do this',
  userNotFound: 'User not found',
  lastAdmin: 'The last admin cannot lose the admin role',
  ownAdminRole: 'You cannot remove your own admin role',
  levelSetByAdmin: 'An admin set this level; only an admin can change it.',
  sessionNotFound: 'Session not found',
  ownSession: 'This is the session you are using. Please sign out instead.',
  tokenInvalid: 'This access token is unknown, expired or revoked. You can make a new one on your profile.',
  tokenNotFound: 'Access token not found',
  noAccountWithEmail: (email: string) => `No account has the email ${email}`,
  noAdminYet: 'There is no admin yet: npm start creates one',
  tokenAdminScope: 'Only admins can make a token with the scope admin',
  sessionRequired: 'An access token cannot do this. Please sign in to the site and do it there.',
  signInLinkInvalid: 'This sign-in link has expired or was already used. Ask the bot for a new link.',
  emailMissing: 'This account has no email.',
  addressesMissing: 'Please enter at least one address',
  addressesTooMany: 'Please send to at most 50 addresses at once',
  unsubscribeInvalid: 'This link is not complete. Open it from the email again.',
  verificationInvalid: 'This link has expired, or was for another address. Send a new one from your profile.',
  mailOff: 'This server does not send email.',
  passwordLinkInvalid: 'This link has expired or was already used. Ask an admin for a new one.',
  passwordLinksTooMany: 'One call makes at most 100 links',
  passwordLinkOwn: 'You can change your own password on your profile.',
  resetWithoutEmail:
    'This account has no email to sign in with. Its pilot can sign in with a link from Discord and set a password there.',
  passwordExists: 'This account already has a password. You can change it on your profile.',
  tooManyAttempts: 'Too many attempts. Please wait a minute and try again.',
  tooManyForAccount:
    'Too many attempts for this account. Please wait 15 minutes, or use a browser that you have signed in with before.',
  tooManyOnDevice: 'Too many attempts. Please wait 15 minutes and try again.',
  ownPasswordNeeded: 'Please enter your current password to reset your own.',
  forwardingIgnored:
    'A reverse proxy forwards your requests, but TRUST_PROXY is off: all visitors seem to share its address, and the limits on sign-in attempts count them as one. Set TRUST_PROXY to the number of proxies in front of Marshal.',
  tooManyWrites: 'Too many changes within a minute. Please wait a moment and try again.',
  busy: 'The server is busy. Please try again in a moment.',

  // spreadsheet of pilots
  importFileTooLong: 'The file is too large. Split it into parts.',
  importTooManyRows: 'One call imports at most 100 rows',
  importChanged: 'Something has changed since the preview. Please check the rows again.',
  importCellTooLong: 'This cell is too long',

  // availability
  templateNotFound: 'Availability template not found',
  templateName: 'Default Weekly Availability',
  overrideKindRequired: 'Please choose available or unavailable',
  overrideInPast: 'Please choose today or a later date',
  overrideEndsBeforeStart: 'The last date must not be before the first',
  overrideTooLong: 'An exception can cover at most 62 days',
  leaveEndsBeforeStart: 'The last date must not be before the first',
  leaveTooLong: 'A leave can last at most a year',
  leaveInPast: 'The last date must be today or later',

  // bans
  accountRefused: "This account can't be created or used here. Please ask an admin of this community.",
  banLiftFirst: 'This account is banned. Lift the ban first.',
  bannedAlready: 'This is banned already.',
  banOwn: 'You cannot ban yourself.',
  requestNotFound: 'This request is no longer there',
  banNotFound: 'Ban not found',
  banOfNobody: 'Enter an email, a Discord id, or both',
  banDiscordId: 'A Discord id has 5 to 20 digits',
  banReasonRequired: 'Please give a reason',
  banLabelRequired: 'Please give the entry a label',

  // frag orders
  orderNotFound: 'Frag order not found',
  orderExpired: 'This frag order has expired.',
  orderCancelled: 'This frag order has been cancelled.',
  noSeatFree: 'No seat is free; you remain on standby.',
  seatHeldAlready: 'You already hold a seat in this mission.',
  missionNotOpen: "This mission isn't accepting pilots.",
  tookOpenSeat: 'You took this open seat yourself.',
  wasOnStandby: 'You were on standby for this mission.',
  joinedStandby: 'You joined the standby queue yourself.',
  seatOpen: 'A seat that fits you is free. Take it instead of standing by.',
  noLongerFits: 'This mission has changed and no longer fits you.',
  onLeaveThen: 'This mission falls in your leave.',
  keptByAdmin: 'An admin kept you on this seat.',
  aircraftUnlisted: "You haven't listed this aircraft. Decline if you don't own it, or add it to your list.",
  swapResponseFromList: 'Response must be agreed or declined',
  swapNotFound: 'This swap was not found',
  swapNotPossible: 'These two seats cannot be swapped.',
  swapOver: 'This swap is no longer open.',
  swapOpenAlready: 'You have already asked somebody to swap this seat.',
  noticeNotFound: 'This notice was not found',
  weekPlanTooMany: 'At most 20 missions can be seated together',
  weekPlanEmpty: 'Choose at least one draft',
  seatTaken: 'This seat has been taken by another pilot.',
  missionStarted: 'This mission has already started.',
  standbyTooLate: 'Standby is possible until 24 hours before the mission starts.',
  kneeboardNotAccepted: 'The kneeboard card is available once you accept this order.',
  schemeFromList: 'The scheme must be day or night',
  calendarNotFound: 'Calendar not found',
  answerNotPossible: 'This answer is no longer possible.',
  orderChangedMeanwhile: 'This order has changed in the meantime. Please check it again.',

  // missions, for admins
  missionNotFound: 'Mission not found',
  practiceReason: 'This is your practice mission. Try every answer: nothing counts, and nobody else is asked.',
  notPractice: 'This is not a practice mission. Cancel it instead.',
  noAircraft: 'There is no aircraft to practise with.',
  noPracticeTime: 'You already have a seat at every time that the practice mission could use. Please try again later.',
  missionFinal: 'This mission is over or cancelled and can no longer be changed.',
  missionNotDraft: 'This mission has already been published.',
  missionChangedMeanwhile: 'Someone else has changed this mission. Please load it again.',
  missionNeedsSeat: 'A mission needs at least one seat. Cancel it instead.',
  flightNotFound: 'This flight is not part of the mission',
  packageNotFound: 'This package is not part of the mission',
  minutesAfterStart: 'Please enter whole minutes after the start, 0 to 1440',
  seatUnknown: 'This seat does not exist',
  seatEmpty: 'Nobody holds this seat.',
  attendanceTooEarly: 'Attendance can be marked once the mission is over.',
  attendanceNotHeld: 'Attendance is marked for pilots who held a seat in this mission.',
  pilotOnLeave: 'This pilot is on leave at that time.',
  pilotSuspended: 'This account is suspended and cannot be assigned.',
  missionIsDraft: 'This mission is a draft. Publish it before you assign pilots.',
  missionUnderWay: 'This mission is under way: only its notes, radio and end can still be changed.',
  missionEndInPast: 'The mission cannot end in the past',
  assignedByAdmin: 'An admin assigned you to this seat.',

  // notifications
  pushEndpointRefused: 'This is not the address of a push service that Marshal knows',
  pushKeysInvalid: 'The keys of this subscription are not valid',
  pushKeysDiffer: 'This subscription belongs to another browser',

  // guilds
  messageRequired: 'Please write a message',
  messageTooLong: `A message has at most ${COMMUNITY_MESSAGE_MAX_LENGTH} characters`,
  guildNotFound: 'Guild not found',
  noPostableChannel: 'No suitable channel found for posting registration announcement',
  registrationNotSent: 'Failed to send registration announcement',
  channelUnknown: 'This channel does not exist in this server',
  botRemoved: 'This server has removed the bot. Please install it again first.',
  resentTooSoon: 'The registration was announced in this server a moment ago. Please wait a minute.',

  discordOff: 'Discord is not configured: DISCORD_TOKEN is not set, so nothing can be posted.',
  botStandsBy: 'Another instance of the bot is active.',
  botOnly: 'Only the bot can do this',

  // commands in Discord
  setupInServer: 'Please use /setup in your Discord server.',
  manageServerOnly: 'Only members who may manage this server can do this.',
  channelNotPostable:
    'The bot cannot post in this channel. Please let it view the channel, send messages and embed links there.',
  channelAgeRestricted: 'This channel is age-restricted, so not every member can open it. Please choose another one.',
  roleUnknown: 'This role does not exist in this server',
  chooseOrder: 'Please choose an order from the list.',
  chooseMission: 'Please choose a mission from the list.',
  missionCommandInServer: 'Please use this command in your Discord server.',
  announcedTooSoon: 'This mission was announced here a moment ago. Please wait a minute.',

  // registration from Discord
  registerInServer: 'Please use /register in your Discord server.',
  registrationLinkInvalid: 'Invalid registration link. Please start the registration process from Discord.',
  registrationLinkOver:
    'Invalid registration link. Please start the registration process from Discord. Ask the bot for a new link.',
  discordInfoMissing: 'Discord information not available. Please restart the registration process.',

  // idempotency
  idempotencyKeyReused: 'This Idempotency-Key was used with another request',
  idempotencyKeyInBatch: 'An Idempotency-Key is for one call; please send this call without a batch',
  idempotencyKeyInvalid: 'The Idempotency-Key must be 1 to 255 printable characters',

  // transport
  notFound: 'Not found',
  crossOrigin: 'This request did not come from this site',
  jsonOnly: 'Please send JSON (Content-Type: application/json)',
  bodyTooLarge: 'The request is too large',
  unreadableBody: 'The request body is not valid JSON',
  preconditionFailed: 'This file has changed in the meantime',
  rangeNotThere: 'This file has no such part',
  requestTooSlow: 'The request did not arrive in time',
  headersTooLarge: 'The headers of the request are too large',
  expectationFailed: 'This server cannot meet what the Expect header asks for',
  methodNotAllowed: 'This method is not available here',
  databaseAway: 'The database is not available right now. Please try again in a moment.',
  batchTooLarge: `A batch can hold at most ${BATCH_MAX} calls`,
  conflict: 'Someone else changed this at the same moment. Please try again.',
  unknownError: 'Unknown error occurred',
} as const;

/** Words of flight planning, as the pages explain them where they stand and in the help. */
export const GLOSSARY = {
  fragOrder: ['Frag order', 'your personal tasking for one mission: flight, seat, aircraft, times and radio.'],
  package: ['Package', 'the flights that work together towards one objective.'],
  flight: ['Flight', 'one to four aircraft under one lead, with one callsign and radio frequency.'],
  launch: ['Launch', 'the time to take off.'],
  tot: ['TOT', 'time on target: when the flight is over its objective.'],
  standby: ['Standby', 'you wait in line for a seat, and get it when one becomes free.'],
  dnd: ['DND', `Do Not Disturb: you get no missions starting within ${DO_NOT_DISTURB_HOURS} hours.`],
  findFlight: ['Find Flight', 'you are ready now, and short-notice seats come to you until the time is up.'],
  zulu: ['Zulu (Z)', 'UTC, the same clock for everybody. L is the local time of the zone in your profile.'],
} as const satisfies Record<string, readonly [name: string, meaning: string]>;
export type GlossaryWord = keyof typeof GLOSSARY;

/** Refusal (403) of a call that the caller's access token has no scope for. */
export function scopeRequiredSentence(scope: TokenScope): string {
  return `This access token lacks the scope ${scope}. Please use a token that has it.`;
}

/** Note to a pilot whose saved call sign could be mistaken for others. */
export function looksLikeSentence(callSigns: readonly string[]): string {
  const named = callSigns.map((callSign) => `"${callSign}"`).join(', ');
  return `Your call sign looks like ${named}. Please choose another one, so nobody mistakes you for someone else.`;
}

/** Refusal (409) of an answer that would put the pilot into two missions at once; names the other mission. */
export function overlapSentence(missionName: string): string {
  return `You already hold a seat in "${missionName}" at that time.`;
}

/** Seating reason on both orders of a swap. */
export function swappedSentence(pilot: string): string {
  return `You swapped seats with ${pilot}.`;
}

/** Refusal (409) of an assignment that would put the pilot into two missions at once. */
export function pilotOverlapSentence(pilot: string, missionName: string): string {
  return `${pilot} already holds a seat in "${missionName}" at that time.`;
}

/** Refusal (409) of an assignment to a taken seat without the request to replace its holder. */
export function seatHeldSentence(pilot: string): string {
  return `${pilot} holds this seat.`;
}

/** Refusal (409) of a callsign that another flight has at that time. */
export function callsignInUseSentence(callsign: string, missionName: string): string {
  return `${callsign} is a flight in "${missionName}" at that time.`;
}

/** Refusal (409) of a package's callsign that another package of the mission has. */
export function packageInUseSentence(callsign: string): string {
  return `${callsign} is another package of this mission.`;
}

export const FLIGHT_TIMES_SENTENCES = {
  launchMinutes: 'can only launch between the start and the end of the mission.',
  totMinutes: 'can only be on target between its launch and the end of the mission.',
};

/** Refusal (400) of a flight's launch or time on target. */
export function flightTimesSentence(callsign: string, field: keyof typeof FLIGHT_TIMES_SENTENCES): string {
  return `${callsign} ${FLIGHT_TIMES_SENTENCES[field]}`;
}

/** Refusal (409) of a radio frequency that another flight uses at that time. */
export function radioInUseSentence(radioFreq: string, callsign: string, missionName: string): string {
  return `${radioFreq} is in use by ${callsign} in "${missionName}" at that time.`;
}

/** Refusal (400) of an announcement whose links would lead to another site; names this site. */
export function otherSiteSentence(publicUrl: string): string {
  return `Registration links lead to ${publicUrl} only. Please open this page there.`;
}
