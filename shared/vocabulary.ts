/** Enumerations of the domain: roles, statuses, theaters, aircraft roles, audit actions and Discord events. */
import { PROPOSAL_ACTIONS } from './presence.ts';

export const ROLES = ['admin', 'user'] as const;
export type Role = (typeof ROLES)[number];

/** Who may register: anybody, people with an invite, or anybody whom an admin then approves. */
export const REGISTRATION_MODES = ['open', 'invite', 'approval'] as const;
export type RegistrationMode = (typeof REGISTRATION_MODES)[number];

/** States of an account that is not a pilot yet. An approved account has none. */
export const APPROVAL_STATES = ['waiting', 'declined'] as const;
export type ApprovalState = (typeof APPROVAL_STATES)[number];

/** States of an invite; only `open` lets anybody in. */
export const INVITE_STATES = ['open', 'expired', 'used_up', 'revoked'] as const;
export type InviteState = (typeof INVITE_STATES)[number];

export const STATUS_STATES = ['available', 'dnd', 'now'] as const;
export type StatusState = (typeof STATUS_STATES)[number];

export const RSVPS = ['pending', 'accepted', 'standby', 'declined'] as const;
export type Rsvp = (typeof RSVPS)[number];

/** Answers that a pilot can give; "pending" is not one of them. */
export const RSVP_RESPONSES = ['accepted', 'standby', 'declined'] as const;
export type RsvpResponse = (typeof RSVP_RESPONSES)[number];

export const ORDER_STATUSES = ['draft', 'issued', 'cancelled'] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

export const ORDER_STATUS_REASONS = ['expired', 'mission cancelled', 'superseded'] as const;
export type OrderStatusReason = (typeof ORDER_STATUS_REASONS)[number];

/** Attendance of a pilot with an accepted seat, as marked by an admin after the mission. */
export const ATTENDANCES = ['attended', 'no_show', 'excused'] as const;
export type Attendance = (typeof ATTENDANCES)[number];

/**
 * What became of a mission that a pilot was asked to fly. `declined_late` is a seat given back less than 24 hours before the
 * start, `unmarked` a seat held until the start without attendance.
 */
export const MISSION_OUTCOMES = [
  'flown',
  'standby',
  'declined_early',
  'declined_late',
  'no_show',
  'excused',
  'unanswered',
  'unmarked',
] as const;
export type MissionOutcome = (typeof MISSION_OUTCOMES)[number];

export const MISSION_STATUSES = ['draft', 'scheduled', 'launched', 'completed', 'cancelled'] as const;
export type MissionStatus = (typeof MISSION_STATUSES)[number];

/** Stored mission statuses; launched and completed are derived from the clock on read. */
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

/** Marshal's own numbers: DCS uses 1 for red and 2 for blue, so its values must be mapped. */
export const SIDES = { blue: 0, red: 1 } as const;
export type Side = (typeof SIDES)[keyof typeof SIDES];

export const PROFICIENCY_LEVELS = ['basic', 'learning', 'proficient', 'expert'] as const;
export type ProficiencyLevel = (typeof PROFICIENCY_LEVELS)[number];

/** Scopes of a personal access token. All tokens but those of game servers may also read what their owner reads as a pilot. */
export const TOKEN_SCOPES = ['read', 'pilot', 'admin', 'server'] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];
/** Scopes of which only admins make tokens. */
export const ADMIN_TOKEN_SCOPES: readonly TokenScope[] = ['admin', 'server'];

/** Kinds of sessions. Scripts had sessions in earlier releases; they use personal access tokens now. */
export const SESSION_KINDS = ['browser', 'script'] as const;

export const WINDOW_SOURCES = ['template', 'override', 'status'] as const;
export type WindowSource = (typeof WINDOW_SOURCES)[number];

export const OVERRIDE_KINDS = ['available', 'unavailable'] as const;
export type OverrideKind = (typeof OVERRIDE_KINDS)[number];

/** Reasons why an active pilot has no seat in a mission. */
export const INELIGIBILITY_REASONS = [
  'NOT_AVAILABLE',
  'ON_LEAVE',
  'AIRCRAFT',
  'COMMITTED',
  'DO_NOT_DISTURB',
  'OUTRANKED',
] as const;
export type IneligibilityReason = (typeof INELIGIBILITY_REASONS)[number];

/** Changes of a pilot's own data with which a seat would fit, as the calls that take a seat and stand by name them. */
export const SEAT_FIXES = ['addAvailability', 'addAircraft', 'endLeave', 'endDoNotDisturb'] as const;
export type SeatFix = (typeof SEAT_FIXES)[number];

/** A pilot and the standby queue of a mission that has no seat for them: one to join, or one they are in. */
export const STANDBY_CHOICES = ['open', 'joined'] as const;

/** States of a seat swap. `lapsed`: one of the seats changed hands, or there was no answer in time. */
export const SWAP_STATES = ['proposed', 'agreed', 'declined', 'withdrawn', 'lapsed'] as const;
export type SwapState = (typeof SWAP_STATES)[number];

/** Stages of the turnout forecast, by the time left until the start (`STAGE_HOURS`). */
export const TURNOUT_STAGES = ['7 days', '48 hours', '24 hours'] as const;
export type TurnoutStage = (typeof TURNOUT_STAGES)[number];

/** Kinds of notices on the home page: an order that ended, or a standby order that got a seat. */
export const NOTICE_KINDS = ['cancelled', 'removed', 'expired', 'seated', 'attendance'] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** Sort keys of the user list. */
export const USER_SORTS = ['displayName', 'email', 'createdAt', 'lastSeenAt', 'reliability'] as const;
export type UserSort = (typeof USER_SORTS)[number];

/** What an import would do with a row of the spreadsheet. */
export const IMPORT_STATES = ['create', 'update', 'unchanged', 'bad'] as const;
export type ImportState = (typeof IMPORT_STATES)[number];

/** Sign-in entries of the audit log: success, wrong password, wrong second factor, and the refusal of further attempts. */
export const SIGN_IN_ACTIONS = ['signed_in', 'sign_in_failed', 'second_factor_failed', 'sign_in_limited'] as const;

/** Entries of the audit log about an account's second factor. */
export const SECOND_FACTOR_ACTIONS = [
  'second_factor_on',
  'second_factor_off',
  'second_factor_reset',
  'authenticator_added',
  'authenticator_removed',
  'passkey_added',
  'passkey_renamed',
  'passkey_removed',
  'recovery_codes_made',
  'device_remembered',
  'device_forgotten',
] as const;

/** Entries of the audit log about what an account does to its own access, besides sign-ins and second factors. */
const ACCESS_ACTIONS = [
  'password_changed',
  'credentials_set',
  'address_verified',
  'discord_linked',
  'discord_unlinked',
  'session_confirmed',
  'session_ended',
  'other_sessions_ended',
  'calendar_link_made',
  'calendar_link_ended',
  'busy_calendar_added',
  'busy_calendar_removed',
] as const;

/** Second factors, in the order in which they are offered. */
export const SECOND_FACTORS = ['authenticator', 'passkey', 'recovery_code'] as const;
export type SecondFactor = (typeof SECOND_FACTORS)[number];

/** What a one-time link is for: to sign in, or to set the account's password, which signs in too. */
export const LINK_PURPOSES = ['sign_in', 'set_password'] as const;
export type LinkPurpose = (typeof LINK_PURPOSES)[number];

/**
 * Kinds of email: a link to choose a new password, a personal link from an admin, a link that verifies an address, an
 * admin's test, an invite, news of a frag order, a reminder, visitors' requests for admins, the weekly digest, a warning of too
 * few pilots, and news about the safety of an account.
 */
export const MAIL_KINDS = [
  'password',
  'welcome',
  'verification',
  'test',
  'invite',
  'order',
  'reminder',
  'request',
  'digest',
  'turnout',
  'security',
] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

/** Kinds of email that somebody can unsubscribe from. */
export const MAIL_CHOICES = ['orders', 'changes', 'reminders', 'invites', 'requests', 'digest'] as const;
export type MailChoice = (typeof MAIL_CHOICES)[number];

/** Ways by which a pilot is reminded of a mission. */
export const REMINDER_CHANNELS = ['discord', 'push', 'email'] as const;
export type ReminderChannel = (typeof REMINDER_CHANNELS)[number];

/** States of a reminder in one channel. */
export const REMINDER_STATES = ['waiting', 'sent', 'failed', 'dropped'] as const;
export type ReminderState = (typeof REMINDER_STATES)[number];

/** Ways to sign in. */
export const SIGN_IN_WAYS = ['password', 'registration', 'link', 'password_link', 'discord'] as const;
export type SignInWay = (typeof SIGN_IN_WAYS)[number];

/** Kinds of things that an entry of the audit log is about. */
export const AUDIT_SUBJECT_TYPES = [
  'user',
  'mission',
  'template',
  'series',
  'guild',
  'webhook',
  'aircraft',
  'invite',
  'community',
  'ban',
  'request',
] as const;

/** Actions in the audit log: changes by admins and operators, sign-ins, and what accounts do to their own access. */
export const AUDIT_ACTIONS = [
  'role_added',
  'role_removed',
  'password_reset',
  'deletion_requested',
  'deletion_undone',
  'account_erased',
  'password_links_made',
  'password_links_sent',
  'pilots_imported',
  'proficiency_set',
  'proficiency_removed',
  'mission_created',
  'mission_edited',
  'mission_published',
  'mission_cancelled',
  'practice_removed',
  'comment_removed',
  'mission_template_saved',
  'mission_template_changed',
  'mission_template_deleted',
  'series_created',
  'series_changed',
  'series_date_skipped',
  'series_ended',
  'series_taken_over',
  'series_paused',
  'series_resumed',
  'mission_file_kept',
  'pilot_assigned',
  'pilot_removed',
  'pilots_nudged',
  'attendance_recorded',
  ...PROPOSAL_ACTIONS,
  'registration_resent',
  'guild_missions_set',
  'guild_accepted',
  'guild_left',
  'token_created',
  'token_revoked',
  'aircraft_added',
  'aircraft_changed',
  'aircraft_switched_on',
  'aircraft_switched_off',
  'aircraft_deleted',
  'webhook_created',
  'webhook_changed',
  'webhook_deleted',
  'webhook_secret_rotated',
  'webhook_disabled',
  'invite_created',
  'invite_sent',
  'invite_revoked',
  'invite_used',
  'request_dismissed',
  'account_approved',
  'account_declined',
  'community_changed',
  'community_messaged',
  'leave_set',
  'leave_ended',
  'ban_added',
  'ban_lifted',
  'backup_requested',
  'backup_restored',
  ...ACCESS_ACTIONS,
  ...SECOND_FACTOR_ACTIONS,
  ...SIGN_IN_ACTIONS,
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

export const GUILD_STATUSES = ['active', 'disabled', 'unavailable'] as const;
export type GuildStatus = (typeof GUILD_STATUSES)[number];

export const CHANNEL_TYPES = ['text', 'announcement', 'thread', 'forum', 'other'] as const;
export type ChannelType = (typeof CHANNEL_TYPES)[number];

/** Permissions that the bot's install link requests, by Discord's names; never Administrator. */
export const BOT_PERMISSIONS = [
  'ViewChannel',
  'SendMessages',
  'EmbedLinks',
  'ReadMessageHistory',
  'CreateEvents',
  'SendMessagesInThreads',
  'CreatePublicThreads',
  'ManageThreads',
] as const;
/** BOT_PERMISSIONS as the bit field in Discord's install link. */
export const BOT_PERMISSION_BITS = '17918603643904';

/** `off`: no bot is configured. `offline`: one is configured but not connected. */
export const BOT_STATES = ['off', 'online', 'offline'] as const;

/** Events recorded for a Discord server and shown to admins. */
export const GUILD_EVENT_TYPES = [
  'guild_installed',
  'guild_accepted',
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
  'scheduled_event_failed',
  'command_failed',
  'intent_denied',
] as const;
export type GuildEventType = (typeof GUILD_EVENT_TYPES)[number];

/** Delivery states of a registration announcement. `uncertain`: Discord may have posted it, and there is no way to find out. */
export const ANNOUNCEMENT_STATES = ['queued', 'sending', 'sent', 'failed', 'uncertain', 'cancelled'] as const;

/** Colour schemes of the kneeboard card: dark on light, or light on dark for a dark cockpit. */
export const KNEEBOARD_SCHEMES = ['day', 'night'] as const;
export type KneeboardScheme = (typeof KNEEBOARD_SCHEMES)[number];

/** Time zones offered on screens; the API accepts every valid IANA zone. */
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

/** Indexed by the API's weekday number: 0 is Sunday. */
export const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;

/** States of one date of a series: `planned` has no mission yet. */
export const OCCURRENCE_STATES = ['planned', 'draft', 'published', 'skipped', 'cancelled'] as const;
export type OccurrenceState = (typeof OCCURRENCE_STATES)[number];
