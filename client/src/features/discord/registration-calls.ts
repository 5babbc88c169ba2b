import { createTRPCClient, httpBatchLink } from '@trpc/client';
import type { AppRouter } from '#server/routers/app.ts';
import { errorMessage, errorStatus } from '#client/lib/errors.ts';
import { screenCopy } from '#client/lib/screen-copy.ts';

/** As much of a stranger's answer as a person reads. */
const BODY_SHOWN = 300;

/** An answer that is not ours, such as a proxy's page. The specification's words: `API Error {status}: {body text}`. */
class ApiError extends Error {
  constructor(status: number, body: string) {
    super(`API Error ${status}: ${body.trim().slice(0, BODY_SHOWN)}`);
    this.name = 'ApiError';
  }
}

/** Every failure that our server words comes in tRPC's envelope, one for each call of the batch. */
function isOurs(body: string): boolean {
  try {
    const answers: unknown = JSON.parse(body);
    return Array.isArray(answers) || (typeof answers === 'object' && answers !== null && 'error' in answers);
  } catch {
    return false;
  }
}

async function fetchOrExplain(input: RequestInfo | URL | string, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, init);
  if (response.ok) return response;
  const body = await response.clone().text();
  if (isOurs(body)) return response;
  throw new ApiError(response.status, body);
}

/** The two public calls; a client of their own, since only they explain a foreign answer this way. */
export const { startRegistration, completeRegistration } = createTRPCClient<AppRouter>({
  links: [
    httpBatchLink({
      url: '/trpc',
      maxItems: 1,
      fetch: (input, init) => fetchOrExplain(input instanceof Request ? input : String(input), init as RequestInit),
    }),
  ],
}).discord;

/** The server's sentence; else what answered instead of it; else that nothing did. */
export function registrationError(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof ApiError ? cause.message : errorMessage(error, screenCopy.registrationFailed);
}

/** Whether asking again may help: no answer, a broken one, or one that puts the caller off. A refusal stays one. */
export function mayPass(error: unknown): boolean {
  const status = errorStatus(error);
  return status === undefined || status >= 500 || status === 429;
}
