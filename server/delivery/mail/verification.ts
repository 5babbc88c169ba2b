/** Verification of an account's address: the link that is sent there, and what it changes. Nothing else depends on it. */
import { mailLimits } from '#server/accounts/attempt-limits.ts';
import { shownEmail } from '#server/accounts/email.ts';
import { findUser } from '#server/accounts/users.ts';
import { AppError } from '#server/platform/errors.ts';
import { countAttempts } from '#server/platform/attempts.ts';
import type { Viewer } from '#server/platform/viewer.ts';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import { emit } from '#server/signals/emit.ts';
import { copy } from '#shared/copy.ts';
import type { MailAccountDto } from '#shared/schemas/mail.ts';
import { addressHash, type MailLinks } from './mail-links.ts';
import { requireMail, type MailParts } from './requests.ts';

export async function readMailAccount(
  em: Em,
  { mailer }: Pick<MailParts, 'mailer'>,
  viewer: Viewer,
): Promise<MailAccountDto> {
  const { email, emailVerifiedAt } = await findUser(em, viewer.id);
  return {
    isOffered: mailer !== null && shownEmail(email) !== '',
    verifiedAt: emailVerifiedAt?.toISOString() ?? null,
  };
}

/** Send the link again. 409 without an address. */
export async function sendVerification(em: Em, app: MailParts, viewer: Viewer): Promise<void> {
  requireMail(app);
  if (shownEmail(viewer.email) === '') throw new AppError('EMAIL_REQUIRED', copy.emailMissing);
  await countAttempts(em, mailLimits(app.env.AUTH_ATTEMPTS_PER_MINUTE, 'verification', viewer.id));
  await transact(em, async (tx) => emit(tx, { type: 'verification.requested', userId: viewer.id }));
}

/** Note that the holder of a link reads the address. 400 for a link that expired, or of another address than the present one. */
export async function verifyAddress(em: Em, links: MailLinks, token: string, now: Date): Promise<void> {
  const link = links.openVerify(token);
  const invalid = new AppError('LINK_INVALID', copy.verificationInvalid);
  if (link === null || link.expiresMs <= now.getTime()) throw invalid;
  await transact(em, async (tx) => {
    const user = await findUser(tx, link.userId).catch(() => null);
    if (user === null || (user.erasedAt ?? null) !== null || addressHash(user.email) !== link.addressHash)
      throw invalid;
    const isFirst = (user.emailVerifiedAt ?? null) === null;
    user.emailVerifiedAt ??= now;
    emit(tx, { type: 'address.verified', userId: user.id, isFirst });
  });
}
