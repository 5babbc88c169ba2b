/** The second factor of an account as its owner sees it, and new recovery codes. */
import { db, ms } from '#server/schema/database.ts';
import { Passkey } from '#server/schema/second-factor.ts';
import { transact } from '#server/schema/transaction.ts';
import { holdSession } from '#server/accounts/sessions.ts';
import { findUser } from '#server/accounts/users.ts';
import { AppError } from '#server/platform/errors.ts';
import { isAdmin } from '#server/platform/viewer.ts';
import type { SecondFactorDto } from '#shared/schemas/second-factor.ts';
import type { SecondFactorCookies } from './cookies.ts';
import { proveOwner, type OwnerRequest } from './owner-proof.ts';
import { canUsePasskeys } from './passkeys.ts';
import { countRecoveryCodes, makeRecoveryCodes } from './recovery-codes.ts';
import { listDevices } from './remembered-devices.ts';
import { findFactors } from './state.ts';

type Request = OwnerRequest & { app: { secondFactorCookies: SecondFactorCookies }; rememberedCookie: string | null };

export async function readSecondFactor(request: Request): Promise<SecondFactorDto> {
  const { em, app, viewer, now, rememberedCookie } = request;
  const { passwordHash } = await findUser(em, viewer.id);
  const authenticator = await db(em)
    .selectFrom('authenticator')
    .select(({ ref }) => ms(ref('confirmed_at')).as('sinceMs'))
    .where('user_id', '=', viewer.id)
    .executeTakeFirst();
  const sinceMs = authenticator?.sinceMs ?? null;
  const passkeys = await em.find(Passkey, { user: viewer.id }, { orderBy: { createdAt: 'asc', id: 'asc' } });
  return {
    isOn: sinceMs !== null || passkeys.length > 0,
    isRequired: app.env.REQUIRE_ADMIN_2FA && isAdmin(viewer),
    hasPassword: (passwordHash ?? null) !== null,
    authenticatorSince: sinceMs === null ? null : new Date(sinceMs).toISOString(),
    canUsePasskeys: canUsePasskeys(app.env),
    passkeys: passkeys.map(({ id, name, isBackedUp, createdAt, lastUsedAt }) => ({
      id,
      name,
      isSynced: isBackedUp,
      createdAt: createdAt.toISOString(),
      lastUsedAt: lastUsedAt?.toISOString() ?? null,
    })),
    recoveryCodesLeft: await countRecoveryCodes(em, viewer.id),
    devices: await listDevices(em, viewer.id, app.secondFactorCookies.remembered.read(rememberedCookie), now),
  };
}

/** New codes in place of all old ones. @throws AppError as `proveOwner`; 409 for an account without a second factor */
export async function renewRecoveryCodes(
  request: OwnerRequest,
  currentPassword: string | undefined,
): Promise<string[]> {
  const { em, viewer, sessionToken, now } = request;
  await proveOwner(request, 'recovery-codes', currentPassword);
  return transact(em, async (tx) => {
    await holdSession(tx, viewer.id, sessionToken ?? '');
    if ((await findFactors(tx, viewer.id)).length === 0) {
      throw new AppError('SECOND_FACTOR_MISSING');
    }
    return makeRecoveryCodes(tx, viewer, now);
  });
}
