/** The built client: hashed assets for a year, its two pages fresh each time with the nonce their styles need. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import compression from 'compression';
import express, { type Request, type Response, type Router } from 'express';
import { copy } from '#shared/copy.ts';
import { AppError } from '#server/platform/errors.ts';

const READS = ['GET', 'HEAD'];
const NONCE_TOKEN = '__CSP_NONCE__';
/** Pictures that other sites show beside a link need a whole address. */
const ORIGIN_TOKEN = '__ORIGIN__';

/**
 * @param dist folder of the built client
 * @param publicUrl where people reach the service
 * @param nonceOf the response's nonce, the one its Content-Security-Policy names
 */
export function createClientRouter(dist: string, publicUrl: string, nonceOf: (response: Response) => string): Router {
  const read = (page: string): string =>
    readFileSync(join(dist, page), 'utf8').replaceAll(ORIGIN_TOKEN, new URL(publicUrl).origin);
  const index = read('index.html');
  // the front page comes with its contents; everything else is drawn by the script
  const landing = existsSync(join(dist, 'landing.html')) ? read('landing.html') : index;
  const router = express.Router();
  // only what is the same for everybody: an answer with secrets in it must not tell them by its size
  router.use(compression());
  router.use('/assets', (request, response, next) => {
    if (READS.includes(request.method)) return next();
    response.set('Allow', READS.join(', '));
    throw new AppError('METHOD_NOT_ALLOWED', copy.methodNotAllowed);
  });
  router.use('/assets', express.static(join(dist, 'assets'), { immutable: true, maxAge: '365d', fallthrough: false }));
  // a browser asks for it again at every visit: it is how a release arrives
  router.get('/sw.js', (_request, response, next) => {
    response.set('Cache-Control', 'no-cache');
    next();
  });
  router.use(express.static(dist, { index: false, maxAge: '1h' }));
  router.get('/{*path}', (request: Request, response: Response, next) => {
    if (!request.accepts('html')) return next();
    response
      .set('Cache-Control', 'no-store')
      .type('html')
      .send((request.path === '/' ? landing : index).replaceAll(NONCE_TOKEN, nonceOf(response)));
  });
  return router;
}
