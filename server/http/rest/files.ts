/** Calls under /api/v1 that answer with files: kneeboard cards, calendars, a pilot's own data. Refusals are JSON, as everywhere. */
import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { App, RequestContext } from '#server/http/context.ts';
import { AppError } from '#server/platform/errors.ts';
import { exportFeed, exportOrder } from '#server/missions/briefing/calendar.ts';
import { readOwnData } from '#server/accounts/own-data.ts';
import { refuseToken } from '#server/accounts/fresh-session.ts';
import { createKneeboardRenderer } from '#server/missions/briefing/kneeboard-thread.ts';
import { loadKneeboard } from '#server/missions/briefing/kneeboard.ts';
import { requirePilot, type Viewer } from '#server/platform/viewer.ts';
import { copy } from '#shared/copy.ts';
import { kneeboardInput } from '#shared/schemas/calendar.ts';
import { orderInput } from '#shared/schemas/pilot.ts';
import { checkToken } from '#server/http/token-scope.ts';
import { sendError } from './adapter.ts';

export type FileHandler = (request: Request, response: Response) => Promise<void>;

/** The same guard as `pilotProcedure`, with the same sentences. */
function pilotOf(context: RequestContext): Viewer {
  const viewer = viewerOf(context);
  requirePilot(viewer);
  checkToken(context.token, { policy: 'pilot' }, 'query');
  return viewer;
}

/** The same guard as `signedInProcedure`. */
function viewerOf({ viewer }: RequestContext): Viewer {
  if (!viewer) throw new AppError('NOT_AUTHENTICATED');
  return viewer;
}

/** The input as its schema parses it; 400 with the sentence of the first issue. */
export function parseInput<T>(
  schema: { safeParse(input: unknown): { success: true; data: T } | { success: false; error: { issues: Issue[] } } },
  input: unknown,
): T {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new AppError('VALIDATION', issue?.message ?? copy.invalidInput, { field: issue?.path.join('.') ?? '' });
}
type Issue = { message: string; path: PropertyKey[] };

/** Send a file that only the client may cache and has to revalidate: Express answers 304 for a known ETag. */
export function sendFile(response: Response, type: string, disposition: string, content: Buffer | string): void {
  response.set({
    'Cache-Control': 'private, no-cache',
    'Content-Type': type,
    'Content-Disposition': disposition,
  });
  response.send(content);
}

const CALENDAR = 'text/calendar; charset=utf-8';

export type ContextOf = (request: Request, response: Response) => Promise<RequestContext>;
export type OnError = (error: unknown, request: Request) => void;

/** A handler whose refusals are sent as JSON. */
export function answerWith(handler: FileHandler, onError: OnError): RequestHandler {
  return (request, response) => {
    handler(request, response).catch((error: unknown) => {
      onError(error, request);
      sendError(response, error, String(response.getHeader('X-Request-Id')));
    });
  };
}

/**
 * @param contextOf creates the request's context; rejects when the database is unavailable
 * @param onError is called with every error before the answer is sent
 */
export function createFilesRouter(app: App, contextOf: ContextOf, onError: OnError): Router {
  const files = Router();
  const renderer = createKneeboardRenderer();
  const { PUBLIC_URL } = app.env;
  const serve = (path: string, handler: FileHandler) => files.get(path, answerWith(handler, onError));

  serve('/pilot/inbox/:id/kneeboard.png', async (request, response) => {
    const context = await contextOf(request, response);
    const viewer = pilotOf(context);
    const { id, scheme } = parseInput(kneeboardInput, { ...request.query, ...request.params });
    const card = await loadKneeboard(app.orm.em.fork(), viewer, id, PUBLIC_URL, context.now);
    const png = await renderer.render(card, scheme);
    sendFile(response, 'image/png', `inline; filename="${card.label}-kneeboard-${scheme}.png"`, png);
  });

  serve('/pilot/inbox/:id/calendar.ics', async (request, response) => {
    const context = await contextOf(request, response);
    const viewer = pilotOf(context);
    const { id } = parseInput(orderInput, request.params);
    const { label, text } = await exportOrder(app.orm.em.fork(), viewer, id, PUBLIC_URL, context.now);
    sendFile(response, CALENDAR, `attachment; filename="${label}.ics"`, text);
  });

  serve('/auth/data.json', async (request, response) => {
    const context = await contextOf(request, response);
    const viewer = viewerOf(context);
    refuseToken(context.token);
    const data = await readOwnData(app.orm.em.fork(), viewer.id);
    sendFile(response, 'application/json', 'attachment; filename="marshal-data.json"', JSON.stringify(data, null, 2));
  });

  // The token is the only credential: calendars send no cookies.
  serve('/calendar/:token.ics', async (request, response) => {
    const text = await exportFeed(app.orm.em.fork(), String(request.params.token), PUBLIC_URL, new Date());
    sendFile(response, CALENDAR, 'inline; filename="marshal.ics"', text);
  });

  return files;
}
