/**
 * Fixed sentences: validation messages and refusals. Other modules read them as `copy.name` (copy.ts); each is a constant of
 * its own, so that a page loads none that only the server says.
 */
import { dayWords } from './clock.ts';
import { SLOTS } from './slots.ts';
import { BATCH_MAX, COMMUNITY_MESSAGE_MAX_LENGTH, INVITES, THREAD } from './limits.ts';

export * from './field-text.ts';

// accounts
export const loginFailed = 'Invalid email or password';
export const emailTaken = 'An account with this email already exists';
export const wrongPassword = 'The current password is not correct';
export const notAuthenticated = 'User not authenticated';
export const secondFactorRequired = 'Please confirm that it is you with your second factor.';
export const secondStepOver = 'This sign-in took too long, or was finished already. Please sign in again.';
export const codeWrong = 'This code is not correct, or was already used';
export const recoveryCodeWrong = 'This recovery code is not correct, or was already used';
export const passkeyRefused = 'This passkey was not accepted. Please try again.';
export const tooManyCodes = 'Too many attempts for this account. Please wait 15 minutes and try again.';
export const adminSecondFactorRequired =
  'Admins need a second factor here. Please set one up on your profile, under Two-step sign-in.';
export const freshSignInRequired =
  'Please sign out and sign in again first: this account has no password to confirm with.';
export const confirmIdentity = 'Please confirm that it is you: sign in again, and repeat this within ten minutes.';
export const freshSignInOnDevice =
  'Please forget this device on your profile, under Two-step sign-in, then sign out and sign in again with your second factor.';
export const authenticatorNotFound = 'There is no authenticator app to confirm or remove. Please start again.';
export const authenticatorExists = 'This account already has an authenticator app. Please remove it first.';
export const secondFactorMissing = 'This account has no second factor.';
export const secondFactorOwn = 'You can change your own second factor on your profile.';
export const passkeyNotFound = 'Passkey not found';
export const deviceNotFound = 'Remembered device not found';
export const accountLeaving = 'You asked to delete this account. Keep it to fly again.';
export const deletionRequested =
  'This account is about to be deleted, as its owner asked, and cannot be changed. Its owner can still sign in and keep it.';
export const deletionLastAdmin = 'You are the last admin. Make somebody else an admin first.';
export const deletionWrongName = 'Type your call sign exactly as it is shown';
export const deletionWrongWord = 'Type the word delete';
export const suspended = 'Your account is suspended. Please ask an admin.';
export const awaitingApproval = 'Your account is waiting for an admin to approve it.';
export const notApproved =
  'An admin has declined your request to join. Please ask them if you think this is a mistake.';
export const inviteRequired = 'Registration is by invite here. Please ask an admin for an invite link.';
export const inviteUnknown = 'This invite link is not valid. Please check that you have copied all of it.';
export const inviteExpired = 'This invite has expired. Please ask for a new one.';
export const inviteUsedUp = 'This invite has no uses left. Please ask for a new one.';
export const inviteRevoked = 'This invite has been withdrawn. Please ask for a new one.';
export const inviteNotFound = 'Invite not found';
export const inviteNameRequired = 'Give the invite a name, for example "Autumn recruits"';
export const inviteUses = `The number of uses must be a whole number from 1 to ${INVITES.usesMax}`;
export const inviteExpiry = `An invite must expire in the future, within ${INVITES.daysMax} days`;
export const inviteAdminLimit = `An invite that makes admins needs at most ${INVITES.adminUsesMax} uses and must expire within ${INVITES.adminDaysMax} days`;
export const registrationFromList = 'Registration must be open, invite or approval';
export const decisionFromList = 'The decision must be approve or decline';
export const chooseAccounts = 'Choose at least one account';
export const notAllowed = 'You are not allowed to do this';
export const adminsOnly = 'Only admins can do this';
export const userNotFound = 'User not found';
export const lastAdmin = 'The last admin cannot lose the admin role';
export const ownAdminRole = 'You cannot remove your own admin role';
export const levelSetByAdmin = 'An admin set this level; only an admin can change it.';
export const sessionNotFound = 'Session not found';
export const ownSession = 'This is the session you are using. Please sign out instead.';
export const tokenInvalid = 'This access token is unknown, expired or revoked. You can make a new one on your profile.';
export const tokenNotFound = 'Access token not found';
export const noAccountWithEmail = (email: string) => `No account has the email ${email}`;
export const noAdminYet = 'There is no admin yet: npm start creates one';
export const tokenAdminScope = 'Only admins can make a token with the scope admin or server';
export const tokenServerAlone = 'A token with the scope server can have no other scope. Please make one for each.';
export const tokenOfServer = 'This access token is for a game server and only reads slots. Please use another token.';
export const noSlotsNow = `This mission has no slots now. They can be read from ${SLOTS.hoursBefore} hours before its start until its end, once it is published.`;
export const sessionRequired = 'An access token cannot do this. Please sign in to the site and do it there.';
export const signInLinkInvalid = 'This sign-in link has expired or was already used. Ask the bot for a new link.';
export const emailMissing = 'This account has no email.';
export const addressesMissing = 'Please enter at least one address';
export const addressesTooMany = 'Please send to at most 50 addresses at once';
export const unsubscribeInvalid = 'This link is not complete. Open it from the email again.';
export const verificationInvalid =
  'This link has expired, or was for another address. Send a new one from your profile.';
export const mailOff = 'This server does not send email.';
export const backupsOff = 'This server has no place for backups. Its operator sets BACKUP_DIR or BACKUP_S3_*.';
export const backupUnderWay = 'A backup is already being made. Please wait until it is done.';
export const passwordLinkInvalid = 'This link has expired or was already used. Ask an admin for a new one.';
export const passwordLinksTooMany = 'You can create at most 100 links at once';
export const passwordLinkOwn = 'You can change your own password on your profile.';
export const resetWithoutEmail =
  'This account has no email to sign in with. Its pilot can sign in with a link from Discord and set a password there.';
export const passwordExists = 'This account already has a password. You can change it on your profile.';
export const tooManyAttempts = 'Too many attempts. Please wait a minute and try again.';
export const tooManyForAccount =
  'Too many attempts for this account. Please wait 15 minutes, or use a browser that you have signed in with before.';
export const tooManyOnDevice = 'Too many attempts. Please wait 15 minutes and try again.';
export const ownPasswordNeeded = 'Please enter your current password to reset your own.';
export const forwardingIgnored =
  'A reverse proxy forwards your requests, but TRUST_PROXY is off: all visitors seem to share its address, and the limits on sign-in attempts count them as one. Set TRUST_PROXY to the number of proxies in front of Marshal.';
/** @param step a gerund, such as "Erasing accounts" @param since an ISO time */
export const stepFails = (step: string, since: string) =>
  `${step} has failed since ${dayWords(since.slice(0, 10)).day} ${since.slice(11, 16).replace(':', '')}Z. The server's log says why.`;
export const tooManyWrites = 'Too many changes within a minute. Please wait a moment and try again.';
export const tooManyReads = 'You are loading too much at once. Please wait a moment and try again.';
export const busy = 'The server is busy. Please try again in a moment.';

// spreadsheet of pilots
export const importFileTooLong = 'The file is too large. Split it into parts.';
export const importTooManyRows = 'One call imports at most 100 rows';
export const importChanged = 'Something has changed since the preview. Please check the rows again.';
export const importCellTooLong = 'This cell is too long';

// availability
export const templateNotFound = 'Availability template not found';
export const templateName = 'Default Weekly Availability';
export const overrideKindRequired = 'Please choose available or unavailable';
export const overrideInPast = 'Please choose today or a later date';
export const overrideEndsBeforeStart = 'The last date must not be before the first';
export const overrideTooLong = 'An exception can cover at most 62 days';
export const leaveEndsBeforeStart = 'The last date must not be before the first';
export const leaveTooLong = 'A leave can last at most a year';
export const leaveInPast = 'The last date must be today or later';

// bans
export const accountRefused = "This account can't be created or used here. Please ask an admin of this community.";
export const banLiftFirst = 'This account is banned. Lift the ban first.';
export const bannedAlready = 'This is banned already.';
export const banOwn = 'You cannot ban yourself.';
export const requestNotFound = 'This request is no longer there';
export const banNotFound = 'Ban not found';
export const banOfNobody = 'Enter an email, a Discord id, or both';
export const banDiscordId = 'A Discord id has 5 to 20 digits';
export const banReasonRequired = 'Please give a reason';
export const banLabelRequired = 'Please give the entry a label';

// frag orders
export const orderNotFound = 'Frag order not found';
export const orderExpired = 'This frag order has expired.';
export const orderCancelled = 'This frag order has been cancelled.';
export const noSeatFree = 'No seat is free; you remain on standby.';
export const seatHeldAlready = 'You already hold a seat in this mission.';
export const missionNotOpen = "This mission isn't accepting pilots.";
export const tookOpenSeat = 'You took this open seat yourself.';
export const wasOnStandby = 'You were on standby for this mission.';
export const joinedStandby = 'You joined the standby queue yourself.';
export const seatOpen = 'A seat that fits you is free. Take it instead of standing by.';
export const noLongerFits = 'This mission has changed and no longer fits you.';
export const onLeaveThen = 'This mission falls in your leave.';
export const keptByAdmin = 'An admin kept you on this seat.';
export const aircraftUnlisted =
  "You haven't listed this aircraft. Decline if you don't own it, or add it to your list.";
export const swapResponseFromList = 'Response must be agreed or declined';
export const swapNotFound = 'This swap was not found';
export const swapNotPossible = 'These two seats cannot be swapped.';
export const swapOver = 'This swap is no longer open.';
export const swapOpenAlready = 'You have already asked somebody to swap this seat.';
export const noticeNotFound = 'This notice was not found';
export const weekPlanTooMany = 'At most 20 missions can be seated together';
export const weekPlanEmpty = 'Choose at least one draft';
export const seatTaken = 'This seat has been taken by another pilot.';
export const missionStarted = 'This mission has already started.';
export const standbyTooLate = 'Standby is possible until 24 hours before the mission starts.';
export const kneeboardNotAccepted = 'The kneeboard card is available once you accept this order.';
export const schemeFromList = 'The scheme must be day or night';
export const calendarNotFound = 'Calendar not found';
export const busyCalendarNotFound = 'This busy calendar is gone';
export const calendarUrlRequired = 'Please enter the secret address of your calendar';
export const calendarAddedAlready = 'You have already added this calendar';
export const tooManyCalendarReads = 'Too many calendars were read in this hour. Please try again later.';
export const answerNotPossible = 'This answer is no longer possible.';
export const orderChangedMeanwhile = 'This order has changed in the meantime. Please check it again.';

// missions, for admins
export const missionNotFound = 'Mission not found';
export const practiceReason =
  'This is your practice mission. Try every answer: nothing counts, and nobody else is asked.';
export const notPractice = 'This is not a practice mission. Cancel it instead.';
export const noAircraft = 'There is no aircraft to practise with.';
export const noPracticeTime =
  'You already have a seat at every time that the practice mission could use. Please try again later.';
export const missionFinal = 'This mission is over or cancelled and can no longer be changed.';
export const missionNotDraft = 'This mission has already been published.';
export const weekChangedMeanwhile =
  'Your week was saved somewhere else since you opened it. Load it again to see both.';
export const leaveChangedMeanwhile =
  'This leave has been changed somewhere else. Load it again, then decide which dates to keep.';
export const profileChangedMeanwhile =
  'Your profile has been changed somewhere else. Load it again, then decide which values to keep.';
export const missionChangedMeanwhile = 'Someone else has changed this mission. Please load it again.';
export const missionNeedsSeat = 'A mission needs at least one seat. Cancel it instead.';
export const commentNotFound = 'This comment is gone';
export const commentEmpty = 'Please write something first';
export const commentTooLong = `A comment can have at most ${THREAD.commentLength} characters`;
export const commentSide = 'Your comment can only go to the side that you fly for.';
export const threadClosed = 'You need a seat on a side to write here.';
export const threadPageRange = `The page size must be a whole number from 1 to ${THREAD.pageMax}`;
export const tooManyComments = 'Too many comments in this minute. Please wait a moment and try again.';
export const flightNotFound = 'This flight is not part of the mission';
export const packageNotFound = 'This package is not part of the mission';
export const minutesAfterStart = 'Please enter whole minutes after the start, 0 to 1440';
export const seatUnknown = 'This seat does not exist';
export const seatEmpty = 'Nobody holds this seat.';
export const attendanceTooEarly = 'Attendance can be marked once the mission is over.';
export const attendanceNotHeld = 'Attendance is marked for pilots who held a seat in this mission.';
export const pilotOnLeave = 'This pilot is on leave at that time.';
export const pilotSuspended = 'This account is suspended and cannot be assigned.';
export const missionIsDraft = 'This mission is a draft. Publish it before you assign pilots.';
export const boardPilotTwice = 'Each pilot can have only one change';
export const boardSeatTwice = 'Each seat can have only one pilot';
export const boardMissionChanged =
  'Someone else has edited this mission since you loaded the board. Check your changes, then apply them again.';
export const missionFileNotZip = 'This is not a mission file (.miz) of DCS World, or it is damaged.';
export const missionFileBody = 'Please send the file as the body, with the content type application/octet-stream.';
export const missionFileTooLarge = 'A mission file can have at most 50 MB.';
export const missionFileUnpacksTooLarge =
  'This file unpacks to more than Marshal reads: 400 MB, 2,000 entries, 32 MB for the mission itself, or 200 times its size.';
export const missionFileEncrypted = 'This file is encrypted. Please save the mission without a password.';
export const missionFileNames = 'This file has entries with unsafe or repeated names.';
export const missionFileNoMission = 'This file has no mission in it. Please choose a .miz file of DCS World.';
export const missionFileNoSeats = 'No aircraft in this mission is for a player: none has the skill Client or Player.';
export const missionFileTooManySeats =
  'This mission has more than 2,000 groups or 8,000 seats for players. Please save it with fewer.';
export const missionFileTakesTooLong = 'This file takes more time or memory to read than Marshal allows.';
export const recordingNotAcmi =
  'This is not a recording by Tacview, or it is damaged. Please choose an .acmi file, as Tacview has written it.';
export const recordingOldVersion =
  'This recording is older than Tacview 1.5. Please open it in Tacview and save it again.';
export const recordingTooLarge =
  'A recording can have at most 100 MB. Please send it as .zip.acmi, which takes a tenth.';
export const recordingUnpacksTooLarge =
  'This recording unpacks to more than Marshal reads: 300 MB, or 200 times its size. Please cut it to the mission in Tacview.';
export const recordingEncrypted = 'This recording is encrypted. Please save it without a password.';
export const recordingNoTime =
  'This recording does not say when it was made. Please choose the file that was recorded during the mission.';
export const recordingNoPilots = 'Nobody is aboard of an aircraft in this recording. Please choose another one.';
export const recordingJumps = 'The time in this recording jumps too often. Please save it again in Tacview.';
export const recordingTooMuch =
  'This recording has more aircraft than Marshal reads. Please cut it to the mission in Tacview.';
export const recordingsFull = 'This mission has as many recordings as Marshal keeps. Please mark the others by hand.';
export const gameNameNotSeen = 'Nobody of this name was seen in this mission. Please load the list again.';
export const missionHasNoFile = 'This mission has no mission file.';
export const missionFileNotFound = 'This mission file is no longer here. Please choose it again.';
export const missionUnderWay = 'This mission is under way: only its notes, radio and end can still be changed.';
export const missionEndInPast = 'The mission cannot end in the past';
export const assignedByAdmin = 'An admin assigned you to this seat.';

// notifications
export const pushEndpointRefused = 'This is not the address of a push service that Marshal knows';
export const pushKeysInvalid = 'The keys of this subscription are not valid';
export const pushKeysDiffer = 'This subscription belongs to another browser';

// guilds
export const messageRequired = 'Please write a message';
export const messageTooLong = `A message has at most ${COMMUNITY_MESSAGE_MAX_LENGTH} characters`;
export const guildNotFound = 'Guild not found';
export const guildPending = 'This server waits until an admin accepts it.';
export const noPostableChannel = 'No suitable channel found for posting registration announcement';
export const registrationNotSent = 'Failed to send registration announcement';
export const channelUnknown = 'This channel does not exist in this server';
export const botRemoved = 'The bot is no longer in this server. Please install it again first.';
export const resentTooSoon = 'The registration was announced in this server a moment ago. Please wait a minute.';

export const discordOff = 'Discord is not configured: DISCORD_TOKEN is not set, so nothing can be posted.';
export const botStandsBy = 'Another instance of the bot is active.';
export const botOnly = 'Only the bot can do this';

// commands in Discord
export const setupInServer = 'Please use /setup in your Discord server.';
export const manageServerOnly = 'Only members who may manage this server can do this.';
export const channelNotPostable =
  'The bot cannot post in this channel. Please let it view the channel, send messages and embed links there.';
export const channelAgeRestricted =
  'This channel is age-restricted, so not every member can open it. Please choose another one.';
export const roleUnknown = 'This role does not exist in this server';
export const chooseOrder = 'Please choose an order from the list.';
export const chooseMission = 'Please choose a mission from the list.';
export const missionCommandInServer = 'Please use this command in your Discord server.';
export const announcedTooSoon = 'This mission was announced here a moment ago. Please wait a minute.';

// registration from Discord
export const registerInServer = 'Please use /register in your Discord server.';
export const registrationLinkInvalid = 'Invalid registration link. Please start the registration process from Discord.';
export const registrationLinkOver =
  'Invalid registration link. Please start the registration process from Discord. Ask the bot for a new link.';
export const discordInfoMissing = 'Discord information not available. Please restart the registration process.';

// idempotency
export const idempotencyKeyReused = 'This Idempotency-Key was used with another request';
export const idempotencyKeyInBatch = 'An Idempotency-Key is for one call; please send this call without a batch';
export const idempotencyKeyInvalid = 'The Idempotency-Key must be 1 to 255 printable characters';

// transport
export const notFound = 'Not found';
export const crossOrigin = 'This request did not come from this site';
export const jsonOnly = 'Please send JSON (Content-Type: application/json)';
export const bodyTooLarge = 'The request is too large';
export const bodyTooDeep = 'The request body is nested too deeply';
export const unreadableBody = 'The request body is not valid JSON';
export const preconditionFailed = 'This file has changed in the meantime';
export const rangeNotThere = 'This file has no such part';
export const requestTooSlow = 'The request did not arrive in time';
export const headersTooLarge = 'The headers of the request are too large';
export const expectationFailed = 'This server cannot meet what the Expect header asks for';
export const methodNotAllowed = 'This method is not available here';
export const databaseAway = 'The database is not available right now. Please try again in a moment.';
export const batchTooLarge = `A batch can hold at most ${BATCH_MAX} calls`;
export const conflict = 'Someone else changed this at the same moment. Please try again.';
export const unknownError = 'Unknown error occurred';
