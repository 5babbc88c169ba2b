/** Serves the built client: hashed assets are cached for a year, the two HTML pages never, since each has its own nonce. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import compression from 'compression';
import express, { type Request, type RequestHandler, type Response, type Router } from 'express';
import { AppError } from '#server/platform/errors.ts';

const READS = ['GET', 'HEAD'];
const NONCE_TOKEN = '__CSP_NONCE__';
/** Pictures in link previews need an absolute address. */
const ORIGIN_TOKEN = '__ORIGIN__';

/**
 * @param dist folder of the built client
 * @param publicUrl the service's public address
 * @param nonceOf the nonce in the response's Content-Security-Policy
 */
export function createClientRouter(dist: string, publicUrl: string, nonceOf: (response: Response) => string): Router {
  const read = (page: string): string =>
    readFileSync(join(dist, page), 'utf8').replaceAll(ORIGIN_TOKEN, new URL(publicUrl).origin);
  const index = read('index.html');
  // the landing page is prerendered; all other pages are rendered by the script
  const landing = existsSync(join(dist, 'landing.html')) ? read('landing.html') : index;
  const router = express.Router();
  // compress only content that is the same for everybody: the size of a compressed answer could reveal its secrets
  router.use(compression());
  // revalidated on every visit, since browsers discover a new release by it
  router.get('/sw.js', (_request, response, next) => {
    response.set('Cache-Control', 'no-cache');
    next();
  });
  router.use(preferBrotli(dist));
  router.use('/assets', (request, response, next) => {
    if (READS.includes(request.method)) return next();
    response.set('Allow', READS.join(', '));
    throw new AppError('METHOD_NOT_ALLOWED');
  });
  router.use('/assets', express.static(join(dist, 'assets'), { immutable: true, maxAge: '365d', fallthrough: false }));
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

/**
 * Answers with the file that the build compressed (client/brotli-files.ts), to browsers that accept it: a seventh smaller than
 * what the server compresses for each answer, and without the time for it.
 */
function preferBrotli(dist: string): RequestHandler {
  const names = globSync('**/*.br', { cwd: dist }).map(
    (name) => `/${name.split(sep).join('/').slice(0, -'.br'.length)}`,
  );
  const compressed = new Set(names);
  return (request, response, next) => {
    if (!compressed.has(request.path)) return next();
    response.vary('Accept-Encoding');
    if (READS.includes(request.method) && request.acceptsEncodings('br') === 'br') {
      response.set('Content-Encoding', 'br').type(extname(request.path));
      request.url = `${request.path}.br`;
    }
    next();
  };
}
