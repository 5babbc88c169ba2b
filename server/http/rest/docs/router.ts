/** Serves the API reference: the page, its scripts and styles, and the document for its viewer (Swagger UI). */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import compression from 'compression';
import { Router, type RequestHandler } from 'express';
import { readOpenApi } from '#server/http/rest/openapi-text.ts';
import { renderDocs } from './page.ts';

const DOCS_PATH = '/api/v1/docs';
const FOREVER = 'public, max-age=31536000, immutable';

const FILES = [
  import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js'),
  import.meta.resolve('swagger-ui-dist/swagger-ui.css'),
  import.meta.resolve('./docs.css'),
  import.meta.resolve('./scheme.js'),
  import.meta.resolve('./viewer.js'),
  import.meta.resolve('./code-samples.js'),
  import.meta.resolve('./call-list.js'),
  import.meta.resolve('./document-parts.js'),
].map((url) => fileURLToPath(url));

/** The page, the viewer's document, and a version that changes with any of the files. @param publicUrl the service's public address */
async function prepare(publicUrl: string) {
  // "Try it out" calls the server that the page came from, under whichever of its names
  const viewerDocument = JSON.stringify({ ...JSON.parse(await readOpenApi()), servers: [{ url: '/api/v1' }] });
  const hash = createHash('sha256').update(viewerDocument);
  for (const file of FILES) hash.update(readFileSync(file));
  const version = hash.digest('base64url').slice(0, 10);
  return { viewerDocument, version, page: renderDocs(new URL(publicUrl).origin, `${DOCS_PATH}/${version}`) };
}

/**
 * The page is public and never cached; its files are under a hash of their contents, and cached for a year.
 * @param publicUrl the service's public address
 */
export function createDocsRouter(publicUrl: string): Router {
  // with the first request: a start should not wait for it
  let made: Awaited<ReturnType<typeof prepare>> | null = null;
  const docs = async () => (made ??= await prepare(publicUrl));
  const sendFile: RequestHandler<{ version: string; name: string }> = (
    { params: { version, name } },
    response,
    next,
  ) => {
    const send = ({ viewerDocument, version: current }: Awaited<ReturnType<typeof prepare>>) => {
      const file = FILES.find((path) => basename(path) === name);
      if (version !== current) next();
      else if (name === 'openapi.json') response.set('Cache-Control', FOREVER).type('json').send(viewerDocument);
      else if (file === undefined) next();
      else response.sendFile(file, { immutable: true, maxAge: '365d' });
    };
    docs().then(send, next);
  };
  const router = Router();
  router.use(compression());
  router.get('/', async (_request, response) => {
    const { page } = await docs();
    response.set('Cache-Control', 'no-store').type('html').send(page);
  });
  router.get('/:version/:name', sendFile);
  return router;
}
