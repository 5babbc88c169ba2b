/** Remembered devices: browsers that need no second factor for an account for 30 days. Revoking one takes effect at once. */
import { newId } from '#server/schema/base.ts';
import { db, isOneOf, ms } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import { describeDevice } from '#server/accounts/rules/device.ts';
import { lockUser } from '#server/accounts/users.ts';
import { AppError } from '#server/platform/errors.ts';
import { hashToken, randomToken } from '#server/platform/tokens.ts';
import { emit } from '#server/signals/emit.ts';
import { DAY_MS } from '#server/time/time.ts';
import { OWNED_MAX, REMEMBERED_DEVICE } from '#shared/limits.ts';
import type { RememberedDeviceDto } from '#shared/schemas/second-factor.ts';

/** @param held the tokens in the browser's cookie */
export async function isRemembered(tx: Em, userId: string, held: readonly string[], now: Date): Promise<boolean> {
  if (held.length === 0) return false;
  const found = await db(tx)
    .selectFrom('remembered_device')
    .select('id')
    .where('user_id', '=', userId)
    .where(isOneOf('token_hash', held.map(hashToken)))
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return found !== undefined;
}

/**
 * Remember the browser for an account, in the transaction of its sign-in, which has locked the user. Beyond the limit the
 * oldest devices are forgotten.
 * @param held the tokens in the browser's cookie, of this account or others
 * @returns the tokens for the new cookie
 */
export async function rememberDevice(
  tx: Em,
  { userId, userAgent, held }: { userId: string; userAgent: string | null; held: readonly string[] },
  now: Date,
): Promise<string[]> {
  const replaced = await db(tx)
    .deleteFrom('remembered_device')
    .where('user_id', '=', userId)
    .where(isOneOf('token_hash', held.map(hashToken)))
    .returning('token_hash as hash')
    .execute();
  const token = randomToken();
  await db(tx)
    .insertInto('remembered_device')
    .values({
      id: newId(),
      user_id: userId,
      token_hash: hashToken(token),
      user_agent: userAgent,
      created_at: now,
      expires_at: new Date(now.getTime() + REMEMBERED_DEVICE.days * DAY_MS),
    })
    .execute();
  await db(tx)
    .deleteFrom('remembered_device')
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('remembered_device as own')
        .select('own.id')
        .where('own.user_id', '=', userId)
        .orderBy('own.created_at', 'desc')
        .orderBy('own.id', 'desc')
        .offset(OWNED_MAX.rememberedDevices),
    )
    .execute();
  emit(tx, { type: 'device.remembered', userId, device: describeDevice(userAgent) });
  const gone = new Set(replaced.map(({ hash }) => hash));
  return [token, ...held.filter((one) => !gone.has(hashToken(one)))];
}

/** @param held the tokens in the browser's cookie, to tell which device is this one */
export async function listDevices(
  em: Em,
  userId: string,
  held: readonly string[],
  now: Date,
): Promise<RememberedDeviceDto[]> {
  const rows = await db(em)
    .selectFrom('remembered_device')
    .select(({ ref }) => [
      'id',
      'token_hash as hash',
      'user_agent as userAgent',
      ms(ref('created_at')).as('createdMs'),
      ms(ref('expires_at')).as('expiresMs'),
    ])
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
  const own = new Set(held.map(hashToken));
  return rows.map(({ id, hash, userAgent, createdMs, expiresMs }) => ({
    id,
    device: describeDevice(userAgent),
    isCurrent: own.has(hash),
    createdAt: new Date(createdMs).toISOString(),
    expiresAt: new Date(expiresMs).toISOString(),
  }));
}

/** 404 for a device that the user does not have. */
export async function forgetDevice(em: Em, userId: string, deviceId: string): Promise<void> {
  await transact(em, async (tx) => {
    await lockUser(tx, userId);
    const forgotten = await db(tx)
      .deleteFrom('remembered_device')
      .where('id', '=', deviceId)
      .where('user_id', '=', userId)
      .returning('user_agent as userAgent')
      .executeTakeFirst();
    if (!forgotten) throw new AppError('DEVICE_NOT_FOUND');
    emit(tx, { type: 'device.forgotten', userId, device: describeDevice(forgotten.userAgent) });
  });
}

/** Forget all devices of a user, in the caller's transaction, which has locked the user. */
export async function forgetDevicesOf(tx: Em, userId: string): Promise<void> {
  await db(tx).deleteFrom('remembered_device').where('user_id', '=', userId).execute();
}
