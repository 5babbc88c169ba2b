/**
 * Where a person removes the reason of a refusal: a link beside the sentence. Every code is either here or in one of the
 * groups below, which say why it needs no link; the compiler names a code that is in neither.
 */
import { panelPath } from './profile-sections.ts';
import type { RefusalCode } from './refusals.ts';

export interface WayOn {
  label: string;
  /** address on the site */
  path: string;
}

const SIGN_IN: WayOn = { label: 'Sign in', path: '/login' };
const OTHER_SEATS: WayOn = { label: 'See open seats', path: '/missions' };
const OWN_MISSIONS: WayOn = { label: 'See your missions', path: '/home' };
const LINK_DISCORD: WayOn = { label: 'Discord account', path: panelPath('discord') };
const DISCORD_SERVERS: WayOn = { label: 'Discord servers', path: '/admin/discord/guilds' };

/** The same wherever it is met: what stands in the way is the caller's own. */
const OF_CALLER = {
  NOT_AUTHENTICATED: SIGN_IN,
  SECOND_STEP_OVER: SIGN_IN,
  VIEWER_CHANGED: SIGN_IN,
  DISCORD_ACCOUNT_UNKNOWN: LINK_DISCORD,
  DISCORD_LINKED_ELSEWHERE: LINK_DISCORD,
  DISCORD_OTHER_LINKED: LINK_DISCORD,
  ADMIN_SECOND_FACTOR_REQUIRED: { label: 'Set up two-step sign-in', path: panelPath('two-step') },
  SECOND_FACTOR_MISSING: { label: 'Set up two-step sign-in', path: panelPath('two-step') },
  ACCOUNT_LEAVING: { label: 'Keep your account', path: panelPath('data') },
  PASSWORD_EXISTS: { label: 'Change your password', path: panelPath('password') },
  PASSWORD_REQUIRED: { label: 'Set a password', path: '/credentials' },
  CALENDAR_NOT_FOUND: { label: 'Get a calendar link', path: panelPath('calendar') },
  SUBSCRIPTION_ELSEWHERE: { label: 'Notifications', path: panelPath('push') },
} as const satisfies Partial<Record<RefusalCode, WayOn>>;

/** For pilots. An admin who meets them is at work on another pilot's seat, in a dialog that shows what there is to choose. */
const OF_PILOT = {
  ON_LEAVE: { label: 'Change your leave', path: '/availability' },
  DISCORD_NOT_LINKED: LINK_DISCORD,
  OVERLAP: OWN_MISSIONS,
  SEAT_HELD_ALREADY: OWN_MISSIONS,
  SWAP_OVER: OWN_MISSIONS,
  SWAP_OPEN_ALREADY: OWN_MISSIONS,
  SWAP_NOT_POSSIBLE: OTHER_SEATS,
  SEAT_TAKEN: OTHER_SEATS,
  NO_SEAT_FREE: OTHER_SEATS,
  SEAT_OPEN: OTHER_SEATS,
  NOT_ELIGIBLE: OTHER_SEATS,
  ANSWER_NOT_POSSIBLE: OTHER_SEATS,
  STANDBY_TOO_LATE: OTHER_SEATS,
  ORDER_NOT_FOUND: OTHER_SEATS,
  ORDER_NOT_ACCEPTED: OWN_MISSIONS,
  ORDER_EXPIRED: OTHER_SEATS,
  ORDER_CANCELLED: OTHER_SEATS,
  MISSION_NOT_FOUND: OTHER_SEATS,
  FLIGHT_NOT_FOUND: OTHER_SEATS,
  SEAT_NOT_FOUND: OTHER_SEATS,
  MISSION_STARTED: OTHER_SEATS,
  MISSION_FINAL: OTHER_SEATS,
} as const satisfies Partial<Record<RefusalCode, WayOn>>;

/** For admins, on their pages. */
const OF_ADMIN = {
  MAIL_OFF: { label: 'Email settings', path: '/admin/settings#email' },
  BANNED: { label: 'Bans', path: '/admin/users?list=bans' },
  DISCORD_OFF: DISCORD_SERVERS,
  GUILD_NOT_FOUND: DISCORD_SERVERS,
  GUILD_PENDING: DISCORD_SERVERS,
  BOT_NOT_IN_GUILD: DISCORD_SERVERS,
  AIRCRAFT_IN_USE: { label: 'Aircraft', path: '/admin/aircraft' },
  BACKUPS_OFF: { label: 'Backups', path: '/admin/backups' },
  SERIES_NOT_FOUND: { label: 'Series', path: '/admin/series' },
  SERIES_ENDED: { label: 'Series', path: '/admin/series' },
  SERIES_ALREADY: { label: 'Series', path: '/admin/series' },
} as const satisfies Partial<Record<RefusalCode, WayOn>>;

/** The sentence names what to change, in the form or list it stands beside. */
type Here =
  | 'BAD_REQUEST'
  | 'VALIDATION'
  | 'SERIES_DATE'
  | 'START_IN_PAST'
  | 'AIRCRAFT_NOT_FOUND'
  | 'AIRCRAFT_SWITCHED_OFF'
  | 'AIRCRAFT_EXISTS'
  | 'AIRCRAFT_FROM_CATALOGUE'
  | 'MISSION_FILE_UNREADABLE'
  | 'CHANNEL_NOT_FOUND'
  | 'CHANNEL_NOT_POSTABLE'
  | 'CHANNEL_AGE_RESTRICTED'
  | 'ROLE_NOT_FOUND'
  | 'WRONG_PASSWORD'
  | 'LINK_INVALID'
  | 'CODE_WRONG'
  | 'PASSKEY_REFUSED'
  | 'LOGIN_FAILED'
  | 'SECOND_FACTOR_REQUIRED'
  | 'FRESH_SIGN_IN_REQUIRED'
  | 'GUILD_REQUIRED'
  | 'ADMIN_UNCONFIRMED'
  | 'LIMIT_REACHED'
  | 'TEMPLATE_NAME_TAKEN'
  | 'SERIES_OF_PRACTICE'
  | 'EMAIL_TAKEN'
  | 'EMAIL_REQUIRED'
  | 'AUTHENTICATOR_EXISTS'
  | 'OWN_SESSION'
  | 'OWN_ACCOUNT'
  | 'OWN_ADMIN_ROLE'
  | 'LAST_ADMIN'
  | 'DELETION_REQUESTED'
  | 'CALLSIGN_IN_USE'
  | 'RADIO_IN_USE'
  | 'PILOT_SUSPENDED'
  | 'PILOT_ON_LEAVE'
  | 'PILOT_HELD_NO_SEAT'
  | 'SEAT_EMPTY'
  | 'MISSION_NOT_PRACTICE'
  | 'MISSION_IS_DRAFT'
  | 'MISSION_PUBLISHED'
  | 'MISSION_UNDER_WAY'
  | 'MISSION_NOT_OVER'
  | 'WEBHOOK_PAUSED'
  | 'DELIVERY_WAITING'
  | 'BODY_TOO_LARGE';

/** Something has changed meanwhile; the screen follows it, and shows what there is now. */
type Followed =
  | 'CONFLICT'
  | 'CHANGED'
  | 'BACKUP_UNDER_WAY'
  | 'NOT_FOUND'
  | 'MISSION_FILE_NOT_FOUND'
  | 'USER_NOT_FOUND'
  | 'SESSION_NOT_FOUND'
  | 'TOKEN_NOT_FOUND'
  | 'AUTHENTICATOR_NOT_FOUND'
  | 'PASSKEY_NOT_FOUND'
  | 'DEVICE_NOT_FOUND'
  | 'TEMPLATE_NOT_FOUND'
  | 'SWAP_NOT_FOUND'
  | 'NOTICE_NOT_FOUND'
  | 'PACKAGE_NOT_FOUND'
  | 'AIRCRAFT_TYPE_NOT_FOUND'
  | 'MISSION_TEMPLATE_NOT_FOUND'
  | 'WEBHOOK_NOT_FOUND'
  | 'INVITE_NOT_FOUND'
  | 'REQUEST_NOT_FOUND'
  | 'BAN_NOT_FOUND'
  | 'DELIVERY_NOT_FOUND';

/** Somebody else decides, and the sentence says who. */
type ByOthers =
  | 'FORBIDDEN'
  | 'ADMINS_ONLY'
  | 'SUSPENDED'
  | 'AWAITING_APPROVAL'
  | 'NOT_APPROVED'
  | 'ACCOUNT_REFUSED'
  | 'INVITE_REQUIRED'
  | 'INVITE_INVALID'
  | 'MANAGE_GUILD_REQUIRED'
  | 'NOT_GUILD_MEMBER'
  | 'LEVEL_SET_BY_ADMIN';

/** The same again, now or a little later. */
type Again = 'REQUEST_TIMEOUT' | 'RATE_LIMITED' | 'INTERNAL' | 'BUSY' | 'DATABASE_UNAVAILABLE';

/** Only programs meet it. */
type OfPrograms =
  | 'TOKEN_INVALID'
  | 'BOT_ONLY'
  | 'SESSION_REQUIRED'
  | 'SCOPE_REQUIRED'
  | 'CROSS_ORIGIN'
  | 'METHOD_NOT_ALLOWED'
  | 'BOT_STANDS_BY'
  | 'PRECONDITION_FAILED'
  | 'NOT_JSON'
  | 'RANGE_NOT_SATISFIABLE'
  | 'EXPECTATION_FAILED'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'HEADERS_TOO_LARGE';

type Linked = keyof typeof OF_CALLER | keyof typeof OF_PILOT | keyof typeof OF_ADMIN;

/**
 * The link beside a refusal; null where the sentence is enough.
 * @param code any refusal: a new code that is in no group does not compile
 * @param reader who is shown it: an admin at work on an admin page, or a pilot anywhere else
 */
export function wayOn(
  code: Linked | Here | Followed | ByOthers | Again | OfPrograms,
  reader: 'pilot' | 'admin',
): WayOn | null {
  const links: Partial<Record<RefusalCode, WayOn>> = { ...OF_CALLER, ...(reader === 'admin' ? OF_ADMIN : OF_PILOT) };
  return links[code] ?? null;
}
