/** The header set of every answer: request id, Content-Security-Policy with its nonce, and helmet's others. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { RequestHandler, Response } from 'express';
import helmet from 'helmet';

/** The response's nonce, the one its Content-Security-Policy names. */
export const nonceOf = (response: Response): string => String(response.locals.nonce);

/** The request's id, which the answer and the log carry. */
export const requestIdOf = (response: Response): string => String(response.getHeader('X-Request-Id'));

/** Middleware that sets the header set on every answer. @param publicUrl where people reach the service */
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
