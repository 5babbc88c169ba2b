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
 */
import type { Em } from '#server/db/orm.ts';
import { AuditEntry } from '#server/db/operations.ts';
import { User } from '#server/db/user.ts';
import type { AuditAction } from '#shared/vocabulary.ts';
import type { Viewer } from './viewer.ts';

/** Note who changed what; part of the caller's transaction, so that the note stands if and only if the change does. */
export function recordAudit(
  tx: Em,
  actor: Viewer,
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
