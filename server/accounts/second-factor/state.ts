/** The second factors of an account, and the recovery codes, devices and waiting sign-ins that end with the last one. */
import { db } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { Passkey } from '#server/schema/second-factor.ts';
import { transact } from '#server/schema/transaction.ts';
import { User } from '#server/schema/user.ts';
import { lockUser, requireAllStaying } from '#server/accounts/users.ts';
import { AppError } from '#server/platform/errors.ts';
import type { Viewer } from '#server/platform/viewer.ts';
import { emit } from '#server/signals/emit.ts';
import type { Actor } from '#server/signals/rules/effects.ts';
import { copy } from '#shared/copy.ts';
import type { SecondFactor } from '#shared/vocabulary.ts';
import { endPendingSignInsOf } from './pending-sign-ins.ts';
import { countRecoveryCodes, makeRecoveryCodes } from './recovery-codes.ts';
import { forgetDevicesOf } from './remembered-devices.ts';

/** The second factors that an account can use now. */
export async function findFactors(em: Em, userId: string): Promise<SecondFactor[]> {
  const authenticator = await db(em)
    .selectFrom('authenticator')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst();
  const passkey = await db(em).selectFrom('passkey').select('id').where('user_id', '=', userId).executeTakeFirst();
  if (!authenticator && !passkey) return [];
  return [
    ...(authenticator ? (['authenticator'] as const) : []),
    ...(passkey ? (['passkey'] as const) : []),
    ...((await countRecoveryCodes(em, userId)) > 0 ? (['recovery_code'] as const) : []),
  ];
}

const setSince = (tx: Em, userId: string, since: Date | null) =>
  tx.nativeUpdate(User, { id: userId }, { secondFactorAt: since });

/** Recovery codes, remembered devices and waiting sign-ins are of no use without a factor. */
async function dropRest(tx: Em, userId: string): Promise<void> {
  await setSince(tx, userId, null);
  await db(tx).deleteFrom('recovery_code').where('user_id', '=', userId).execute();
  await forgetDevicesOf(tx, userId);
  await endPendingSignInsOf(tx, userId);
}

/**
 * After an app or a passkey was added, in the same transaction, which has locked the user: the first one turns the second
 * factor on.
 * @returns new recovery codes, if the account had none
 */
export async function settleAdded(tx: Em, viewer: Viewer, now: Date): Promise<string[] | null> {
  const off = await db(tx)
    .selectFrom('app_user')
    .select('id')
    .where('id', '=', viewer.id)
    .where('second_factor_at', 'is', null)
    .executeTakeFirst();
  if (off) {
    await setSince(tx, viewer.id, now);
    emit(tx, { type: 'second_factor.on', userId: viewer.id });
  }
  return (await countRecoveryCodes(tx, viewer.id)) === 0 ? makeRecoveryCodes(tx, viewer, now) : null;
}

/** After an app or a passkey was removed, in the same transaction: without another one the second factor is off. */
export async function settleRemoved(tx: Em, viewer: Viewer): Promise<void> {
  if ((await findFactors(tx, viewer.id)).length > 0) return;
  await dropRest(tx, viewer.id);
  emit(tx, { type: 'second_factor.off', userId: viewer.id });
}

/**
 * Take the second factor from somebody who has lost it. Its owner gets an email, where the server sends email.
 * @returns nothing; 409 for an account without one, 404 for an unknown account
 */
export async function resetSecondFactor(em: Em, actor: Actor, userId: string): Promise<void> {
  await transact(em, async (tx) => {
    await lockUser(tx, userId);
    if ((await findFactors(tx, userId)).length === 0) {
      throw new AppError('SECOND_FACTOR_MISSING');
    }
    await db(tx).deleteFrom('authenticator').where('user_id', '=', userId).execute();
    await tx.nativeDelete(Passkey, { user: userId });
    await dropRest(tx, userId);
    emit(tx, { type: 'second_factor.reset', by: actor, userId });
  });
}

/**
 * Refuses the admin's own account, whose second factor is changed with the password, and accounts that are being deleted: the
 * operator can still let an owner in who has lost it.
 */
export async function resetSecondFactorOf(em: Em, viewer: Viewer, userId: string): Promise<void> {
  if (userId === viewer.id) throw new AppError('OWN_ACCOUNT', copy.secondFactorOwn);
  await transact(em, async (tx) => {
    await requireAllStaying(tx, [userId]);
    await resetSecondFactor(tx, viewer, userId);
  });
}
