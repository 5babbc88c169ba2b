/** The audit log: entries are written for events (`server/signals/rules/`), which say what each has. */
import { ago, db, json } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { SIGN_IN_ATTEMPTS, SIGN_IN_AUDIT_DAYS } from '#shared/limits.ts';
import { SIGN_IN_ACTIONS, type AuditAction } from '#shared/vocabulary.ts';
import type { AuditRecord, Stamp } from './rules/effects.ts';

type Entry = AuditRecord & Stamp;

const valuesOf = ({ id, by, action, subject, detail = {}, occurredAt }: Entry) => ({
  id,
  actor_id: by !== null && 'id' in by ? by.id : null,
  action,
  subject_type: subject.type,
  subject_id: subject.id,
  detail: json(by !== null && 'by' in by ? { ...detail, ...by } : detail),
  occurred_at: occurredAt,
});

/** Record an entry, unless there is one of the same kind within a quarter of an hour. */
async function recordAtIntervals(tx: Em, entry: Entry, same: Record<string, unknown>): Promise<void> {
  const { subject } = entry;
  const { id, action, detail, occurred_at } = valuesOf(entry);
  await db(tx)
    .insertInto('audit_entry')
    .columns(['id', 'action', 'subject_type', 'subject_id', 'detail', 'occurred_at'])
    .expression(
      db(tx)
        .selectNoFrom(({ cast, val }) => [
          cast<string>(val(id), 'uuid').as('id'),
          cast<string>(val(action), 'text').as('action'),
          cast<string>(val(subject.type), 'text').as('subjectType'),
          cast<string>(val(subject.id), 'text').as('subjectId'),
          detail.as('detail'),
          cast<Date>(val(occurred_at), 'timestamptz').as('occurredAt'),
        ])
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('audit_entry')
                .where('subject_type', '=', subject.type)
                .where('subject_id', '=', subject.id)
                .where('action', '=', action)
                .where('detail', '@>', json(same))
                .where('occurred_at', '>', ago(`${SIGN_IN_ATTEMPTS.accountMinutes} minutes`)),
            ),
          ),
        ),
    )
    .execute();
}

/** Write entries, in the transaction of their events. */
export async function recordAudit(tx: Em, entries: readonly Entry[]): Promise<void> {
  const plain = entries.filter(({ unlessSame }) => unlessSame === undefined);
  if (plain.length > 0) await db(tx).insertInto('audit_entry').values(plain.map(valuesOf)).execute();
  for (const entry of entries) if (entry.unlessSame) await recordAtIntervals(tx, entry, entry.unlessSame);
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
