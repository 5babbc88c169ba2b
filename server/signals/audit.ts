/**
 * The audit. What `detail` holds for an action, for whoever reads it:
 *
 * - role_added, role_removed: role · proficiency_set: aircraftId, level · proficiency_removed: aircraftId
 * - mission_created: name
 * - mission_edited: name (the new one), changes: {field, from, to, flight?}[]. Fields of the mission: name, theater, notes,
 *   start, end; of a flight, with the callsign it had as `flight`: side, aircraft, role, callsign, radio, notes, seats;
 *   `flight` itself for one that came (`from` null) or went (`to` null). Values are words, long ones cut, times in Zulu.
 * - mission_published: name, orders, openSeats · mission_cancelled: name, ordersCancelled
 * - pilot_assigned: missionName, pilot, userId, seat (`Viper 1, seat 2`), replaced (a name or null)
 * - pilot_removed: missionName, pilot, userId, seat
 * - attendance_recorded: name, marks: {pilot, attendance (null: taken back)}[]
 * - signed_in: way (one of SIGN_IN_WAYS), address, device; the actor is the account itself
 * - sign_in_failed: address, device · sign_in_limited: attempts, minutes, address. Nobody is the actor: the account is not
 *   known to have been theirs. Within a quarter of an hour an account has one note of a kind: a flood of attempts fills no table.
 */
import { newId } from '#server/schema/base.ts';
import { ago, db, json } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { AuditEntry } from '#server/schema/operations.ts';
import { User } from '#server/schema/user.ts';
import { SIGN_IN_ATTEMPTS, SIGN_IN_AUDIT_DAYS } from '#shared/limits.ts';
import { SIGN_IN_ACTIONS, type AuditAction } from '#shared/vocabulary.ts';

/** Note who changed what; part of the caller's transaction, so that the note stands if and only if the change does. */
export function recordAudit(
  tx: Em,
  actor: { id: string },
  action: AuditAction,
  subject: { type: 'user' | 'mission' | 'guild'; id: string },
  detail: Record<string, unknown> = {},
): void {
  tx.create(AuditEntry, {
    actor: tx.getReference(User, actor.id),
    action,
    subjectType: subject.type,
    subjectId: subject.id,
    detail,
  });
}

/**
 * Note what somebody who is not signed in did to an account, unless the same was noted within a quarter of an hour.
 * @param same what makes it the same, beside action and account
 * @param rest what else the note holds
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

/** Notes of sign-ins go after a while; what admins did stays. */
export async function purgeSignInAudit(em: Em): Promise<void> {
  await db(em)
    .deleteFrom('audit_entry')
    .where('action', 'in', SIGN_IN_ACTIONS)
    .where('occurred_at', '<', ago(`${SIGN_IN_AUDIT_DAYS} days`))
    .execute();
}
