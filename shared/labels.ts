/** Labels of orders, sides and seats, the same on every screen and in Discord. */
import { FRAG_LABEL_DIGITS } from './limits.ts';
import { type AuditAction, type MissionRole, SIDES, type Side } from './vocabulary.ts';

/** FRAG-007; padded to three digits, never cut. */
export function fragLabel(seq: number): string {
  return `FRAG-${String(seq).padStart(FRAG_LABEL_DIGITS, '0')}`;
}

export function sideName(side: Side): 'Blue' | 'Red' {
  return side === SIDES.blue ? 'Blue' : 'Red';
}

/** Seat indexes start at 0 in the API and at 1 on screens. */
export function seatLabel(seatIndex: number): string {
  return `Seat ${seatIndex + 1}`;
}

/** A seat as people say it; `seatIndex` counts from 0. */
export interface SeatPlace {
  readonly flightCallsign: string;
  readonly seatIndex: number;
}

/** `Viper 1, seat 2` */
export const placeName = ({ flightCallsign, seatIndex }: SeatPlace): string =>
  `${flightCallsign}, ${seatLabel(seatIndex).toLowerCase()}`;

/** `Viper 1-2`, where there is little room */
export const shortPlace = ({ flightCallsign, seatIndex }: SeatPlace): string => `${flightCallsign}-${seatIndex + 1}`;

/** Says to a pilot that the seat is theirs: `You're in: Viper 1, seat 2`, without a full stop. */
export const youAreIn = (place: SeatPlace): string => `You're in: ${placeName(place)}`;

/** `CAP, F-16C Viper, seat 1` */
export function orderTitle(role: MissionRole, aircraftName: string, seatIndex: number): string {
  return `${role}, ${aircraftName}, seat ${seatIndex + 1}`;
}

/** Stands in for a missing call sign, since pilots never see each other's email addresses. */
export const NAMELESS = 'Pilot';
/** What stands for a pilot whose account was deleted. */
export const FORMER_PILOT = 'former pilot';

/** Names of the actions in the audit log, by which it is filtered and searched. */
export const AUDIT_ACTION_NAMES: Record<AuditAction, string> = {
  role_added: 'Role added',
  role_removed: 'Role removed',
  password_reset: 'Password reset',
  deletion_requested: 'Deletion requested',
  deletion_undone: 'Deletion undone',
  account_erased: 'Account erased',
  password_links_made: 'Password links made',
  password_links_sent: 'Password links sent',
  pilots_imported: 'Pilots imported',
  proficiency_set: 'Level set',
  proficiency_removed: 'Level removed',
  mission_created: 'Mission created',
  mission_edited: 'Mission edited',
  mission_published: 'Mission published',
  mission_cancelled: 'Mission cancelled',
  comment_removed: 'Comment removed',
  practice_removed: 'Practice removed',
  mission_template_saved: 'Template saved',
  mission_template_changed: 'Template changed',
  mission_template_deleted: 'Template deleted',
  series_created: 'Series made',
  series_changed: 'Series changed',
  series_date_skipped: 'Date skipped',
  series_ended: 'Series ended',
  series_taken_over: 'Series taken over',
  series_paused: 'Series paused',
  series_resumed: 'Series resumed',
  mission_file_kept: 'Mission file kept',
  pilot_assigned: 'Pilot assigned',
  pilot_removed: 'Pilot removed',
  pilots_nudged: 'Pilots nudged',
  attendance_recorded: 'Attendance recorded',
  attendance_proposed: 'Attendance proposed',
  attendance_dismissed: 'Proposals dismissed',
  game_name_set: 'Name in the game set',
  game_name_removed: 'Name in the game removed',
  registration_resent: 'Registration resent',
  guild_accepted: 'Discord server accepted',
  guild_left: 'Discord server left',
  guild_missions_set: 'Mission posts set',
  token_created: 'Access token made',
  token_revoked: 'Access token revoked',
  aircraft_added: 'Aircraft added',
  aircraft_changed: 'Aircraft changed',
  aircraft_switched_on: 'Aircraft switched on',
  aircraft_switched_off: 'Aircraft switched off',
  aircraft_deleted: 'Aircraft deleted',
  webhook_created: 'Webhook created',
  webhook_changed: 'Webhook changed',
  webhook_deleted: 'Webhook deleted',
  webhook_secret_rotated: 'Webhook secret rotated',
  webhook_disabled: 'Webhook disabled',
  invite_created: 'Invite made',
  invite_sent: 'Invite sent',
  invite_revoked: 'Invite revoked',
  invite_used: 'Joined with invite',
  request_dismissed: 'Request dismissed',
  account_approved: 'Account approved',
  account_declined: 'Account declined',
  community_messaged: 'Message sent to pilots',
  community_changed: 'Settings changed',
  leave_set: 'Leave set',
  leave_ended: 'Leave ended',
  ban_added: 'Banned',
  ban_lifted: 'Ban lifted',
  backup_requested: 'Backup started',
  backup_restored: 'Backup restored',
  password_changed: 'Password changed',
  credentials_set: 'Email and password set',
  address_verified: 'Email verified',
  discord_linked: 'Discord linked',
  discord_unlinked: 'Discord unlinked',
  session_confirmed: 'New device confirmed',
  session_ended: 'Session ended',
  other_sessions_ended: 'Other sessions ended',
  calendar_link_made: 'Calendar link made',
  calendar_link_ended: 'Calendar link ended',
  busy_calendar_added: 'Busy calendar added',
  busy_calendar_removed: 'Busy calendar removed',
  second_factor_on: 'Two-step sign-in on',
  second_factor_off: 'Two-step sign-in off',
  second_factor_reset: 'Two-step sign-in reset',
  authenticator_added: 'Authenticator app added',
  authenticator_removed: 'Authenticator app removed',
  passkey_added: 'Passkey added',
  passkey_renamed: 'Passkey renamed',
  passkey_removed: 'Passkey removed',
  recovery_codes_made: 'Recovery codes made',
  device_remembered: 'Device remembered',
  device_forgotten: 'Device forgotten',
  signed_in: 'Signed in',
  sign_in_failed: 'Sign-in failed',
  second_factor_failed: 'Second factor failed',
  sign_in_limited: 'Sign-ins limited',
};

/** Names the aircraft of a template or a series that are switched off or deleted. */
export const missingAircraftSentence = (names: readonly string[]): string =>
  names.length === 1
    ? `${names.join()} is left out, because it is no longer offered.`
    : `${names.join(', ')} are left out, because they are no longer offered.`;

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;

/** Weekdays from Monday to Sunday: `Monday and Wednesday`. */
function weekdayWords(weekdays: readonly number[]): string {
  const names = [1, 2, 3, 4, 5, 6, 0].flatMap((day) => (weekdays.includes(day) ? (WEEKDAYS[day] ?? []) : []));
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/**
 * The rule of a series in words: `every Wednesday at 1900L (Europe/Berlin)`.
 * @returns as a part of a sentence, without a full stop
 */
export function seriesWords(series: {
  readonly weekdays: readonly number[];
  readonly everyWeeks: number;
  readonly startLocal: string;
  readonly timeZone: string;
}): string {
  const { weekdays, everyWeeks, startLocal, timeZone } = series;
  const days = weekdays.length === 7 && everyWeeks === 1 ? 'day' : weekdayWords(weekdays);
  const often = everyWeeks === 1 ? `every ${days}` : `every ${everyWeeks} weeks on ${days}`;
  return `${often} at ${startLocal.replace(':', '')}L (${timeZone})`;
}

/** Size of a file: `12 kB`, `4.8 MB`. */
export const formatSize = (bytes: number): string =>
  bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
