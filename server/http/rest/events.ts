/** The event stream of live updates (SSE), which is not a procedure because it never ends. */
import type { Request, RequestHandler, Response } from 'express';
import type { RequestContext } from '#server/http/context.ts';
import { AppError } from '#server/platform/errors.ts';
import type { Live } from '#server/http/live.ts';
import { hashToken } from '#server/platform/tokens.ts';
import { checkToken } from '#server/http/token-scope.ts';
import { requirePilot, rolesWithin } from '#server/platform/viewer.ts';

/**
 * Pilots only: 401 without a session, 403 for a suspended account.
 * @param contextOf creates the request's context; rejects when the database is unavailable
 */
export function createEventsRoute(
  live: Live,
  contextOf: (request: Request, response: Response) => Promise<RequestContext>,
): RequestHandler {
  return async (request, response) => {
    const { viewer, token, sessionToken } = await contextOf(request, response);
    const accessId = token?.id ?? (sessionToken === null ? null : hashToken(sessionToken));
    if (!viewer || accessId === null) throw new AppError('NOT_AUTHENTICATED');
    requirePilot(viewer);
    checkToken(token, { policy: 'pilot' }, 'query');
    if (request.method === 'HEAD') response.type('text/event-stream').end();
    else
      live.open(
        { userId: viewer.id, accessId, roles: token ? rolesWithin(viewer.roles, token.scopes) : viewer.roles },
        response,
      );
  };
}
