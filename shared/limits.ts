/** Every number of the specification, once. Units stand in the names. */

export const PASSWORD_LENGTH = { min: 8, max: 256 } as const;
export const CALL_SIGN_LENGTH = { min: 1, max: 200 } as const;
/** Names beside one that looks like them. */
export const LOOK_ALIKES_SHOWN = 3;
export const EMAIL_MAX_LENGTH = 254;
export const NOTES_MAX_LENGTH = 2000;
export const MISSION_NAME_MAX_LENGTH = 200;
export const TEMPLATE_NAME_MAX_LENGTH = 200;

export const STATUS_MINUTES = { min: 1, max: 480, inputMin: 15, step: 15, initial: 60 } as const;

/** Ownership caps per account. Beyond a cap the call is refused with a sentence; of sessions and links the oldest gives way. */
export const OWNED_MAX = {
  templates: 20,
  overrides: 400,
  pushDevices: 20,
  sessions: 20,
  signInLinks: 20,
  registrationLinks: 20,
  /** of an admin, with an end ahead; the drafts are among the missions */
  drafts: 200,
  missions: 1_000,
  /** used within 24 hours, after which they are forgotten */
  idempotencyKeys: 1_000,
  /** proposed for one order */
  swaps: 20,
  /** of one pilot for one mission, however often an admin assigns and removes them */
  orders: 50,
} as const;
/** Calls of one account that change something, unless WRITES_PER_MINUTE says otherwise. */
export const WRITES_PER_MINUTE = 120;
/** Most rows of lists that could grow without an end; the last ones are left out. */
export const LISTED_MAX = { orders: 500, missions: 200, guilds: 500, pilots: 5_000 } as const;

export const SLOTS_PER_DAY_MAX = 12;
export const SLOT_DEFAULT = { startLocal: '18:00', endLocal: '22:00' } as const;
export const ANY_AIRCRAFT_ID = 0;
/** An exception may cover a long holiday at once; more than this many still to come is no exception any more. */
export const OVERRIDE_DAYS_MAX = 62;

export const AIRCRAFT_SLOT_COUNT = { min: 1, max: 64, initial: 1 } as const;
export const MISSION_SEATS_MAX = 256;
export const MISSION_DEFAULT = { startLocal: '19:00', endLocal: '22:00' } as const;
export const MISSION_MAX_HOURS = 24;
/** A form left open for a moment may name a start that has just passed. */
export const MISSION_START_GRACE_MINUTES = 5;
export const MISSION_MINUTES_STEP = 15;
export const FLIGHT_SIZE_MAX = 4;

/** Where a dry run looks for times that fill more seats, how far apart they lie, and how many are offered. */
export const BETTER_TIMES = { stepMinutes: 30, daysAround: 7, minutesAhead: 30, hoursApart: 12, max: 3 } as const;

export const FRAG_LABEL_DIGITS = 3;
export const ORDER_TTL = { shareOfTimeLeft: 0.25, minMinutes: 15, maxHours: 48 } as const;
/** A pilot who gives a seat back this early costs nobody anything; later counts as late. */
export const LATE_CANCEL_HOURS = 24;
export const STANDBY_CONSENT_HOURS = 24;
export const OPEN_OFFER_HOURS = 2;
export const DO_NOT_DISTURB_HOURS = 24;
export const INBOX_HISTORY_DAYS = 30;

/** How far ahead a pilot looks for open seats. */
export const OPENINGS_DAYS = 31;
/** Missions with open seats that the home page shows unfolded, and how often it asks for them. */
export const OPENINGS_SHOWN = 3;
export const OPENINGS_POLL_MS = 60_000;
/** Days that the home page says what became of an order, unless its pilot puts the notice away before. */
export const NOTICE_DAYS = 7;

/** Missions older than this no longer count for the fairness ledger. */
export const LEDGER_DAYS = 90;
/**
 * How reliable a pilot is, 0 to 1: the share of missions flown, each worth half as much `halfLifeDays` later, together
 * with `priorMissions` imagined ones of a new pilot.
 */
export const RELIABILITY = { newPilot: 0.8, halfLifeDays: 90, priorMissions: 2 } as const;
/**
 * A mission has enough pilots when this share of its seats, rounded down, turns up, and one at least. Below
 * `alertBelow` admins are warned. `pendingShare`: how much an order without an answer counts of an accepted one.
 */
export const TURNOUT = { enoughShare: 2 / 3, alertBelow: 0.8, pendingShare: 0.5, days: 7 } as const;
/** Missions that are seated together at most. */
export const WEEK_PLAN_MISSIONS_MAX = 20;

export const WINDOW_DAYS = { min: 1, max: 31, initial: 7 } as const;
export const HOME_DAYS_SHOWN = 3;

/** Minutes of a mission that a recommended time has room for at least; how many are offered. */
export const RECOMMENDED_MINUTES = { min: 15, max: 720, initial: 60 } as const;
export const RECOMMENDATIONS = { min: 1, max: 24, initial: 3 } as const;
export const RECOMMENDED_STEP_MINUTES = 15;
export const RECOMMENDED_HOURS_MAX = 6;
export const BUCKET_MINUTES = { min: 5, max: 240, initial: 30 } as const;
export const SERIES_DAYS_MAX = 31;
export const HEAT_DAYS = 7;
export const UPCOMING_LAUNCHES_MAX = 20;
/** Days of one pilot's windows that an admin looks ahead; the screen offers the choices. */
export const UPCOMING_DAYS = { min: 1, max: 31, initial: 14, choices: [7, 14, 30] } as const;

/**
 * Sign-ins that are tried: from one network address in a minute, and for one account in `accountMinutes` by browsers that
 * have never signed in to it. How many a minute for an account from one address is a setting, AUTH_ATTEMPTS_PER_MINUTE.
 */
export const SIGN_IN_ATTEMPTS = { perAddressPerMinute: 60, perAccount: 20, accountMinutes: 15 } as const;
/** Lifetime of the device cookie in days, and how many accounts one cookie remembers. */
export const KNOWN_DEVICE = { days: 90, accounts: 5 } as const;
/** Notes of sign-ins in the audit; what admins did stays. */
export const SIGN_IN_AUDIT_DAYS = 90;

export const PAGE_SIZE = { min: 1, max: 100, initial: 50 } as const;

/** Users and audit entries on one page of the admins' screens. */
export const ADMIN_PAGE_SIZE = 20;

export const POLL_MS = { status: 10_000, inbox: 30_000, accepted: 30_000, stats: 30_000 } as const;
export const CACHE_STALE_MS = 5 * 60_000;
export const CACHE_RETRIES = 1;

export const PUSH_ENDPOINT_MAX_LENGTH = 1000;

export const YEARS = { min: 2000, max: 2100 } as const;

/** Between two registration announcements in one Discord server. */
export const RESEND_PAUSE_SECONDS = 60;

/** How long a request to publishLive waits for what Discord says. */
export const RESEND_WAIT_SECONDS = 8;
/** A bot that does not renew its lease for so long is offline, and another may act. */
export const BOT_LEASE_SECONDS = 15;
export const BOT_BEAT_SECONDS = 5;
/** Data of a guild that removed the bot. */
export const GUILD_KEPT_DAYS = 30;
/** A list of members shorter than this share of the known ones is not believed. */
export const MEMBERS_SHARE_MIN = 0.7;

/** A personal link from Discord to the registration page. */
export const REGISTRATION_LINK_MINUTES = 20;
/** A one-time way in for an account without a password. */
export const SIGN_IN_LINK_MINUTES = 5;
/** From leaving for Discord's own sign-in to coming back. */
export const DISCORD_SIGN_IN_MINUTES = 10;
/** Shortest time between two write checks of the readiness endpoint, s. */
export const READY_WRITE_SECONDS = 5;
