/** Detection of reverse proxies that TRUST_PROXY does not cover. */
import type { Request, RequestHandler } from 'express';
import type { App } from './context.ts';

/** Proxies add these; browsers never do. */
const HEADERS = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'cf-connecting-ip'];

/** True if the headers name a proxy. */
export const isForwarded = (request: Request): boolean => HEADERS.some((name) => request.headers[name] !== undefined);

/** True if the headers name a proxy but TRUST_PROXY is off: all visitors then share the proxy's address. */
export function isForwardingIgnored({ env }: App, request: Request): boolean {
  return !env.TRUST_PROXY && isForwarded(request);
}

/**
 * Warn in the log, once per process. Anybody can send such a header, so the admins' page only warns if the admin's own
 * request has one, which shows that there really is a proxy.
 */
export function warnOfForwarding(app: App): RequestHandler {
  let hasWarned = false;
  return (request, _response, next) => {
    if (!hasWarned && isForwardingIgnored(app, request)) {
      hasWarned = true;
      const headers = HEADERS.filter((name) => request.headers[name] !== undefined);
      app.log.warn(
        { headers },
        'requests are forwarded, but TRUST_PROXY is off: the limits on attempts count all visitors behind a reverse proxy as one',
      );
    }
    next();
  };
}
