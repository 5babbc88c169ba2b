/** Email that people ask for: a link to choose a new password. */
import { passwordRequestLimits } from '#server/accounts/attempt-limits.ts';
import type { Env } from '#server/platform/env.ts';
import { AppError } from '#server/platform/errors.ts';
import { countAttempts } from '#server/platform/attempts.ts';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import { emit } from '#server/signals/emit.ts';
import type { Mailer } from './transport.ts';

/** The parts of the app that a request for email needs. */
export interface MailParts {
  env: Pick<Env, 'AUTH_ATTEMPTS_PER_MINUTE'>;
  mailer: Mailer | null;
}

/** 409 where no SMTP server is set up. */
export function requireMail({ mailer }: Pick<MailParts, 'mailer'>): Mailer {
  if (mailer === null) throw new AppError('MAIL_OFF');
  return mailer;
}

/**
 * Send a link to choose a new password to an address, if it belongs to an account. That is only looked up when the email is
 * composed: a known and an unknown address are the same statements here, and take the same time.
 */
export async function requestPasswordMail(
  em: Em,
  app: MailParts,
  { address, email }: { address: string; email: string },
): Promise<void> {
  requireMail(app);
  await countAttempts(em, passwordRequestLimits(app.env.AUTH_ATTEMPTS_PER_MINUTE, { address, email }));
  await transact(em, async (tx) => emit(tx, { type: 'password.link_requested', address: email }));
}
