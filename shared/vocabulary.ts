/** Closed lists of the domain, once. Wire values are lower case unless the field's own spelling differs. */

export const ROLES = ['admin', 'user'] as const;
export type Role = (typeof ROLES)[number];

export const STATUS_STATES = ['available', 'dnd', 'now'] as const;
export type StatusState = (typeof STATUS_STATES)[number];

export const RSVPS = ['pending', 'accepted', 'standby', 'declined'] as const;
export type Rsvp = (typeof RSVPS)[number];

/** What a pilot can answer; nobody answers "pending". */
export const RSVP_RESPONSES = ['accepted', 'standby', 'declined'] as const;
export type RsvpResponse = (typeof RSVP_RESPONSES)[number];

export const ORDER_STATUSES = ['draft', 'issued', 'cancelled'] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

export const ORDER_STATUS_REASONS = ['expired', 'mission cancelled', 'superseded'] as const;
export type OrderStatusReason = (typeof ORDER_STATUS_REASONS)[number];

/** What became of an accepted seat, as an admin marks it after the mission. */
export const ATTENDANCES = ['attended', 'no_show', 'excused'] as const;
export type Attendance = (typeof ATTENDANCES)[number];

export const MISSION_STATUSES = ['draft', 'scheduled', 'launched', 'completed', 'cancelled'] as const;
export type MissionStatus = (typeof MISSION_STATUSES)[number];

/** The stored part of MISSION_STATUSES; launched and completed follow from the clock on read. */
export const STORED_MISSION_STATUSES = ['draft', 'scheduled', 'cancelled'] as const;
export type StoredMissionStatus = (typeof STORED_MISSION_STATUSES)[number];

export const THEATERS = [
  'Caucasus',
  'Nevada',
  'Normandy',
  'Persian Gulf',
  'Syria',
  'Mariana Islands',
  'South Atlantic',
  'Sinai',
  'Kola',
] as const;
export type Theater = (typeof THEATERS)[number];

export const MISSION_ROLES = [
  'Training',
  'CAP',
  'Strike',
  'CAS',
  'DEAD',
  'SEAD',
  'Intercept',
  'Recon',
  'Tanker',
  'AWACS',
  'EW',
] as const;
export type MissionRole = (typeof MISSION_ROLES)[number];

/** Our numbers; DCS itself counts red 1 and blue 2, so a value of the game is mapped, never passed on. */
export const SIDES = { blue: 0, red: 1 } as const;
export type Side = (typeof SIDES)[keyof typeof SIDES];

export const PROFICIENCY_LEVELS = ['basic', 'learning', 'proficient', 'expert'] as const;
export type ProficiencyLevel = (typeof PROFICIENCY_LEVELS)[number];

/** A browser's session is a cookie, a script's a bearer token. */
export const SESSION_KINDS = ['browser', 'script'] as const;

export const WINDOW_SOURCES = ['template', 'override', 'status'] as const;
export type WindowSource = (typeof WINDOW_SOURCES)[number];

export const OVERRIDE_KINDS = ['available', 'unavailable'] as const;
export type OverrideKind = (typeof OVERRIDE_KINDS)[number];

/** Why an available-looking pilot has no seat in a mission. */
export const UNSEATED_REASONS = ['NOT_AVAILABLE', 'AIRCRAFT', 'COMMITTED', 'DO_NOT_DISTURB', 'OUTRANKED'] as const;
export type UnseatedReason = (typeof UNSEATED_REASONS)[number];

/** What became of a pilot's wish to swap seats. `lapsed`: a seat moved or was given back, or nobody answered in time. */
export const SWAP_STATES = ['proposed', 'agreed', 'declined', 'withdrawn', 'lapsed'] as const;
export type SwapState = (typeof SWAP_STATES)[number];

/** How near a mission is whose turnout is looked at: within 7 days, 48 h, 24 h. */
export const TURNOUT_STAGES = ['7 days', '48 hours', '24 hours'] as const;
export type TurnoutStage = (typeof TURNOUT_STAGES)[number];

/** What a pilot is told on the home page: what became of an order that is over, or a seat that came to one on standby. */
export const NOTICE_KINDS = ['cancelled', 'removed', 'expired', 'seated', 'attendance'] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** What the list of users can be ordered by. */
export const USER_SORTS = ['displayName', 'email', 'createdAt'] as const;
export type UserSort = (typeof USER_SORTS)[number];

/** Sign-ins in the audit: a successful one, a wrong password, and the refusal of further attempts. */
export const SIGN_IN_ACTIONS = ['signed_in', 'sign_in_failed', 'sign_in_limited'] as const;

/** Ways to sign in. */
export const SIGN_IN_WAYS = ['password', 'registration', 'link', 'discord'] as const;
export type SignInWay = (typeof SIGN_IN_WAYS)[number];

/** Actions in the audit: those of admins, and sign-ins. */
export const AUDIT_ACTIONS = [
  'role_added',
  'role_removed',
  'password_reset',
  'proficiency_set',
  'proficiency_removed',
  'mission_created',
  'mission_edited',
  'mission_published',
  'mission_cancelled',
  'pilot_assigned',
  'pilot_removed',
  'attendance_recorded',
  'registration_resent',
  ...SIGN_IN_ACTIONS,
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

export const GUILD_STATUSES = ['active', 'disabled', 'unavailable'] as const;
export type GuildStatus = (typeof GUILD_STATUSES)[number];

export const CHANNEL_TYPES = ['text', 'announcement', 'thread', 'forum', 'other'] as const;
export type ChannelType = (typeof CHANNEL_TYPES)[number];

/** What the bot asks for when it is installed, by Discord's names; never Administrator. */
export const BOT_PERMISSIONS = [
  'ViewChannel',
  'SendMessages',
  'EmbedLinks',
  'ReadMessageHistory',
  'CreateEvents',
  'SendMessagesInThreads',
] as const;
/** The bits of these permissions together, as Discord's install link takes them. */
export const BOT_PERMISSION_BITS = '17867064036352';

/** `off`: nobody has configured a bot. `offline`: there is to be one, and it is not connected. */
export const BOT_STATES = ['off', 'online', 'offline'] as const;

/** What is recorded of a Discord server, for its admins. */
export const GUILD_EVENT_TYPES = [
  'guild_installed',
  'guild_reinstalled',
  'guild_removed',
  'guild_unavailable',
  'guild_available',
  'guild_updated',
  'members_synced',
  'members_sync_failed',
  'member_joined',
  'member_left',
  'moderator_changed',
  'channel_created',
  'channel_updated',
  'channel_deleted',
  'channel_permissions_changed',
  'default_channel_lost',
  'announcement_queued',
  'announcement_sent',
  'announcement_failed',
  'announcement_uncertain',
  'registration_link_issued',
  'registration_completed',
  'registration_rejected',
  'account_linked',
  'dm_failed',
  'rsvp_from_discord',
  'scheduled_event_created',
  'command_failed',
  'intent_denied',
] as const;
export type GuildEventType = (typeof GUILD_EVENT_TYPES)[number];

/** What became of a message to Discord. `uncertain`: Discord may have posted it, and cannot be asked. */
export const OUTBOX_STATES = ['queued', 'sending', 'sent', 'failed', 'uncertain', 'cancelled'] as const;

/** A kneeboard card on paper, or for a dark cockpit. */
export const KNEEBOARD_SCHEMES = ['day', 'night'] as const;
export type KneeboardScheme = (typeof KNEEBOARD_SCHEMES)[number];

/** The zones the screens offer; every valid IANA zone is accepted. */
export const TIME_ZONES = [
  'UTC',
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Los_Angeles',
  'Europe/London',
  'Europe/Paris',
  'Europe/Berlin',
  'Asia/Tokyo',
  'Australia/Sydney',
] as const;

/** Index = weekday number of the contract: 0 is Sunday. */
export const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;
