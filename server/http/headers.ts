/** Security headers of every answer: Content-Security-Policy with nonce and helmet's others, and the request id. */
import { randomBytes, randomUUID } from 'node:crypto';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { RequestHandler, Response } from 'express';
import helmet from 'helmet';

/** The nonce in the response's Content-Security-Policy. */
export const nonceOf = (response: Response): string => String(response.locals.nonce);

/** The request's id, which is in the answer and in the log. */
export const requestIdOf = (response: Response): string => String(response.getHeader('X-Request-Id'));

/** Give the request this id from here on. */
export const setRequestId = (response: Response, id: string): void => void response.setHeader('X-Request-Id', id);

/** Takes the place of the nonce in the policy until there is a response. */
const ANY_NONCE = 'ANY_NONCE';

/** The headers that helmet sets, which differ between responses in the nonce only. */
function listHeaders(isHttps: boolean): (readonly [name: string, value: string])[] {
  const headers: (readonly [name: string, value: string])[] = [];
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  response.setHeader = (name, value) => {
    headers.push([name, String(value)]);
    return response;
  };
  const setAll = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", `'nonce-${ANY_NONCE}'`],
        // Mantine positions and sizes through style attributes, which no nonce can cover
        styleSrcAttr: ["'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'https://cdn.discordapp.com'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        manifestSrc: ["'self'"],
        workerSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        objectSrc: ["'none'"],
      },
    },
    strictTransportSecurity: isHttps ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    referrerPolicy: { policy: 'no-referrer' },
    xFrameOptions: { action: 'deny' },
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
  });
  setAll(request, response, () => undefined);
  return headers;
}

/**
 * Middleware that sets these headers on every answer. Helmet is asked once: its dozen functions would run for each answer, and
 * write the same.
 * @param publicUrl the service's public address
 */
export function setHeaders(publicUrl: string): RequestHandler {
  const headers = listHeaders(publicUrl.startsWith('https:'));
  const fixed = headers.filter(([, value]) => !value.includes(ANY_NONCE));
  const withNonce = headers.filter(([, value]) => value.includes(ANY_NONCE));
  return (_request, response, next) => {
    const nonce = randomBytes(16).toString('base64');
    response.locals.nonce = nonce;
    setRequestId(response, randomUUID());
    for (const [name, value] of fixed) response.setHeader(name, value);
    for (const [name, value] of withNonce) response.setHeader(name, value.replace(ANY_NONCE, nonce));
    next();
  };
}
