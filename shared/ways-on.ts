/**
 * Where a person removes the reason of a refusal: a link beside the sentence. Every code is either here or in one of the
 * groups below, which say why it needs no link; the compiler names a code that is in neither.
 */
import { panelPath } from './profile-sections.ts';
import type { RefusalCode } from './refusals.ts';

/** The places. Catalogues translate the labels by these names (`way.signIn`); English is here. */
export const WAYS = {
  signIn: { label: 'Sign in', path: '/login' },
  otherSeats: { label: 'See open seats', path: '/missions' },
  ownMissions: { label: 'See your missions', path: '/home' },
  linkDiscord: { label: 'Discord account', path: panelPath('discord') },
  twoStep: { label: 'Set up two-step sign-in', path: panelPath('two-step') },
  keepAccount: { label: 'Keep your account', path: panelPath('data') },
  changePassword: { label: 'Change your password', path: panelPath('password') },
  setPassword: { label: 'Set a password', path: '/credentials' },
  calendarLink: { label: 'Get a calendar link', path: panelPath('calendar') },
  notifications: { label: 'Notifications', path: panelPath('push') },
  leave: { label: 'Change your leave', path: '/availability' },
  mailSettings: { label: 'Email settings', path: '/admin/settings#email' },
  bans: { label: 'Bans', path: '/admin/users?list=bans' },
  discordServers: { label: 'Discord servers', path: '/admin/discord/guilds' },
  aircraft: { label: 'Aircraft', path: '/admin/aircraft' },
  backups: { label: 'Backups', path: '/admin/backups' },
  series: { label: 'Series', path: '/admin/series' },
} as const;

export type WayId = keyof typeof WAYS;

export interface WayOn {
  id: WayId;
  label: string;
  /** address on the site */
  path: string;
}

/** The same wherever it is met: what stands in the way is the caller's own. */
const OF_CALLER = {
  NOT_AUTHENTICATED: 'signIn',
  SECOND_STEP_OVER: 'signIn',
  VIEWER_CHANGED: 'signIn',
  DISCORD_ACCOUNT_UNKNOWN: 'linkDiscord',
  DISCORD_LINKED_ELSEWHERE: 'linkDiscord',
  DISCORD_OTHER_LINKED: 'linkDiscord',
  ADMIN_SECOND_FACTOR_REQUIRED: 'twoStep',
  SECOND_FACTOR_MISSING: 'twoStep',
  ACCOUNT_LEAVING: 'keepAccount',
  PASSWORD_EXISTS: 'changePassword',
  PASSWORD_REQUIRED: 'setPassword',
  CALENDAR_NOT_FOUND: 'calendarLink',
  SUBSCRIPTION_ELSEWHERE: 'notifications',
} as const satisfies Partial<Record<RefusalCode, WayId>>;

/** For pilots. An admin who meets them is at work on another pilot's seat, in a dialog that shows what there is to choose. */
const OF_PILOT = {
  ON_LEAVE: 'leave',
  DISCORD_NOT_LINKED: 'linkDiscord',
  OVERLAP: 'ownMissions',
  SEAT_HELD_ALREADY: 'ownMissions',
  SWAP_OVER: 'ownMissions',
  SWAP_OPEN_ALREADY: 'ownMissions',
  SWAP_NOT_POSSIBLE: 'otherSeats',
  SEAT_TAKEN: 'otherSeats',
  NO_SEAT_FREE: 'otherSeats',
  SEAT_OPEN: 'otherSeats',
  NOT_ELIGIBLE: 'otherSeats',
  ANSWER_NOT_POSSIBLE: 'otherSeats',
  STANDBY_TOO_LATE: 'otherSeats',
  ORDER_NOT_FOUND: 'otherSeats',
  ORDER_NOT_ACCEPTED: 'ownMissions',
  ORDER_EXPIRED: 'otherSeats',
  ORDER_CANCELLED: 'otherSeats',
  MISSION_NOT_FOUND: 'otherSeats',
  FLIGHT_NOT_FOUND: 'otherSeats',
  SEAT_NOT_FOUND: 'otherSeats',
  MISSION_STARTED: 'otherSeats',
  MISSION_FINAL: 'otherSeats',
} as const satisfies Partial<Record<RefusalCode, WayId>>;

/** For admins, on their pages. */
const OF_ADMIN = {
  MAIL_OFF: 'mailSettings',
  BANNED: 'bans',
  DISCORD_OFF: 'discordServers',
  GUILD_NOT_FOUND: 'discordServers',
  GUILD_PENDING: 'discordServers',
  BOT_NOT_IN_GUILD: 'discordServers',
  AIRCRAFT_IN_USE: 'aircraft',
  BACKUPS_OFF: 'backups',
  SERIES_NOT_FOUND: 'series',
  SERIES_ENDED: 'series',
  SERIES_ALREADY: 'series',
} as const satisfies Partial<Record<RefusalCode, WayId>>;

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
  | 'RECORDING_UNREADABLE'
  | 'RECORDING_OF_OTHER_TIME'
  | 'CALENDAR_UNREADABLE'
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
  | 'GAME_NAME_NOT_FOUND'
  | 'USER_NOT_FOUND'
  | 'SESSION_NOT_FOUND'
  | 'TOKEN_NOT_FOUND'
  | 'AUTHENTICATOR_NOT_FOUND'
  | 'PASSKEY_NOT_FOUND'
  | 'DEVICE_NOT_FOUND'
  | 'TEMPLATE_NOT_FOUND'
  | 'SWAP_NOT_FOUND'
  | 'NOTICE_NOT_FOUND'
  | 'COMMENT_NOT_FOUND'
  | 'PACKAGE_NOT_FOUND'
  | 'AIRCRAFT_TYPE_NOT_FOUND'
  | 'MISSION_TEMPLATE_NOT_FOUND'
  | 'WEBHOOK_NOT_FOUND'
  | 'BUSY_CALENDAR_NOT_FOUND'
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

/** Refusals that only programs receive. */
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
  const ids: Partial<Record<RefusalCode, WayId>> = { ...OF_CALLER, ...(reader === 'admin' ? OF_ADMIN : OF_PILOT) };
  const id = ids[code];
  return id === undefined ? null : { id, ...WAYS[id] };
}
