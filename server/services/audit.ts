import type { Em } from '#server/db/orm.ts';
import { AuditEntry } from '#server/db/operations.ts';
import { User } from '#server/db/user.ts';
import type { Viewer } from './viewer.ts';

/** Note who changed what; part of the caller's transaction, so that the note stands if and only if the change does. */
export function recordAudit(
  tx: Em,
  actor: Viewer,
  action: string,
  subject: { type: string; id: string },
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
