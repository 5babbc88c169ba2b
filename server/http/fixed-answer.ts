/** A JSON answer that is the same for everybody until the next release: serialized and compressed once, revalidated by ETag. */
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { RequestHandler } from 'express';

interface Prepared {
  etag: string;
  plain: Buffer;
  gzip: Buffer;
}

function prepare(json: string): Prepared {
  const plain = Buffer.from(json);
  const digest = createHash('sha256').update(plain).digest('base64url').slice(0, 27);
  // weak, since both encodings have it
  return { etag: `W/"${digest}"`, plain, gzip: gzipSync(plain) };
}

/** @param read returns the answer as JSON, for the first request. It must hold no secrets: the size of a compressed answer could reveal them. */
export function serveFixed(read: () => Promise<string>): RequestHandler {
  let prepared: Prepared | null = null;
  return async (request, response) => {
    prepared ??= prepare(await read());
    const isZipped = request.acceptsEncodings('gzip', 'identity') === 'gzip';
    response
      .type('json')
      .vary('Accept-Encoding')
      .set({
        'Cache-Control': 'public, no-cache',
        ETag: prepared.etag,
        ...(isZipped ? { 'Content-Encoding': 'gzip' } : {}),
      })
      .send(isZipped ? prepared.gzip : prepared.plain);
  };
}
