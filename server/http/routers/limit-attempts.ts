/** Attempts with a password, which an account and an address have few of. */
import type { ProcedureContext } from '#server/http/context.ts';
import { countAttempt } from '#server/platform/attempts.ts';

export function limitAttempts({ em, app }: ProcedureContext, bucket: string): Promise<void> {
  return countAttempt(em, bucket, app.env.AUTH_ATTEMPTS_PER_MINUTE);
}
