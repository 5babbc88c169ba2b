/** Limits, defaults and intervals, each defined once. Names carry the units. */

export const PASSWORD_LENGTH = { min: 8, max: 256 } as const;
export const CALL_SIGN_LENGTH = { min: 1, max: 200 } as const;
/** Look-alike call signs named at most in a note. */
export const LOOK_ALIKES_SHOWN = 3;
export const EMAIL_MAX_LENGTH = 254;
export const NOTES_MAX_LENGTH = 2000;
/** A mission's briefing: notes of the mission and of its flights, in Markdown, and links. */
export const BRIEFING_NOTES_MAX_LENGTH = 4000;
/** Code points of a package's objective. */
export const OBJECTIVE_MAX_LENGTH = 120;
/** A mission lasts at most a day, and so does the time from its start to a launch. */
export const PLAN_MINUTES_MAX = 24 * 60;
export const CALLSIGN_MAX_LENGTH = 24;
export const MISSION_LINKS_MAX = 8;
export const LINK_TITLE_MAX_LENGTH = 80;
export const LINK_URL_MAX_LENGTH = 500;
export const MISSION_NAME_MAX_LENGTH = 200;
export const TEMPLATE_NAME_MAX_LENGTH = 200;

/** Days between the request to delete an account and its end, in which its owner can keep it. */
export const DELETION_DAYS = 14;

export const STATUS_MINUTES = { min: 1, max: 480, inputMin: 15, step: 15, initial: 60 } as const;

/** Ownership caps per account. Beyond a cap the call is refused; for sessions and links, the oldest is removed instead. */
export const OWNED_MAX = {
  templates: 20,
  overrides: 400,
  busyCalendars: 5,
  pushDevices: 20,
  /** personal access tokens that have not expired */
  tokens: 10,
  sessions: 20,
  signInLinks: 20,
  passkeys: 10,
  rememberedDevices: 20,
  /** sign-ins that wait for the second factor */
  pendingSignIns: 20,
  registrationLinks: 20,
  /** per admin, counting missions that have not ended; `missions` includes the drafts */
  drafts: 200,
  missions: 1_000,
  /** used within the last 24 hours; older keys are deleted */
  idempotencyKeys: 1_000,
  /** proposed per order */
  swaps: 20,
  /** per pilot and mission, however often an admin assigns and removes the pilot */
  orders: 50,
  /** per pilot and mission */
  comments: 500,
  /** per installation */
  bans: 5_000,
  webhooks: 20,
  missionTemplates: 2_000,
  /** those that have not ended */
  series: 100,
  /** aircraft types of the community's own */
  aircraft: 200,
  /** open ones, per installation */
  invites: 100,
  /** mission files that an admin has sent and no mission has yet */
  missionFiles: 10,
  /** messages to the community within 24 hours */
  communityMessages: 3,
} as const;
/** A mission's thread: code points of a comment, comments that a pilot writes or edits in a minute, entries on a page. */
export const THREAD = { commentLength: 2_000, perMinute: 20, pageSize: 50, pageMax: 500 } as const;
export const COMMUNITY_MESSAGE_MAX_LENGTH = 1_000;
/**
 * Heavy reads of one account: those that run at the same time, and those that wait for them. A page asks for up to nine at once;
 * two of them and a spare one are never refused.
 */
export const READ_TURNS = { inFlight: 4, waiting: 20 } as const;
/** Default rate limit for writes per account; the WRITES_PER_MINUTE setting overrides it. */
export const WRITES_PER_MINUTE = 120;
/** A pilot who misses at most this much of a mission, and less than half of it, is a near miss. */
export const NEAR_MISS_MINUTES = 60;
/** Entries of the audit log on a mission's card. */
export const LOG_SHOWN = 20;
/** Maximum rows of lists without pages; further rows are left out, except of date ranges: those are refused. */
export const LISTED_MAX = {
  /** in one place, the newest */
  backups: 100,
  orders: 500,
  missions: 200,
  guilds: 500,
  pilots: 5_000,
  /** pilots for one seat; a search finds the others */
  candidates: 500,
  /** pilots without a seat, for each reason */
  ineligible: 200,
  /** pilots of each group on the bench of a seat board; a search finds the others */
  bench: 2_000,
  attendance: 10_000,
  invites: 500,
  bans: 5_000,
  waiting: 500,
  exported: 20_000,
  mailFailures: 50,
} as const;

/** Days that a list of missions by date range can cover, and covers without an end date. */
export const MISSION_RANGE_DAYS = { max: 92, initial: 31 } as const;

export const SLOTS_PER_DAY_MAX = 12;
export const SLOT_DEFAULT = { startLocal: '18:00', endLocal: '22:00' } as const;
export const ANY_AIRCRAFT_ID = 0;
/** Maximum days that one availability exception can cover: enough for a long holiday. */
export const OVERRIDE_DAYS_MAX = 62;

/** Aircraft types. Ids of the catalogue's are below `firstOwnId`, those of the community's own from it on. */
export const AIRCRAFT = { codeLength: 40, nameLength: 80, seatsMax: 20, switchedMax: 500, firstOwnId: 1_001 } as const;
export const AIRCRAFT_SLOT_COUNT = { min: 1, max: 64, initial: 1 } as const;
export const MISSION_SEATS_MAX = 256;
/**
 * The simulator's mission file: its size, what it may unpack to, the sizes of the texts that are read, the groups and seats
 * that it may have, the versions kept with a mission, and how many files an admin can have uploaded that no mission has yet, for how long.
 */
export const MISSION_FILE = {
  bytes: 50 * 1024 * 1024,
  unpackedBytes: 400 * 1024 * 1024,
  entriesMax: 2_000,
  ratioMax: 200,
  missionBytes: 32 * 1024 * 1024,
  dictionaryBytes: 8 * 1024 * 1024,
  groupsMax: 2_000,
  seatsMax: 8_000,
  versionsMax: 5,
  chunkBytes: 1024 * 1024,
  waitingHours: 24,
  nameLength: 120,
} as const;
export const MISSION_DEFAULT = { startLocal: '19:00', endLocal: '22:00' } as const;
export const MISSION_MAX_HOURS = 24;
/** Tolerance for a start that has just passed while the form was open. */
export const MISSION_START_GRACE_MINUTES = 5;
export const MISSION_MINUTES_STEP = 15;
export const FLIGHT_SIZE_MAX = 4;
/** A practice mission, and for how many days it is moved to where the admin holds no seat. */
export const PRACTICE = {
  name: 'Practice mission',
  notes: 'For practice: accept, go on standby or decline, edit it, then remove it. Nothing counts.',
  hours: 2,
  daysAhead: 14,
} as const;

/** Alternative times of a dry run: the search range and step, the minimum distance between two, and the maximum offered. */
export const BETTER_TIMES = { stepMinutes: 30, daysAround: 7, minutesAhead: 30, hoursApart: 12, max: 3 } as const;

export const FRAG_LABEL_DIGITS = 3;
export const ORDER_TTL = { shareOfTimeLeft: 0.25, minMinutes: 15, maxHours: 48 } as const;
/** A seat given back less than this many hours before the start is a late cancellation, which lowers reliability. */
export const LATE_CANCEL_HOURS = 24;
export const STANDBY_CONSENT_HOURS = 24;
/** Hours before the start at which another backfill rule begins: first pilots are asked, later the first to accept wins. */
export const BACKFILL_HOURS = { ask: STANDBY_CONSENT_HOURS, shared: 2 } as const;
export const DO_NOT_DISTURB_HOURS = 24;
export const INBOX_HISTORY_DAYS = 30;
/** Lengths of what an admin writes about a ban. */
export const BANS = { labelLength: 80, reasonLength: 200 } as const;
/** A leave of absence: its longest span, both dates included, and the length of its reason. */
export const LEAVE = { daysMax: 366, reasonLength: 200 } as const;

/** How far ahead a pilot sees open seats, days. */
export const OPENINGS_DAYS = 31;
/** Missions with open seats that the home page shows before "Show more", and the polling interval for them. */
export const OPENINGS_SHOWN = 3;
export const OPENINGS_POLL_MS = 60_000;
/** Days that the home page shows a notice, unless the pilot dismisses it earlier. */
export const NOTICE_DAYS = 7;

/** Missions older than this no longer count towards fairness. */
export const LEDGER_DAYS = 90;
/** Pilots listed on either side of one whose fairness is compared with that of others. */
export const PEERS_BESIDE = 25;
/** Weeks of the fill rate on the board. */
export const FILL_WEEKS = 12;
/**
 * A pilot's reliability, 0 to 1: the share of missions attended. A mission's weight halves every `halfLifeDays`, and every
 * pilot starts with `priorMissions` assumed missions at the rate `newPilot`.
 */
export const RELIABILITY = { newPilot: 0.8, halfLifeDays: 90, priorMissions: 2 } as const;
/**
 * Turnout forecast: a mission has enough pilots when `enoughShare` of its seats (rounded down, at least one) show up. Admins
 * are warned when the probability is below `alertBelow`. `pendingShare` is the weight of a pending order relative to an
 * accepted one.
 */
export const TURNOUT = { enoughShare: 2 / 3, alertBelow: 0.8, pendingShare: 0.5, days: 7 } as const;
/** Maximum missions that can be seated together. */
export const WEEK_PLAN_MISSIONS_MAX = 20;

export const WINDOW_DAYS = { min: 1, max: 31, initial: 7 } as const;
export const HOME_DAYS_SHOWN = 3;

/** Minimum mission length, in minutes, that a recommended time must have room for. */
/** `onBoard` is the length that the board asks for first, as long as a new mission; `choices` are its options. */
export const RECOMMENDED_MINUTES = {
  min: 15,
  max: 720,
  initial: 60,
  onBoard: 180,
  choices: [60, 90, 120, 150, 180, 210, 240, 300, 360],
} as const;
export const RECOMMENDATIONS = { min: 1, max: 24, initial: 3 } as const;
/** Pilots named for each recommended time: with thousands of pilots the names would be nearly all of an answer. */
export const RECOMMENDED_PILOTS = { min: 0, max: 1_000, initial: 50 } as const;
/** More than any community has. */
export const SKIPPED_PILOTS_MAX = 10_000_000;
export const RECOMMENDED_STEP_MINUTES = 15;
export const RECOMMENDED_HOURS_MAX = 6;
export const BUCKET_MINUTES = { min: 5, max: 240, initial: 30 } as const;
export const SERIES_DAYS_MAX = 31;
export const HEAT_DAYS = 7;
export const UPCOMING_LAUNCHES_MAX = 20;
/** Days ahead for which admins see one pilot's availability; `choices` are the options on the screen. */
export const UPCOMING_DAYS = { min: 1, max: 31, initial: 14, choices: [7, 14, 30] } as const;

/**
 * Rate limits of sign-in attempts: per network address and minute, and per account in `accountMinutes` from browsers that
 * have never signed in to it. The AUTH_ATTEMPTS_PER_MINUTE setting limits attempts for one account from one address.
 */
export const SIGN_IN_ATTEMPTS = { perAddressPerMinute: 60, perAccount: 20, accountMinutes: 15 } as const;
/** Lifetime of the device cookie in days, and how many accounts one cookie remembers. */
export const KNOWN_DEVICE = { days: 90, accounts: 5 } as const;
/** Wrong codes of a second factor, per account in `minutes`: one guess is right in 333,333 cases, and needs the password first. */
export const SECOND_FACTOR_ATTEMPTS = { perAccount: 10, minutes: 15 } as const;
/** A sign-in waits this long for its second factor; setting one up, and using a passkey's challenge, takes at most as long. */
export const SECOND_STEP_MINUTES = 5;
/** Minutes after a sign-in in which it counts as fresh: for what gives others access, and for an account without a password. */
export const FRESH_SIGN_IN_MINUTES = 10;
export const AUTHENTICATOR = { digits: 6, periodSeconds: 30, setUpMinutes: 30 } as const;
/** Recovery codes: four groups of four characters, 80 bits. */
export const RECOVERY_CODES = { count: 10, bytes: 10, groupLength: 4 } as const;
/** Days for which a device that asked for it needs no second factor. */
export const REMEMBERED_DEVICE = { days: 30, accounts: 5 } as const;
export const PASSKEY_NAME_MAX_LENGTH = 60;
/** Entries of the sign-in history. */
export const SIGN_IN_HISTORY_MAX = 50;
/** How long the audit log keeps sign-ins, days; entries about admins' actions are kept forever. */
export const SIGN_IN_AUDIT_DAYS = 90;

export const PAGE_SIZE = { min: 1, max: 100, initial: 50 } as const;

/** Longest search text of the audit log, and how many of its words count. */
export const AUDIT_QUERY_LENGTH = 100;
export const AUDIT_WORDS_MAX = 6;

/** Users and audit entries on one page of the admins' screens. */
export const ADMIN_PAGE_SIZE = 20;

/** Rows of a spreadsheet of pilots, rows that one call imports, and the length of the file and of a cell in characters. */
export const IMPORT_ROWS_MAX = 5_000;
export const IMPORT_BATCH_ROWS = 100;
export const IMPORT_FILE_LENGTH = 2_000_000;
export const IMPORT_CELL_LENGTH = 4_000;

export const POLL_MS = { status: 10_000, inbox: 30_000, accepted: 30_000, stats: 30_000 } as const;
export const CACHE_STALE_MS = 5 * 60_000;
export const CACHE_RETRIES = 1;

/** Maximum calls in one tRPC batch. */
export const BATCH_MAX = 10;

/**
 * Bodies of requests in bytes: of visitors' calls (`visitorText` for those with more text), of others, of a spreadsheet of pilots, which
 * is sent whole, and of the bot, which sends at most 25 Discord servers or 1,000 members in one request, and fewer after a 413.
 */
export const BODY_BYTES = {
  visitor: 4 * 1024,
  visitorText: 8 * 1024,
  usual: 64 * 1024,
  file: 4 * 1024 * 1024,
  bot: 4 * 1024 * 1024,
} as const;
/** Lists and objects within one another in a body; no input has half as many. */
export const BODY_DEPTH_MAX = 32;

export const PUSH_ENDPOINT_MAX_LENGTH = 1000;

export const TOKEN_NAME_MAX_LENGTH = 100;
/** Days until a personal access token expires: the maximum, the choices of the form, and its initial choice. */
export const TOKEN_DAYS = { max: 366, choices: [7, 30, 90, 365], initial: 90 } as const;
/**
 * Invites: the longest name, the limits of uses and of days until one expires, those of an invite that makes admins, and
 * how long ended invites that nobody used are kept.
 */
export const INVITES = {
  nameLength: 100,
  usesMax: 1_000,
  daysMax: 366,
  adminUsesMax: 5,
  adminDaysMax: 7,
  unusedDays: 30,
  aircraftMax: 20,
} as const;
export const INVITE_TOKEN_MAX_LENGTH = 200;
export const COMMUNITY_NAME_MAX_LENGTH = 100;
/** Days after which an account is deleted that an admin has declined. */
export const DECLINED_DAYS = 30;

/**
 * Webhooks: the longest address and note, the time limit of a request, how long a delivery is retried, after how many
 * days of failures a webhook is disabled, how long the log of deliveries is kept, how long both secrets sign after a rotation.
 */
/** Busy calendars: addresses of pilots' own calendars, whose busy times take away from the weekly ones. */
export const BUSY_CALENDARS = {
  urlLength: 2_000,
  nameLength: 60,
  refreshMinutes: 30,
  timeoutSeconds: 5,
  bytes: 1_048_576,
  redirects: 3,
  /** a calendar that fails for longer is shown as failing */
  failingHours: 24,
  /** adding one and reading it again, by hand, for one account */
  readsPerHour: 30,
  /** pauses after failures double up to this */
  retryHoursMax: 6,
  failuresMax: 100,
  /** busy times are known from yesterday until this many days ahead */
  daysAhead: 120,
  /** a calendar whose times are known for fewer days is read again, even if it has not changed */
  daysAheadMin: 100,
  /** busy times in that time */
  eventsMax: 5_000,
  /** dates of all repeating events, from the first on */
  datesMax: 50_000,
} as const;

export const WEBHOOKS = {
  urlLength: 2_000,
  descriptionLength: 200,
  timeoutSeconds: 10,
  failingDays: 5,
  rotationHours: 24,
} as const;

export const MAIL = {
  /** how long a link of an email works, by its kind */
  passwordMinutes: 30,
  verificationDays: 7,
  /** an email to choose a new password that could not be sent within this time is dropped: the person has given up */
  passwordWaitMinutes: 60,
  /** requests for a new password, per address that is entered and per client */
  requestsPerAddress: 3,
  requestsPerClient: 10,
  requestMinutes: 15,
  /** test messages and verifications of one account in that time */
  perAccount: 5,
  /** addresses that one call sends an invite to */
  addresses: 50,
} as const;

/**
 * Email, notifications and webhooks: how long failed attempts are repeated, and how long finished ones are kept. The log of a
 * webhook has what was sent as long as what failed.
 */
export const DELIVERIES = { retryHours: 24, sentDays: 7, failedDays: 30 } as const;

export const YEARS = { min: 2000, max: 2100 } as const;

/** Minimum pause between two registration announcements in one Discord server. */
export const RESEND_PAUSE_SECONDS = 60;

/** How long a request to post the registration announcement waits for Discord's result. */
export const RESEND_WAIT_SECONDS = 8;
/** A bot that has not renewed its lease for this long counts as offline, and another instance may take over. */
export const BOT_LEASE_SECONDS = 15;
export const BOT_BEAT_SECONDS = 5;
/** How long the data of a guild is kept after it removed the bot, days. */
export const GUILD_KEPT_DAYS = 30;
/** A fetched member list with less than this share of the known members is rejected as incomplete. */
export const MEMBERS_SHARE_MIN = 0.7;

/** Lifetime of a personal link from Discord to the registration page. */
export const REGISTRATION_LINK_MINUTES = 20;
/** Lifetime of a personal link to set a password, and how many one call makes. */
export const PASSWORD_LINK_DAYS = 14;
export const PASSWORD_LINKS_MAX = 100;
/** Lifetime of a one-time sign-in link. */
export const SIGN_IN_LINK_MINUTES = 5;
/** Time limit for a visit to Discord's own sign-in. */
export const DISCORD_SIGN_IN_MINUTES = 10;
/** Minimum time between two write checks of the readiness endpoint. */
export const READY_WRITE_SECONDS = 5;

/**
 * Series of missions: how often at the least, how far ahead missions exist and are published, the length of one, after how
 * long a failure is tried again, and how many missions one run of the job makes.
 */
export const SERIES = {
  everyWeeksMax: 8,
  horizonWeeks: { max: 12, initial: 4 },
  publishDaysMax: 14,
  minutes: { min: 15, max: 1_440 },
  retryMinutes: 10,
  missionsPerRun: 20,
} as const;
