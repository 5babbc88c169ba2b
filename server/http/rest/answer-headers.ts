/** Headers of REST answers that follow from the table: Location of what was created, Link between pages, Allow. */
import type { Request, RequestHandler, Response } from 'express';
import { AppError } from '#server/platform/errors.ts';
import { LIVE_PATH } from '#shared/live.ts';
import { REST_TABLE } from './read-operations.ts';

const ROOT = '/api/v1';

/** Where a created object can be read, for the calls whose object has an address. Names in braces are fields of the answer. */
const LOCATIONS: Partial<Record<string, string>> = {
  'auth.register': '/users/{id}',
  'pilot.seats.take': '/pilot/inbox/{id}',
  'admin.createMission': '/admin/missions/{mission.id}',
};

/** Calls that answer with a page of a longer list: `total`, `page` and `pageSize` beside it. */
const PAGED = new Set(['admin.users', 'admin.audit', 'admin.webhooks.deliveries']);

function readField(answer: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => Reflect.get(Object(value), name), answer);
}

/** The addresses of the first, previous, next and last page, with the other parameters of the request. */
function pageLinks(request: Request, answer: unknown): string | null {
  const [total, page, pageSize] = ['total', 'page', 'pageSize'].map((name) => readField(answer, name));
  if (typeof total !== 'number' || typeof page !== 'number' || typeof pageSize !== 'number') return null;
  const last = Math.max(1, Math.ceil(total / pageSize));
  const address = new URL(request.originalUrl, 'http://localhost');
  const links = Object.entries({
    first: 1,
    ...(page > 1 ? { prev: Math.min(page - 1, last) } : {}),
    ...(page < last ? { next: page + 1 } : {}),
    last,
  });
  return links
    .map(([relation, number]) => {
      address.searchParams.set('page', String(number));
      return `<${address.pathname}${address.search}>; rel="${relation}"`;
    })
    .join(', ');
}

/** Set what the answer of this procedure is announced with. */
export function setAnswerHeaders(request: Request, response: Response, procedure: string, answer: unknown): void {
  const location = LOCATIONS[procedure];
  if (location !== undefined) {
    response.location(
      ROOT + location.replace(/\{([\w.]+)\}/g, (_match, path: string) => String(readField(answer, path))),
    );
  }
  const links = PAGED.has(procedure) ? pageLinks(request, answer) : null;
  if (links !== null) response.set('Link', links);
}

/** Addresses below the root that are not in the table and take a file. */
const UPLOADS = ['/admin/mission-files', '/admin/missions/:id/recordings'];

/** Others that are not in the table; all of them are read. */
const OTHERS = [
  '/admin/missions/:id/mission.miz',
  '/admin/missions/:id/line-up.csv',
  '/admin/missions/:id/line-up.txt',
  '/openapi.json',
  '/docs',
  LIVE_PATH.replace(ROOT, ''),
  '/pilot/inbox/:id/kneeboard.png',
  '/pilot/inbox/:id/calendar.ics',
  '/calendar/:token',
  '/auth/discord',
  '/auth/discord/callback',
];

const PATTERNS = [
  ...REST_TABLE,
  ...UPLOADS.map((path) => ['post', path] as const),
  ...OTHERS.map((path) => ['get', path] as const),
].map(([method, path]) => ({
  method: method.toUpperCase(),
  pattern: new RegExp(`^${path.replaceAll('.', String.raw`\.`).replace(/:\w+/g, '[^/]+')}/?$`, 'i'),
}));

/** In the order in which `Allow` names them. A read also answers HEAD. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'];

/** Refuses a method that a known address does not take, and answers OPTIONS; unknown addresses pass. Comes after all routes. */
export const refuseMethod: RequestHandler = (request, response, next) => {
  const known = PATTERNS.filter(({ pattern }) => pattern.test(request.path)).map(({ method }) => method);
  const methods = new Set(METHODS.filter((method) => known.includes(method === 'HEAD' ? 'GET' : method)));
  // a known address whose route let the request pass is switched off
  if (known.length === 0 || methods.has(request.method)) return next();
  response.set('Allow', [...methods, 'OPTIONS'].join(', '));
  if (request.method !== 'OPTIONS') throw new AppError('METHOD_NOT_ALLOWED');
  response.status(204).end();
};
