/** Serves the API reference: the page, its scripts and styles, and the document for its viewer (Swagger UI). */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import compression from 'compression';
import { Router } from 'express';
import { renderDocs } from './page.ts';

const DOCS_PATH = '/api/v1/docs';

const FILES = [
  import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js'),
  import.meta.resolve('swagger-ui-dist/swagger-ui.css'),
  import.meta.resolve('./docs.css'),
  import.meta.resolve('./scheme.js'),
  import.meta.resolve('./viewer.js'),
  import.meta.resolve('./code-samples.js'),
].map((url) => fileURLToPath(url));

/**
 * The page is public and never cached; its files are under a hash of their contents, and cached for a year.
 * @param document the OpenAPI document @param publicUrl the service's public address
 */
export function createDocsRouter(document: Record<string, unknown>, publicUrl: string): Router {
  // "Try it out" calls the server that the page came from, under whichever of its names
  const viewerDocument = JSON.stringify({ ...document, servers: [{ url: '/api/v1' }] });
  const hash = createHash('sha256').update(viewerDocument);
  for (const file of FILES) hash.update(readFileSync(file));
  const version = hash.digest('base64url').slice(0, 10);
  const page = renderDocs(new URL(publicUrl).origin, `${DOCS_PATH}/${version}`);

  const router = Router();
  router.use(compression());
  router.get('/', (_request, response) => void response.set('Cache-Control', 'no-store').type('html').send(page));
  const caching = 'public, max-age=31536000, immutable';
  router.get(`/${version}/openapi.json`, (_request, response) => {
    response.set('Cache-Control', caching).type('json').send(viewerDocument);
  });
  for (const file of FILES) {
    router.get(`/${version}/${file.split(/[\\/]/).at(-1)}`, (_request, response) => {
      response.sendFile(file, { immutable: true, maxAge: '365d' });
    });
  }
  return router;
}
