/** Request checks before any route: request line, origin of writes (CSRF), content type; and the no-store header. */
import type { Request, RequestHandler } from 'express';
import { copy } from '#shared/copy.ts';
import { AppError } from '#server/platform/errors.ts';
import { readBearer, readHeaderList } from './request-context.ts';

const UNSAFE = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** Writes must come from our own origin: browsers add these headers themselves, and no other site can forge them. */
export function checkOrigin(publicUrl: string): RequestHandler {
  const ours = new URL(publicUrl).origin;
  return (request, _response, next) => {
    if (!UNSAFE.has(request.method) || readBearer(request) !== null) return next();
    const site = request.get('sec-fetch-site');
    const isOurs = site === undefined ? request.get('origin') === ours : site === 'same-origin';
    if (!isOurs) throw new AppError('CROSS_ORIGIN');
    next();
  };
}

/** Methods and request headers that a page of another site may use. */
const CORS_PREFLIGHT = {
  'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, DELETE',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, Idempotency-Key, If-None-Match',
  'Access-Control-Max-Age': '600',
};
const CORS_EXPOSED =
  'ETag, Link, Location, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, WWW-Authenticate, X-Request-Id';

/**
 * Lets pages of these sites call the API with an access token, and only so: credentials are never allowed, so that a
 * visitor's session is out of their reach. Others get no CORS headers, and browsers keep the answers from them.
 */
export function allowOrigins(origins: readonly string[]): RequestHandler {
  return (request, response, next) => {
    response.vary('Origin');
    const origin = request.get('origin');
    if (origin === undefined || !origins.includes(origin)) return next();
    const asked = readHeaderList((request.get('access-control-request-headers') ?? '').toLowerCase());
    const isPreflight = request.method === 'OPTIONS' && request.get('access-control-request-method') !== undefined;
    if (!(isPreflight ? asked.includes('authorization') : readBearer(request) !== null)) return next();
    response.set({ 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': CORS_EXPOSED });
    if (!isPreflight) return next();
    response.set(CORS_PREFLIGHT).status(204).end();
  };
}

function hasBody(request: Request): boolean {
  return request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
}

/** Only JSON: forms on other sites can send the other content types, and tRPC would accept some of them. */
export const checkContentType: RequestHandler = (request, _response, next) => {
  if (UNSAFE.has(request.method) && hasBody(request) && !request.is('application/json')) {
    throw new AppError('NOT_JSON', copy.jsonOnly);
  }
  next();
};

/** Refuses a missing Host, an unknown expectation and an undecodable path, before the routes can fail on them. */
export const checkRequestLine: RequestHandler = (request, _response, next) => {
  if (request.headers.host === undefined && request.httpVersion !== '1.0')
    throw new AppError('BAD_REQUEST', copy.invalidInput);
  const { expect } = request.headers;
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') throw new AppError('EXPECTATION_FAILED');
  if (!isDecodable(request.path)) throw new AppError('BAD_REQUEST', copy.invalidInput);
  next();
};

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** Keeps the answer out of all caches. */
export const noStore: RequestHandler = (_request, response, next) => {
  response.setHeader('Cache-Control', 'no-store');
  next();
};
