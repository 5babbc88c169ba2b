/**
 * Writing audit entries. A name stands beside the id of its account, by which it is replaced when that is erased. The contents of `detail` by action:
 *
 * - role_added: role, invite (name of the invite that gave it; the actor is the new account or the admin who approved it) ·
 *   role_removed: role · proficiency_set: aircraftId, level · proficiency_removed: aircraftId
 * - password_links_made: created (ids of accounts); the subject is the one account, or the admin for several
 * - password_links_sent: the same, for links by email
 * - pilots_imported: created, updated (ids of accounts); the subject is the admin
 * - mission_created: name
 * - mission_edited: name (the new one), changes: {field, from, to, flight?}[]. Fields of the mission: name, theater, notes,
 *   start, end; of a flight, with its callsign before the edit as `flight`: side, aircraft, role, callsign, radio, notes,
 *   seats; `flight` itself for an added one (`from` null) or a removed one (`to` null). Values are texts, long ones
 *   truncated, times in Zulu.
 * - mission_published: name, orders, openSeats · mission_cancelled: name, ordersCancelled ·
 *   practice_removed: name · mission_file_kept: name, file, version, sha256
 * - mission_template_saved, mission_template_deleted: name · mission_template_changed: name, formerName, isOverwritten
 * - series_created: name, rule (words) · series_changed: name, rule, from (a date; null for all) · series_date_skipped: name, date ·
 *   series_ended: name, removedDrafts, cancelled · series_taken_over: name · series_paused, series_resumed: name; by the server
 * - pilot_assigned: missionName, pilot, userId, seat (`Viper 1, seat 2`), replaced (a name or null), replacedId
 * - pilot_removed: missionName, pilot, userId, seat
 * - attendance_recorded: name, marks: {pilot, userId, attendance (null: removed)}[]
 * - deletion_requested: dueAt; the actor is the account itself · account_erased: nothing; by the server
 * - token_created: name, scopes, expiresAt · token_revoked: name
 * - signed_in: way (one of SIGN_IN_WAYS), address, device, second (one of SECOND_FACTORS, or `device` for a remembered one;
 *   absent without a second factor), isNew (true from a browser that had never signed in to the account); the actor is the
 *   account itself
 * - second_factor_on, second_factor_off, authenticator_added, authenticator_removed, recovery_codes_made: nothing ·
 *   passkey_added, passkey_removed: name · passkey_renamed: from, to · device_remembered, device_forgotten: device; the actor
 *   is the account itself · second_factor_reset: nothing; by an admin or the command line
 * - password_changed, credentials_set, address_verified, discord_linked, discord_unlinked, calendar_link_made,
 *   calendar_link_ended: nothing · session_confirmed, session_ended: device · other_sessions_ended: count; the actor is the
 *   account itself · backup_restored: madeAt; by the command line
 * - sign_in_failed, second_factor_failed: address, device · sign_in_limited: attempts, minutes, address. There is no actor, since it may not have
 *   been the account's owner. An account gets one entry of a kind per quarter of an hour, so that a flood of attempts does
 *   not fill the table.
 * - webhook_created, webhook_changed, webhook_deleted, webhook_secret_rotated: name (its host) · webhook_disabled: name,
 *   reason; by the server, so there is no actor
 * - aircraft_added, aircraft_switched_on, aircraft_switched_off, aircraft_deleted: name · aircraft_changed: name, changes (words)
 * - invite_created: name, role, withApproval, maxUses (null: any number), expiresAt (null: never), isForRequest · invite_sent: name, count ·
 *   invite_revoked: name, creatorLeft (true: with a role or the account of its creator) ·
 *   invite_used: name; the actor is the new account, the subject the invite
 * - request_dismissed: nothing, since the visitor has no account whose deletion would remove a name
 * - account_approved, account_declined: name (the call sign, or null)
 * - community_changed: changes: {field (name, registration), from, to}[]
 * - community_messaged: text, recipients (a number)
 * - leave_set: firstDate, lastDate · leave_ended: nothing
 * - ban_added, ban_lifted: nothing for an account; name (the label) for a ban without one, which is then the subject
 * - any, by the command line: by. There is no actor.
 */
import { newId } from '#server/schema/base.ts';
import { ago, db, json } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { AuditEntry } from '#server/schema/operations.ts';
import { User } from '#server/schema/user.ts';
import { SIGN_IN_ATTEMPTS, SIGN_IN_AUDIT_DAYS } from '#shared/limits.ts';
import { SIGN_IN_ACTIONS, type AuditAction } from '#shared/vocabulary.ts';

export interface AuditSubject {
  type:
    | 'user'
    | 'mission'
    | 'template'
    | 'series'
    | 'guild'
    | 'webhook'
    | 'aircraft'
    | 'invite'
    | 'community'
    | 'ban'
    | 'request';
  id: string;
}

/** The operator of the installation, who has no account: `npm run marshal`. */
export const COMMAND_LINE = { by: 'command line' } as const;

/** The account that makes a change, or the operator. */
export type Actor = { id: string } | typeof COMMAND_LINE;

/**
 * Record an audit entry in the caller's transaction, so that it exists if and only if the change does.
 * @returns its id
 */
export function recordAudit(
  tx: Em,
  actor: Actor,
  action: AuditAction,
  subject: AuditSubject,
  detail: Record<string, unknown> = {},
): string {
  const id = newId();
  tx.create(AuditEntry, {
    id,
    actor: 'id' in actor ? tx.getReference(User, actor.id) : null,
    action,
    subjectType: subject.type,
    subjectId: subject.id,
    detail: 'id' in actor ? detail : { ...detail, ...actor },
  });
  return id;
}

/** Record what the server has done by itself, in the caller's transaction. */
export function recordServerAudit(
  tx: Em,
  action: AuditAction,
  subject: AuditSubject,
  detail: Record<string, unknown>,
): void {
  tx.create(AuditEntry, {
    action,
    subjectType: subject.type,
    subjectId: subject.id,
    detail,
  });
}

/**
 * Record an event of an account by somebody who is not signed in, unless there is an equal entry within a quarter of an hour.
 * @param same details that make entries equal, besides action and account
 * @param rest further details
 */
export async function recordAtIntervals(
  em: Em,
  action: AuditAction,
  userId: string,
  same: Record<string, unknown>,
  rest: Record<string, unknown>,
): Promise<void> {
  await db(em)
    .insertInto('audit_entry')
    .columns(['id', 'action', 'subject_type', 'subject_id', 'detail', 'occurred_at'])
    .expression(
      db(em)
        .selectNoFrom(({ cast, val, fn }) => [
          cast<string>(val(newId()), 'uuid').as('id'),
          cast<string>(val(action), 'text').as('action'),
          cast<string>(val('user'), 'text').as('subjectType'),
          cast<string>(val(userId), 'text').as('subjectId'),
          json({ ...same, ...rest }).as('detail'),
          fn<Date>('now').as('occurredAt'),
        ])
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('audit_entry')
                .where('subject_type', '=', 'user')
                .where('subject_id', '=', userId)
                .where('action', '=', action)
                .where('detail', '@>', json(same))
                .where('occurred_at', '>', ago(`${SIGN_IN_ATTEMPTS.accountMinutes} minutes`)),
            ),
          ),
        ),
    )
    .execute();
}

/** Entries deleted by one statement, so that a first purge after years holds no lock for long. */
const PURGED_AT_ONCE = 5_000;

/** @returns true if there may be more */
async function purgeOlder(em: Em, days: number, actions: readonly AuditAction[] | null): Promise<boolean> {
  const { numDeletedRows } = await db(em)
    .deleteFrom('audit_entry')
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('audit_entry')
        .select('id')
        .where('occurred_at', '<', ago(`${days} days`))
        .$if(actions !== null, (select) => select.where('action', 'in', actions ?? []))
        .orderBy('occurred_at')
        .limit(PURGED_AT_ONCE),
    )
    .executeTakeFirst();
  return numDeletedRows >= PURGED_AT_ONCE;
}

/**
 * Delete old entries: those about sign-ins, and the others after the time that the operator has set.
 * @param keptDays undefined: entries about changes are kept
 */
export async function purgeAudit(em: Em, keptDays: number | undefined): Promise<void> {
  while (await purgeOlder(em, SIGN_IN_AUDIT_DAYS, SIGN_IN_ACTIONS));
  if (keptDays !== undefined) while (await purgeOlder(em, keptDays, null));
}
