/**
 * Erasing an account: everything personal is deleted or replaced, and the row stays as the former pilot of its missions, so
 * that seats, orders and the fairness ledger keep their sums.
 */
import { LockMode } from '@mikro-orm/core';
import { tryEach } from '#server/platform/each.ts';
import { db, json } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { declaredColumns, isOwn, isPlaceholder, type Erased } from '#server/schema/personal.ts';
import { transact } from '#server/schema/transaction.ts';
import { User } from '#server/schema/user.ts';
import { emit } from '#server/signals/emit.ts';
import { type AuditAction, SECOND_FACTOR_ACTIONS, SIGN_IN_ACTIONS } from '#shared/vocabulary.ts';
import { deleteOwnedRows, findIdentity, readPerson } from './account-rows.ts';
import { placeholderEmail } from './email.ts';
import { redactStored } from './redact-stored.ts';

/** Audit entries of these kinds concern only the account itself: browsers, addresses, names of tokens. */
const PRIVATE_ACTIONS: readonly AuditAction[] = [
  ...SIGN_IN_ACTIONS,
  ...SECOND_FACTOR_ACTIONS,
  'token_created',
  'token_revoked',
];

/** Accounts erased in one run of the maintenance job. */
const ERASED_MAX = 20;

/** Delete and redact what is stored about a person, except the account's own row. Part of the caller's transaction. */
export async function eraseTraces(tx: Em, userId: string): Promise<void> {
  const identity = await findIdentity(tx, userId);
  if (identity === null) return;
  const person = await readPerson(tx, identity);
  await deleteOwnedRows(tx, identity);
  await db(tx)
    .deleteFrom('audit_entry')
    .where('subject_type', '=', 'user')
    .where('subject_id', '=', userId)
    .where('action', 'in', PRIVATE_ACTIONS)
    .execute();
  // the events of their comments have what they wrote
  await db(tx)
    .deleteFrom('webhook_event')
    .where('type', '=', 'mission.comment')
    .where('data', '@>', json({ comment: { userId } }))
    .execute();
  await redactStored(tx, person);
}

/** What the columns of an erased account hold. */
function erasedValues(tx: Em, userId: string): Record<string, Erased> {
  const table = tx.getMetadata().get(User).tableName;
  const columns = declaredColumns(tx).filter((column) => column.table === table);
  return Object.fromEntries(
    columns
      .filter(isOwn)
      .map(({ property, personal: { erased = null } }) => [
        property,
        isPlaceholder(erased) ? placeholderEmail(userId) : erased,
      ]),
  );
}

/** Erase one account. One that was kept or erased in the meantime stays as it is. */
async function eraseAccount(em: Em, userId: string, now: Date): Promise<void> {
  await transact(em, async (tx) => {
    const user = await tx.findOne(User, { id: userId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!user?.deletionDueAt || user.deletionDueAt > now || user.erasedAt) return;
    await eraseTraces(tx, userId);
    Object.assign(user, erasedValues(tx, userId), { erasedAt: now });
    emit(tx, { type: 'account.erased', userId });
  });
}

/**
 * Erase the accounts whose two weeks are over, as many as fit into one run. Safe to run at any time and on any replica.
 * @throws AggregateError after the others, for accounts that could not be erased
 */
export async function eraseDueAccounts(em: Em, now: Date): Promise<void> {
  const due = await em.find(
    User,
    { deletionDueAt: { $lte: now }, erasedAt: null },
    { fields: ['id'], orderBy: { deletionDueAt: 'asc' } },
  );
  let erased = 0;
  const erase = async ({ id }: { id: string }) => {
    // not a limit of the list: accounts that cannot be erased would keep the later ones out of it
    if (erased >= ERASED_MAX) return;
    await eraseAccount(em, id, now);
    erased += 1;
  };
  await tryEach(due, erase, 'Some accounts could not be erased');
}
