import { errorMessage, errorStatus } from '#client/lib/errors.ts';
import { screenCopy } from '#client/lib/screen-text.ts';
import { trpcClient } from '#client/lib/trpc.ts';

/** The two public calls. */
export const { startRegistration, completeRegistration } = trpcClient.discord;

/** The server's sentence; else what answered instead of it; else that nothing did. */
export function registrationError(error: unknown): string {
  return errorMessage(error, screenCopy.registrationFailed);
}

/** Whether asking again may help: no answer, a broken one, or one that puts the caller off. A refusal stays one. */
export function mayPass(error: unknown): boolean {
  const status = errorStatus(error);
  return status === undefined || status >= 500 || status === 429;
}
