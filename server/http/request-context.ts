/** Creates the request context: the viewer by session cookie or personal access token, the address, and cookie setters. */
import type { Request, Response } from 'express';
import type { App, RequestContext } from './context.ts';
import { isForwardingIgnored } from './forwarding.ts';
import { findByToken } from '#server/accounts/access-tokens.ts';
import { noteSeen } from '#server/accounts/last-seen.ts';
import { AppError, rateLimitHeaders } from '#server/platform/errors.ts';
import { readCookie } from '#server/http/rest/cookies.ts';

const USER_AGENT_LENGTH = 300;

/** The bearer token of the Authorization header; a caller with one is a script, and its cookies are ignored. */
export function readBearer(request: Request): string | null {
  return /^Bearer +(\S+)$/i.exec(request.get('authorization') ?? '')?.[1] ?? null;
}

/** The items of a header with a comma-separated list. A pattern for commas with spaces around takes quadratic time on spaces. */
export const readHeaderList = (header: string): string[] => header.split(',').map((item) => item.trim());

const readTags = (request: Request): string[] => readHeaderList(request.get('if-none-match') ?? '');

/** The context of a call without an account, such as the bot's. */
export const createVisitor =
  (app: App) =>
  (request: Request): RequestContext => ({
    app,
    now: new Date(),
    viewer: null,
    token: null,
    sessionToken: null,
    address: request.ip ?? '',
    userAgent: null,
    deviceCookie: null,
    pendingCookie: null,
    rememberedCookie: null,
    isForwardingIgnored: isForwardingIgnored(app, request),
    idempotencyKey: null,
    setCookie: () => undefined,
    knownTags: null,
    setTag: () => undefined,
    setLimitUse: () => undefined,
    clearBrowserCache: () => undefined,
  });

const READS = new Set(['GET', 'HEAD']);

/**
 * Identifies the caller, once per request, even for a batch of calls. Rejects an invalid access token, because a script should
 * learn of it from every call.
 * @param mayRecall reads may use what was found out about the caller a moment ago; writes never do
 */
export function createContextReader(app: App, { mayRecall: maySometimes }: { mayRecall: boolean }) {
  return async (request: Request, response: Response): Promise<RequestContext> => {
    const mayRecall = maySometimes && READS.has(request.method);
    const bearer = readBearer(request);
    const cookies = bearer === null ? request.headers.cookie : undefined;
    const sessionToken = readCookie(cookies, app.sessions.cookieName);
    const session = await app.sessions.validate(sessionToken, { mayRecall });
    const script =
      bearer === null ? null : await findByToken(app.orm.em, bearer, { cache: app.accessCache, mayRecall });
    if (bearer !== null && !script) throw new AppError('TOKEN_INVALID');
    const viewer = script?.viewer ?? session?.viewer ?? null;
    if (viewer !== null) await noteSeen(app.orm.em, viewer.id, new Date());
    const setCookie = (cookie: string) => {
      const start = cookie.slice(0, cookie.indexOf('=') + 1);
      const others = [response.getHeader('Set-Cookie') ?? []].flat().map(String);
      response.setHeader('Set-Cookie', [...others.filter((other) => !other.startsWith(start)), cookie]);
    };
    if (session?.renewedCookie) setCookie(session.renewedCookie);
    return {
      app,
      now: new Date(),
      viewer,
      token: script?.token ?? null,
      sessionToken: session ? sessionToken : null,
      address: request.ip ?? '',
      userAgent: request.get('user-agent')?.slice(0, USER_AGENT_LENGTH) ?? null,
      deviceCookie: readCookie(cookies, app.knownDevice.cookieName),
      pendingCookie: readCookie(cookies, app.secondFactorCookies.pending.name),
      rememberedCookie: readCookie(cookies, app.secondFactorCookies.remembered.name),
      isForwardingIgnored: isForwardingIgnored(app, request),
      idempotencyKey: request.get('idempotency-key') ?? null,
      setCookie,
      knownTags: request.baseUrl === '/api/v1' ? readTags(request) : null,
      // the adapter sends it with the answer
      setTag: (tag) => void (response.locals.tag = tag),
      setLimitUse: (use) => void response.set(rateLimitHeaders(use)),
      // not the storage, which holds the app's files and the colour scheme but no personal data
      clearBrowserCache: () => void response.setHeader('Clear-Site-Data', '"cache"'),
    };
  };
}
