/** The part of the API's document that the reference resolves for one call. */
import { describe, expect, test } from 'vitest';
import { createOpenApi } from '#server/http/rest/openapi.ts';
import { cutDocument } from '#server/http/rest/docs/document-parts.js';

const DOCUMENT = createOpenApi();
const PATHS = Object.keys(DOCUMENT.paths as object);

const at = (document: unknown, address: readonly string[]): unknown =>
  address.reduce<unknown>((value, key) => Reflect.get(Object(value), key), document);

/** A value with everything that it refers to in its place. */
function inline(document: unknown, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => inline(document, one));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) =>
    key === '$ref'
      ? [key, inline(document, at(document, String(inner).split('/').slice(1)))]
      : [key, inline(document, inner)],
  );
  return Object.fromEntries(entries);
}

describe('the part of the document for a call', () => {
  test.each(PATHS)('%s resolves as in the whole', (path) => {
    const address = ['paths', path];
    const part = cutDocument(DOCUMENT, address);
    expect(Object.keys(part.paths)).toEqual([path]);
    expect(inline(part, at(part, address))).toEqual(inline(DOCUMENT, at(DOCUMENT, address)));
  });

  test('is a small part for most calls', () => {
    const whole = JSON.stringify(DOCUMENT).length;
    const shares = PATHS.map((path) => JSON.stringify(cutDocument(DOCUMENT, ['paths', path])).length / whole);
    expect(shares.toSorted((one, other) => one - other)[Math.floor(shares.length / 2)]).toBeLessThan(0.05);
  });

  test('is the whole group for an address of a group, and nothing more for an unknown address', () => {
    const schemes = cutDocument(DOCUMENT, ['components', 'securitySchemes']).components;
    expect(schemes).toEqual({ securitySchemes: at(DOCUMENT, ['components', 'securitySchemes']) });
    expect(cutDocument(DOCUMENT, ['paths', '/none'])).toEqual({ ...DOCUMENT, paths: {}, components: {} });
  });
});
