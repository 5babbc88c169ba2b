import { errorMessage, errorStatus } from '#client/lib/errors.ts';
import { screenCopy } from '#client/lib/screen-text.ts';
import { trpcClient } from '#client/lib/trpc.ts';

/** Public calls of the Discord registration, and their errors. */
export const { startRegistration, registrationLink, completeRegistration } = trpcClient.discord;

/** The sentence for a failed call. */
export function registrationError(error: unknown): string {
  return errorMessage(error, screenCopy.registrationFailed);
}

/** True when a retry may help: no answer, a server error, or a rate limit. */
export function mayPass(error: unknown): boolean {
  const status = errorStatus(error);
  return status === undefined || status >= 500 || status === 429;
}
