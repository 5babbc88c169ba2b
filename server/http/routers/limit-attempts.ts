/** Limits attempts to register, to use a link or to enter a password, per account or per address. */
import type { ProcedureContext } from '#server/http/context.ts';
import { countAttempt } from '#server/platform/attempts.ts';

export function limitAttempts({ em, app }: ProcedureContext, bucket: string): Promise<void> {
  return countAttempt(em, bucket, app.env.AUTH_ATTEMPTS_PER_MINUTE);
}
