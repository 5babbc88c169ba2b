/** Security headers of every answer: Content-Security-Policy with nonce and helmet's others, and the request id. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { RequestHandler, Response } from 'express';
import helmet from 'helmet';

/** The nonce in the response's Content-Security-Policy. */
export const nonceOf = (response: Response): string => String(response.locals.nonce);

/** The request's id, which is in the answer and in the log. */
export const requestIdOf = (response: Response): string => String(response.getHeader('X-Request-Id'));

/** Middleware that sets these headers on every answer. @param publicUrl the service's public address */
export function setHeaders(publicUrl: string): RequestHandler[] {
  const isHttps = publicUrl.startsWith('https:');
  return [
    (_request, response, next) => {
      response.locals.nonce = randomBytes(16).toString('base64');
      response.setHeader('X-Request-Id', randomUUID());
      next();
    },
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'none'"],
          scriptSrc: ["'self'"],
          styleSrc: ["'self'", (_request, response) => `'nonce-${nonceOf(response as Response)}'`],
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
    }),
  ];
}
