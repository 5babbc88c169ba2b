/** Notices reverse proxies that nobody has told Marshal about. */
import type { Request, RequestHandler } from 'express';
import type { App } from './context.ts';

/** Proxies add these; browsers never do. */
const HEADERS = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'cf-connecting-ip'];

/** The request says that somebody else sent it first, and TRUST_PROXY is off: all visitors share the proxy's address. */
export function isForwardingIgnored({ env }: App, request: Request): boolean {
  return !env.TRUST_PROXY && HEADERS.some((name) => request.headers[name] !== undefined);
}

/**
 * Warn in the log, once in a process. Anybody can send such a header, so it takes an admin's own request for a warning on
 * the admins' page: that one shows that a proxy stands before the admin as well.
 */
export function warnOfForwarding(app: App): RequestHandler {
  let isSaid = false;
  return (request, _response, next) => {
    if (!isSaid && isForwardingIgnored(app, request)) {
      isSaid = true;
      const headers = HEADERS.filter((name) => request.headers[name] !== undefined);
      app.log.warn(
        { headers },
        'requests are forwarded, but TRUST_PROXY is off: behind a reverse proxy all visitors count as one for the limits on attempts',
      );
    }
    next();
  };
}
