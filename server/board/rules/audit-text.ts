/** Audit entries as sentences, from their action and detail. */
import { formatDate, formatZulu } from '#shared/clock.ts';
import { dateWords } from '#shared/leave.ts';
import { CHANGES, FREE_TEXT_CHANGES } from '#shared/mission-fields.ts';
import { SIGN_IN_WAYS, type AuditAction, type SignInWay } from '#shared/vocabulary.ts';

/** The stored detail, written by this release or an older one. */
export type AuditDetail = Readonly<Record<string, unknown>>;

/** Names that details refer to by id, looked up when they are read. */
export interface AuditNames {
  aircraft: (id: number) => string | undefined;
  pilot: (id: string) => string | undefined;
}

const text = (value: unknown): string | null => (typeof value === 'string' && value.trim() !== '' ? value : null);

/** ` and 3 orders`; '' for zero or anything that is not a number. */
const withCount = (lead: string, value: unknown, one: string): string =>
  typeof value === 'number' && value > 0 ? `${lead}${value} ${value === 1 ? one : `${one}s`}` : '';

/** `first; second`, without nulls. */
const join = (...parts: (string | null)[]): string => parts.filter((part) => part !== null).join('; ');

function aircraftOf(detail: AuditDetail, names: AuditNames): string {
  const id = detail['aircraftId'];
  return (typeof id === 'number' ? names.aircraft(id) : undefined) ?? 'an aircraft';
}

/** `Nov 21 1900Z` for an ISO instant; anything else unchanged. */
function momentWords(value: string): string {
  const ms = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(ms)) return value;
  const [, date = ''] = formatDate(ms, 'UTC').split(', ');
  return `${date} ${formatZulu(ms)}`;
}

const valueWords = (value: unknown): string => {
  const words = text(value);
  if (words !== null) return momentWords(words);
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : 'none';
};

/** Fields with text that people wrote, which is put in quotes. */
const FREE_TEXT: ReadonlySet<string> = new Set(FREE_TEXT_CHANGES);
const FIELD_WORDS = new Map(Object.entries(CHANGES).map(([field, { words }]) => [field, words.toLowerCase()]));
const quoted = (value: unknown): string => (text(value) === null ? 'none' : `“${String(value)}”`);

const isDetail = (value: unknown): value is AuditDetail => typeof value === 'object' && value !== null;
const capitalized = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

/** `Start: Nov 21 1900Z to Nov 21 2000Z`, `VIPER 1 role: CAP to Strike`; a change may already be a sentence. */
function changeWords(change: unknown): string | null {
  if (!isDetail(change)) return text(change);
  const field = text(change['field']);
  if (field === null) return null;
  const [from, to] = [text(change['from']), text(change['to'])];
  if (field === 'flight' && (from === null) !== (to === null)) {
    return to === null ? `Removed ${from}` : `Added ${to}`;
  }
  const flight = text(change['flight']) ?? text(change['callsign']);
  const name = FIELD_WORDS.get(field) ?? field;
  const what = flight === null ? capitalized(name) : `${flight} ${name}`;
  if (change['from'] === undefined && change['to'] === undefined) return `${what} changed`;
  const words = FREE_TEXT.has(field) ? quoted : valueWords;
  return `${what}: ${words(change['from'])} to ${words(change['to'])}`;
}

/** At most this many changes are listed; the rest are counted. */
const TOLD_MAX = 8;

function tell(words: readonly string[]): string {
  const rest = words.length - TOLD_MAX;
  return join(...words.slice(0, TOLD_MAX), rest > 0 ? `and ${rest} more` : null);
}

/** @param without the sentence for an entry without changes */
function editWords(detail: AuditDetail, without: string): string {
  const changes = Array.isArray(detail['changes']) ? detail['changes'] : [];
  const told = changes.map(changeWords).filter((words) => words !== null);
  return told.length === 0 ? without : tell(told);
}

/** A stored name; null for the placeholder address of an account without an email (RFC 2606: `.invalid`). */
function nameWords(value: unknown): string | null {
  const name = text(value);
  return name?.endsWith('.invalid') ? null : name;
}

/** `Maverick to VIPER 1 seat 2`, as far as the detail has it. */
const pilotWords = (detail: AuditDetail, preposition: string): string =>
  [nameWords(detail['pilot']) ?? 'a pilot', text(detail['seat'])]
    .filter((part) => part !== null)
    .join(` ${preposition} `);

const ATTENDANCE_WORDS: Record<string, string> = { attended: 'attended', no_show: 'no-show', excused: 'excused' };

/** `Attendance: Maverick attended; Goose no-show` */
function attendanceWords(detail: AuditDetail): string {
  const marks = Array.isArray(detail['marks']) ? detail['marks'].filter(isDetail) : [];
  const told = marks.flatMap(({ pilot, attendance }) => {
    if (text(pilot) === null) return [];
    return [`${nameWords(pilot) ?? 'a pilot'} ${ATTENDANCE_WORDS[text(attendance) ?? ''] ?? 'not marked'}`];
  });
  if (told.length === 0) return 'Recorded the attendance';
  return `Attendance: ${tell(told)}`;
}

const IN_WAY: Record<SignInWay, string> = {
  password: 'Signed in with a password',
  registration: 'Registered and signed in',
  link: 'Signed in with a link from Discord',
  password_link: 'Set a password with a personal link and signed in',
  discord: 'Signed in through Discord',
};

const AND_SECOND: Partial<Record<string, string>> = {
  authenticator: 'and a code,',
  passkey: 'and a passkey,',
  recovery_code: 'and a recovery code,',
  device: 'on a remembered device,',
};
const WRONG_SECOND: Partial<Record<string, string>> = {
  authenticator: 'a wrong code',
  passkey: 'a passkey that does not fit',
  recovery_code: 'a wrong recovery code',
};

/** `: “Laptop”` */
const named = (name: unknown): string => (text(name) === null ? '' : `: ${quoted(name)}`);

/** ` (Firefox on Windows)` */
const onDevice = ({ device }: AuditDetail): string => (text(device) === null ? '' : ` (${String(device)})`);

/** ` from 203.0.113.7 (Firefox on Windows)`, as far as the detail has it. */
function originWords({ address, device }: AuditDetail): string {
  const from = text(address) === null ? '' : ` from ${String(address)}`;
  return text(device) === null ? from : `${from} (${String(device)})`;
}

/** ` after 20 attempts in 15 minutes` */
function limitWords({ attempts, minutes }: AuditDetail): string {
  if (typeof attempts !== 'number' || typeof minutes !== 'number') return '';
  return ` after${withCount(' ', attempts, 'attempt')} in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}`;
}

/** `: “Roster” (read, pilot), until Feb 21 1900Z`, as far as the detail has it. */
function tokenWords({ name, scopes, expiresAt }: AuditDetail): string {
  const listed = Array.isArray(scopes) ? ` (${scopes.join(', ')})` : '';
  return `${named(name)}${listed}${text(expiresAt) === null ? '' : `, until ${momentWords(String(expiresAt))}`}`;
}

/** ` for admins, 5 uses, until Feb 21 1900Z, with approval`, as far as the detail has it. */
function inviteWords({ role, maxUses, expiresAt, withApproval, isForRequest }: AuditDetail): string {
  const until = text(expiresAt) === null ? '' : `, until ${momentWords(String(expiresAt))}`;
  const approval = withApproval === true ? ', with approval' : '';
  const request = isForRequest === true ? " for a visitor's request" : '';
  return `${role === 'admin' ? ' for admins' : ''}${request}${withCount(', ', maxUses, 'use')}${until}${approval}`;
}

/** Ids of accounts that the sentence of an entry names. */
export function namedAccounts(detail: AuditDetail): string[] {
  return [detail['created'], detail['updated']].flatMap((ids) =>
    Array.isArray(ids) ? ids.filter((id) => typeof id === 'string').slice(0, TOLD_MAX) : [],
  );
}

const nameAll = (ids: readonly unknown[], names: AuditNames): string =>
  tell(ids.map((id) => nameWords(typeof id === 'string' ? names.pilot(id) : undefined) ?? 'a former pilot'));

/** `Made links to set a password for 2 pilots (Viper; Goose)` */
function linkWords(detail: AuditDetail, names: AuditNames, [one, several]: readonly [string, string]): string {
  const ids = Array.isArray(detail['created']) ? detail['created'] : [];
  if (ids.length < 2) return `${one} to set a password`;
  return `${several} to set a password for ${ids.length} pilots (${nameAll(ids, names)})`;
}

/** `Imported pilots: 38 added (Viper; Goose; and 36 more), 2 changed (…)` */
function importWords(detail: AuditDetail, names: AuditNames): string {
  const part = (value: unknown, words: string): string | null => {
    const ids = Array.isArray(value) ? value : [];
    return ids.length === 0 ? null : `${ids.length} ${words} (${nameAll(ids, names)})`;
  };
  const parts = [part(detail['created'], 'added'), part(detail['updated'], 'changed')];
  return `Imported pilots: ${parts.filter((words) => words !== null).join(', ') || 'none'}`;
}

const SENTENCES: Record<AuditAction, (detail: AuditDetail, names: AuditNames) => string> = {
  role_added: ({ role, invite }) =>
    `Added the role ${text(role) ?? '(unknown)'}${text(invite) === null ? '' : `, by the invite ${quoted(invite)}`}`,
  role_removed: ({ role }) => `Removed the role ${text(role) ?? '(unknown)'}`,
  password_reset: () => 'Reset the password',
  deletion_requested: ({ dueAt }) =>
    `Asked to delete the account${text(dueAt) === null ? '' : `, due ${momentWords(String(dueAt))}`}`,
  deletion_undone: () => 'Kept the account',
  account_erased: () => 'Erased the account',
  password_links_made: (detail, names) => linkWords(detail, names, ['Made a link', 'Made links']),
  password_links_sent: (detail, names) => linkWords(detail, names, ['Emailed a link', 'Emailed links']),
  pilots_imported: importWords,
  proficiency_set: (detail, names) => `Set ${aircraftOf(detail, names)} to ${text(detail['level']) ?? 'another level'}`,
  proficiency_removed: (detail, names) => `Removed ${aircraftOf(detail, names)} from the list of aircraft`,
  mission_created: () => 'Created the mission',
  mission_edited: (detail) => editWords(detail, 'Edited the mission'),
  mission_published: ({ orders }) => `Published the mission${withCount(' with ', orders, 'order')}`,
  mission_cancelled: ({ ordersCancelled }) => `Cancelled the mission${withCount(' and ', ordersCancelled, 'order')}`,
  comment_removed: ({ pilot }) => `Removed a comment of ${nameWords(pilot) ?? 'a former pilot'}`,
  practice_removed: () => 'Removed the practice mission',
  mission_template_saved: () => 'Saved the mission template',
  mission_template_changed: ({ name, formerName, isOverwritten }) => {
    const renamed = name === formerName ? null : `Renamed the mission template from ${quoted(formerName)}`;
    return renamed ?? (isOverwritten === true ? 'Overwrote the mission template' : 'Changed the mission template');
  },
  mission_template_deleted: () => 'Deleted the mission template',
  series_created: ({ rule }) => `Made a series${text(rule) === null ? '' : `: ${String(rule)}`}`,
  series_changed: ({ rule, from }) => {
    const part = text(from) === null ? 'the series' : `the series from ${dateWords(String(from))} on`;
    return `Changed ${part}${text(rule) === null ? '' : `: ${String(rule)}`}`;
  },
  series_date_skipped: ({ date }) => (text(date) === null ? 'Skipped a date' : `Skipped ${dateWords(String(date))}`),
  series_ended: ({ removedDrafts, cancelled }) =>
    `Ended the series${withCount(' and ', removedDrafts, 'draft')}${cancelled === 0 ? '' : withCount(' and ', cancelled, 'mission')}`,
  series_taken_over: () => 'Took the series over',
  series_paused: () => 'Paused by Marshal, because its creator is no longer an admin',
  series_resumed: () => 'Resumed by Marshal, because its creator is an admin again',
  mission_file_kept: ({ file, version }) =>
    text(file) === null ? 'Kept a mission file' : `Kept version ${String(version)} of the mission file ${String(file)}`,
  pilot_assigned: (detail) => {
    const replaced = nameWords(detail['replaced']);
    return `Assigned ${pilotWords(detail, 'to')}${replaced === null ? '' : ` in place of ${replaced}`}`;
  },
  pilot_removed: (detail) => `Removed ${pilotWords(detail, 'from')}`,
  pilots_nudged: ({ about, pilots }) =>
    `Asked${withCount(' ', pilots, 'pilot')} again ${about === 'unconfirmed' ? 'to confirm' : 'to answer'}`,
  attendance_recorded: attendanceWords,
  attendance_proposed: ({ proposals }) => `Read a recording${withCount(': it proposes ', proposals, 'attended pilot')}`,
  attendance_dismissed: ({ proposals }) => `Dismissed the proposals${withCount(' for ', proposals, 'pilot')}`,
  game_name_set: ({ pilot }) => `Said which name in the game is ${nameWords(pilot) ?? 'a pilot'}'s`,
  game_name_removed: ({ pilot }) => `Said that a name in the game is not ${nameWords(pilot) ?? 'a pilot'}'s`,
  registration_resent: ({ channel, channelName }) => {
    const name = text(channelName) ?? text(channel);
    return `Resent the registration announcement${name === null ? '' : ` to #${name.replace(/^#/, '')}`}`;
  },
  guild_accepted: () => 'Accepted the server',
  guild_left: () => 'Made the bot leave the server',
  guild_missions_set: ({ channel }) => {
    const name = text(channel);
    if (name === null) return 'Changed what the server shows of missions';
    return name === 'none' ? 'Turned mission posts off' : `Chose #${name} for mission posts`;
  },
  token_created: (detail) => `Made an access token${tokenWords(detail)}`,
  token_revoked: (detail) => `Revoked an access token${tokenWords(detail)}`,
  aircraft_added: () => 'Added the aircraft',
  aircraft_changed: ({ changes }) => (text(changes) === null ? 'Changed the aircraft' : capitalized(String(changes))),
  aircraft_switched_on: () => 'Switched the aircraft on',
  aircraft_switched_off: () => 'Switched the aircraft off',
  aircraft_deleted: () => 'Deleted the aircraft',
  webhook_created: () => 'Created the webhook',
  webhook_changed: ({ changes }) => (text(changes) === null ? 'Changed the webhook' : String(changes)),
  webhook_deleted: () => 'Deleted the webhook',
  webhook_secret_rotated: () => 'Rotated the signing secret',
  webhook_disabled: ({ reason }) => `Disabled by Marshal${text(reason) === null ? '' : `: ${String(reason)}`}`,
  invite_created: (detail) => `Made the invite${inviteWords(detail)}`,
  invite_sent: ({ count }) => `Emailed the invite${withCount(' to ', count, 'recipient')}`,
  invite_revoked: ({ creatorLeft }) =>
    creatorLeft === true
      ? 'Revoked the invite, because its creator lost a role or their account'
      : 'Revoked the invite',
  invite_used: () => 'Joined with the invite',
  request_dismissed: () => "Dismissed a visitor's request",
  account_approved: () => 'Approved the account',
  account_declined: () => 'Declined the account',
  community_messaged: ({ text: words, recipients }) =>
    `Sent a message${withCount(' to ', recipients, 'pilot')}: ${text(words) ?? ''}`,
  community_changed: (detail) => editWords(detail, 'Changed the settings'),
  leave_set: ({ firstDate, lastDate }) =>
    `Set a leave${text(firstDate) === null ? '' : ` from ${dateWords(String(firstDate))} to ${dateWords(String(lastDate))}`}`,
  leave_ended: () => 'Ended the leave',
  ban_added: () => 'Banned',
  ban_lifted: () => 'Lifted the ban',
  signed_in: (detail) => {
    const way = SIGN_IN_WAYS.find((known) => known === detail['way']);
    const second = AND_SECOND[text(detail['second']) ?? ''];
    const words = [way === undefined ? 'Signed in' : IN_WAY[way], second]
      .filter((part) => part !== undefined)
      .join(' ');
    return `${words}${originWords(detail)}`.replace(/,$/, '');
  },
  backup_requested: () => 'Started a backup',
  backup_restored: ({ madeAt }) =>
    text(madeAt) === null
      ? 'Restored a backup'
      : `Restored the backup of ${String(madeAt).slice(0, 16).replace('T', ' ')} UTC`,
  password_changed: () => 'Changed the password',
  credentials_set: () => 'Set an email address and a password',
  address_verified: () => 'Verified the email address',
  discord_linked: () => 'Linked a Discord account',
  discord_unlinked: () => 'Unlinked the Discord account',
  session_confirmed: (detail) => `Confirmed a sign-in from a new device${onDevice(detail)}`,
  session_ended: (detail) => `Ended a session${onDevice(detail)}`,
  other_sessions_ended: ({ count }) => `Ended all other sessions${typeof count === 'number' ? `: ${count}` : ''}`,
  calendar_link_made: () => 'Made a new calendar link',
  calendar_link_ended: () => 'Ended the calendar link',
  busy_calendar_added: () => 'Added a busy calendar',
  busy_calendar_removed: () => 'Removed a busy calendar',
  second_factor_on: () => 'Turned two-step sign-in on',
  second_factor_off: () => 'Turned two-step sign-in off',
  second_factor_reset: () => 'Reset two-step sign-in',
  authenticator_added: () => 'Set up an authenticator app',
  authenticator_removed: () => 'Removed the authenticator app',
  passkey_added: ({ name }) => `Added a passkey${named(name)}`,
  passkey_renamed: ({ from, to }) => `Renamed a passkey: ${quoted(from)} to ${quoted(to)}`,
  passkey_removed: ({ name }) => `Removed a passkey${named(name)}`,
  recovery_codes_made: () => 'Made new recovery codes',
  device_remembered: (detail) => `Remembered a device${onDevice(detail)}`,
  device_forgotten: (detail) => `Forgot a remembered device${onDevice(detail)}`,
  second_factor_failed: (detail) =>
    `Tried ${WRONG_SECOND[text(detail['second']) ?? ''] ?? 'a wrong second factor'} after the first step${originWords(detail)}`,
  sign_in_failed: (detail) => `Tried a wrong password${originWords(detail)}`,
  sign_in_limited: (detail) =>
    `Further sign-ins were refused${limitWords(detail)}${text(detail['address']) === null ? '' : `, the last one${originWords(detail)}`}`,
};

/** True for a change by the operator of the installation, who has no account. */
export const isByCommandLine = (detail: AuditDetail): boolean => detail['by'] === 'command line';

/** The sentence for an entry, without a full stop. Missing or unknown details make it shorter, never wrong. */
export function auditWords(action: AuditAction, detail: unknown, names: AuditNames): string {
  const known = isDetail(detail) ? detail : {};
  const sentence = SENTENCES[action](known, names);
  return isByCommandLine(known) ? `${sentence}, by the command line` : sentence;
}
